// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import TestSupport
import Testing

/// The connection to the bus is lost at each of the calls that a daemon makes until it is ready.
@Suite struct `A bus that is lost during the start` {
  private func start(
    _ program: String, _ words: [String], on desk: InstalledDesktop, over bus: CutBus
  ) async throws -> RunningProgram {
    try await RunningProgram.start(
      "sh", ["-c", "exec \"$0\" \"$@\" 2>&1", program] + words,
      environment: desk.desktop.environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { $1 })
  }

  /// Starts a daemon once for each of its calls, without that call, and passes it with the name of the method.
  private func atEachCall(
    of program: String, _ words: (InstalledDesktop) -> [String] = { _ in [] }, on desk: InstalledDesktop,
    returns: Bool = true, before: () throws -> Void = {},
    _ body: (RunningProgram, String) async throws -> Void
  ) async throws {
    let bus = try await CutBus.start(on: desk)
    try before()
    let complete = try await start(program, words(desk), on: desk, over: bus)
    _ = try await complete.line { $0.contains("ready") }
    let count = try await bus.callCount()
    complete.terminate()
    #expect(await complete.waitUntilExit().status == 0)
    bus.end()
    #expect(count > 2)
    for call in 1...max(count, 1) {
      let bus = try await CutBus.start(on: desk, cutAt: call, returns: returns)
      try before()
      let daemon = try await start(program, words(desk), on: desk, over: bus)
      try await body(daemon, try await bus.cut())
      bus.end()
    }
  }

  @Test func `ends the daemon for notifications, which reports it`() async throws {
    try await InstalledDesktop.with { desk in
      try await atEachCall(of: "\(BuiltProducts.usherTriggers)", on: desk) { daemon, method in
        let result = await daemon.waitUntilExit()
        #expect(result.status == 69, "\(method): \(result)")
      }
    }
  }

  @Test func `ends a relay, which reports it`() async throws {
    try await InstalledDesktop.with { desk in
      try await atEachCall(
        of: "\(BuiltProducts.directory)/usher-remote",
        { ["build.example.org", "\($0.desktop.root)/relay"] }, on: desk
      ) { relay, method in
        let result = await relay.waitUntilExit()
        #expect(result.status == 69, "\(method): \(result)")
      }
    }
  }

  @Test(arguments: [true, false])
  func `ends the broker, or the broker notices it, and serves when the bus returns`(returns: Bool)
    async throws
  {
    try await InstalledDesktop.with { desk in
      // The broker asks for the owner of a scheme that a machine has registered, and starts also without an answer.
      let entry = try await Self.remainingEntry(on: desk)
      let caller = try await desk.connect()
      var methods: Set<String> = []
      try await atEachCall(of: BuiltProducts.usherd, on: desk, returns: returns) {
        guard !FileManager.default.fileExists(atPath: entry) else { return }
        try FileManager.default.copyItem(atPath: "\(desk.desktop.root)/entry", toPath: entry)
      } _: { broker, method in
        methods.insert(method)
        // There is no such line if it ends.
        let sign = returns ? "reconnected to the bus" : "the connection to the bus was lost"
        if (try? await broker.line { $0.contains(sign) }) != nil {
          guard returns else { return broker.kill() }
          let owner = try await caller.owner(of: "org.usher.Handler")
          #expect(owner != nil, "\(method)")
          broker.terminate()
          #expect(await broker.waitUntilExit().status == 0, "\(method)")
        } else {
          let result = await broker.waitUntilExit()
          #expect(result.status == 69, "\(method): \(result)")
        }
      }
      await caller.close()
      #expect(methods.isSuperset(of: ["Hello", "RequestName", "GetNameOwner"]), "\(methods)")
    }
  }

  /// Registers a scheme, ends broker and relay at once, moves the entry that remains to `entry` in the root of the desktop, and returns its
  /// path.
  private static func remainingEntry(on desk: InstalledDesktop) async throws -> String {
    let server = try await NotificationServer.start(on: desk)
    let broker = try await desk.startBroker()
    let rig = try await RemoteRig.start(on: desk)
    let client = try await rig.register("com.example.tool", allowedAt: 1, of: server)
    await broker.kill()
    await rig.kill()
    client.kill()
    let name = try #require(desk.registrationTraces.first)
    let path = "\(desk.desktop.dataHome)/applications/\(name)"
    try FileManager.default.moveItem(atPath: path, toPath: "\(desk.desktop.root)/entry")
    return path
  }
}
