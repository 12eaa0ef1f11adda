// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport
import Testing

/// Sign-ins of a machine whose request a second program there sends as well, with the ID of the first.
@Suite struct `A sign-in that two clients request` {
  private static func with(
    _ body: @Sendable (SignInRig, RemoteRig, NotificationServer) async throws -> Void
  ) async throws {
    try await InstalledDesktop.with { desk in
      let rig = try await SignInRig.install(on: desk)
      let server = try await NotificationServer.start(on: desk)
      let relay = try await RemoteRig.start(on: desk)
      try await body(rig, relay, server)
      _ = await relay.end()
    }
  }

  /// Expects that the machine may not ask the user.
  private static func expectPause(_ rig: SignInRig, _ relay: RemoteRig) async throws {
    let refused = try await relay.open("--timeout=10", rig.link(state: "s9"))
    #expect(refused.status == 3 && refused.errorOutput.contains("is not asked again yet"), "\(refused)")
  }

  @Test(arguments: [false, true])
  func `is not asked about again after a refusal`(isFallback: Bool) async throws {
    try await Self.with { rig, relay, server in
      let request =
        ["open", "id", "one"]
        + (isFallback ? ["url", "no-such-scheme:x", "fallback", rig.link()] : ["url", rig.link()])
      let (first, second) = (
        try await RawRemoteClient.connect(to: relay), try await RawRemoteClient.connect(to: relay)
      )
      try first.send(request)
      _ = try await server.next(1)
      try second.send(request)
      try await second.settle()
      try await server.press(1, of: 1)
      for client in [first, second] { #expect(try await client.next("result")["status"]?.string == "3") }
      try await Self.expectPause(rig, relay)
    }
  }

  @Test(arguments: [false, true])
  func `has its consequences although another link with its ID is rejected`(isAllowed: Bool) async throws {
    try await Self.with { rig, relay, server in
      let (first, second) = (
        try await RawRemoteClient.connect(to: relay), try await RawRemoteClient.connect(to: relay)
      )
      try first.send(["open", "id", "one", "url", rig.link()])
      _ = try await server.next(1)
      try second.send(["open", "id", "one", "url", "https://accounts.example/"])
      #expect(try await second.next("result")["error"]?.string?.contains("different content") == true)
      try await server.press(isAllowed ? 0 : 1, of: 1)
      #expect(try await first.next("result")["status"]?.string == (isAllowed ? "0" : "3"))
      guard isAllowed else { return try await Self.expectPause(rig, relay) }
      #expect(try await rig.visit().url == rig.link())
      async let answered = rig.request()
      _ = try await relay.carryLine()
      relay.answer("carried 1 200")
      #expect(try await answered.httpStatus == 200)
    }
  }

  @Test func `is withdrawn once for both, and the second withdrawal counts as a refusal`() async throws {
    try await Self.with { rig, relay, server in
      let (first, second) = (
        try await RawRemoteClient.connect(to: relay), try await RawRemoteClient.connect(to: relay)
      )
      for number in 1...2 {
        let request = ["open", "id", "\(number)", "url", rig.link(state: "s\(number)")]
        try first.send(request)
        // The user is asked again after the first withdrawal.
        _ = try await server.next(number)
        try second.send(request)
        try await second.settle()
        try first.send(["cancel", "id", "\(number)"])
        for client in [first, second] {
          #expect(try await client.next("result")["error"]?.string?.contains("cancelled") == true)
        }
      }
      try await Self.expectPause(rig, relay)
    }
  }
}
