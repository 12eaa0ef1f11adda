// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport
import Testing

/// Sign-ins and registrations that a machine requests before it can know that the user refuses one.
@Suite struct `A machine of which the user refuses a sign-in or a registration` {
  /// A time for the answer that no test needs, in microseconds.
  private static let timeout = ["timeout", "240000000"]

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

  private static func open(_ id: String, _ url: String) -> [String] {
    ["open", "id", id, "url", url] + timeout
  }

  private static func register(_ id: String) -> [String] {
    ["register", "id", id, "scheme", "com.example.tool\(id)"] + timeout
  }

  /// Expects that the next prompt, which has this number, is about an ordinary link.
  private static func expectLink(_ number: Int, at server: NotificationServer, from client: RawRemoteClient)
    async throws
  {
    try client.send(open("last", "http://other.example/last"))
    let shown = try await server.next(number)
    #expect(shown.text.contains("Open this http: link?"), "\(shown)")
  }

  @Test(arguments: [false, true])
  func `is asked about none of those that wait for their turn, and about its other links`(
    isRegistration: Bool
  ) async throws {
    try await Self.with { rig, relay, server in
      let client = try await RawRemoteClient.connect(to: relay)
      func signIn(_ id: String) -> [String] { Self.open(id, rig.link(state: "s\(id)")) }
      try client.send(isRegistration ? Self.register("1") : signIn("1"))
      _ = try await server.next(1)
      let page = "https://other.example/page"
      try client.send(
        Self.open("page", page), Self.register("2"), Self.register("3"), signIn("4"), signIn("5"),
        signIn("6"), signIn("7"), signIn("8"))
      // One of the nine questions is more than a machine may have, so that the others wait when it is refused.
      let excess = try await client.next("result")
      #expect(excess["error"]?.string?.contains("too many prompts are waiting") == true, "\(excess)")
      try await server.press(1, of: 1)
      var reasons: [String] = []
      for _ in 1...7 {
        let result = try await client.next("result")
        #expect(result["status"]?.string == "3", "\(result)")
        reasons.append(result["error"]?.string ?? "")
      }
      #expect(reasons.count { $0.contains("the user refused it") } == 1, "\(reasons)")
      #expect(reasons.count { $0.contains("is not asked again yet") } == 6, "\(reasons)")
      let shown = try await server.next(2)
      #expect(shown.text.contains("Open this https: link?"), "\(shown)")
      try await server.press(0, of: 2)
      #expect(try await client.next("result")["status"]?.string == "0")
      #expect(try await rig.visit().url == page)
      try await Self.expectLink(3, at: server, from: client)
    }
  }

  @Test func `is not asked about another sign-in that is the fallback of the refused one`() async throws {
    try await Self.with { rig, relay, server in
      let client = try await RawRemoteClient.connect(to: relay)
      try client.send(Self.open("one", rig.link()) + ["fallback", rig.link(state: "s2")])
      _ = try await server.next(1)
      try await server.press(1, of: 1)
      let result = try await client.next("result")
      #expect(result["status"]?.string == "3", "\(result)")
      let later = try await relay.open("--timeout=10", rig.link(state: "s3"))
      #expect(later.status == 3 && later.errorOutput.contains("is not asked again yet"), "\(later)")
      try await Self.expectLink(2, at: server, from: client)
    }
  }

  @Test func `has another link opened that is the fallback of the refused one, and may not ask again`()
    async throws
  {
    try await Self.with { rig, relay, server in
      let client = try await RawRemoteClient.connect(to: relay)
      let page = "https://other.example/page"
      try client.send(Self.open("one", rig.link()) + ["fallback", page])
      _ = try await server.next(1)
      try await server.press(1, of: 1)
      let shown = try await server.next(2)
      #expect(shown.text.contains("Open this https: link?"), "\(shown)")
      try await server.press(0, of: 2)
      #expect(try await client.next("result")["status"]?.string == "0")
      #expect(try await rig.visit().url == page)
      // The relay knows only that the request was successful.
      let later = try await relay.open("--timeout=10", rig.link(state: "s2"))
      #expect(later.status == 3 && later.errorOutput.contains("is not asked again yet"), "\(later)")
      try await Self.expectLink(3, at: server, from: client)
    }
  }
}
