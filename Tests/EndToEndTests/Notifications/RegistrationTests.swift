// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Glibc
import Synchronization
import TestSupport
import Testing

/// Registrations for remote notifications, with a mock distributor.
@Suite struct `The registrations` {
  private static let id = ServedApplication.id

  @Test(arguments: [PushDistributor.Behaviour.version1, .version2])
  func `are repeated with their token and their keys`(_ version: PushDistributor.Behaviour) async throws {
    try await InstalledDesktop.with { desk in
      try desk.desktop.installDesktopEntry(Self.id, exec: "/bin/true")
      let distributor = try await PushDistributor.start(version, on: desk)
      let first = try await PushDistributor.register(on: desk)
      let registered = try await distributor.line("registered")
      // The daemon that registers next may be another one.
      let daemon = try await TriggerDaemon(on: desk)
      try await daemon.kill()
      #expect(try await PushDistributor.register(on: desk) == first)
      #expect(try await distributor.line("registered") == registered)
      let lines = try await desk.usher("push", "register", "--json", Self.id).lines
      #expect(try await JSONSchema("usher-push-register").diagnostics(about: lines) == [], "\(lines)")
      let list = try await desk.usher("push", "list", "--json").lines
      #expect(try await JSONSchema("usher-push-list").diagnostics(about: list) == [], "\(list)")
      let text = try await desk.usher("push", "register", Self.id).output
      #expect(text.contains("endpoint  http://127.0.0.1:") && text.contains("\nauth  "), "\(text)")
      let ended = try await desk.usher("push", "unregister", "--json", Self.id).lines
      #expect(try await JSONSchema("usher-push-unregister").diagnostics(about: ended) == [], "\(ended)")
      _ = try await distributor.line("unregistered")
      // A new registration has nothing of the earlier one.
      let next = try await PushDistributor.register(on: desk)
      #expect(next["keys"] != first["keys"] && next["endpoint"] != first["endpoint"])
    }
  }

  @Test func `that a distributor ends before it confirms them fail at once`() async throws {
    try await InstalledDesktop.with { desk in
      try desk.desktop.installDesktopEntry(Self.id, exec: "/bin/true")
      let distributor = try await PushDistributor.start(.ends, on: desk)
      let result = try await desk.run("usher", ["push", "register", Self.id])
      // Otherwise the call waits for an endpoint for 20 seconds, and says so.
      #expect(
        result.status == 1 && result.errorOutput.contains("was ended before it had an endpoint"), "\(result)")
      #expect(try await desk.usher("push", "list").output == "")
      distributor.stop()
    }
  }

  @Test func `need a distributor, the user's choice of several, and its consent`() async throws {
    try await InstalledDesktop.with { desk in
      func register(_ arguments: String...) async throws -> CommandResult {
        try await desk.run("usher", ["push", "register"] + (arguments.isEmpty ? [Self.id] : arguments))
      }
      let missing = try await register()
      #expect(missing.status == 2 && missing.errorOutput.contains("is not installed"), "\(missing)")
      try desk.desktop.installDesktopEntry(Self.id, exec: "/bin/true")
      let alone = try await register()
      #expect(alone.status == 1 && alone.errorOutput.contains("there is no push distributor"), "\(alone)")
      let failing = "\(PushDistributor.name).failing"
      let rejecting = try await PushDistributor.start(.fails, named: failing, on: desk)
      let rejected = try await register()
      #expect(rejected.status == 1 && rejected.errorOutput.contains("(ACTION_REQUIRED)"), "\(rejected)")
      #expect(try await desk.usher("push", "list").output == "")
      let distributor = try await PushDistributor.start(on: desk)
      let several = try await register()
      #expect(several.status == 1, "\(several)")
      #expect(several.errorOutput.contains("\(PushDistributor.name), \(failing)"), "\(several)")
      #expect(several.errorOutput.contains("usher push register"), "\(several)")
      let wrong = try await register(Self.id, "--distributor", "org.unifiedpush.Distributor.none")
      #expect(wrong.errorOutput.contains("installed: \(PushDistributor.name)"), "\(wrong)")
      let key = String(repeating: "a", count: 87)
      #expect(try await register(Self.id, "--vapid", "short").status == 64)
      try await register(Self.id, "--distributor", PushDistributor.name, "--vapid", key).orThrow()
      #expect(try await distributor.line("registered").hasSuffix(" \(key)"))
      // The next application uses the distributor that was used last.
      try desk.desktop.installDesktopEntry("org.example.Other", exec: "/bin/true")
      try await register("org.example.Other").orThrow()
      _ = try await distributor.line("registered")
      let list = try await desk.usher("push", "list").lines
      #expect(list.count == 2 && list.allSatisfy { $0.hasSuffix(PushDistributor.name) }, "\(list)")
      // Another distributor gets the key that the first call has named.
      let second = try await PushDistributor.start(named: "\(PushDistributor.name).second", on: desk)
      try await register(Self.id, "--distributor", "\(PushDistributor.name).second").orThrow()
      #expect(try await second.line("registered").hasSuffix(" \(key)"))
      rejecting.stop()
    }
  }

  @Test func `are replaced when the new one has an endpoint, and remain if it fails`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let first = try await PushDistributor.start(on: desk)
      let token = try await PushDistributor.register(on: desk)
      let failing = "\(PushDistributor.name).failing"
      let rejecting = try await PushDistributor.start(.fails, named: failing, on: desk)
      let rejected = try await desk.usher("push", "register", Self.id, "--distributor", failing)
      #expect(rejected.status == 1 && rejected.errorOutput.contains("(ACTION_REQUIRED)"), "\(rejected)")
      rejecting.stop()
      // The earlier registration receives messages, and its token is unchanged.
      try await first.push(#"{"n":1}"#, to: token)
      #expect(try await application.nextEnvelope().payload == ["n": 1])
      #expect(try await PushDistributor.register(on: desk, "--distributor", PushDistributor.name) == token)
      let other = "\(PushDistributor.name).other"
      let second = try await PushDistributor.start(named: other, on: desk)
      let replaced = try await PushDistributor.register(on: desk, "--distributor", other)
      #expect(replaced != token)
      _ = try await first.line("unregistered")
      try await second.push(#"{"n":2}"#, to: replaced)
      #expect(try await application.nextEnvelope().payload == ["n": 2])
      #expect(try await desk.usher("push", "list").lines.count == 1)
    }
  }

  @Test func `are those of the caller`() async throws {
    try await InstalledDesktop.with { desk in
      try desk.desktop.installDesktopEntry(Self.id, exec: "/bin/true")
      let application = try IdentifiedApplication.install(on: desk)
      let distributor = try await PushDistributor.start(on: desk)
      _ = try await PushDistributor.register(on: desk)
      for member in ["RegisterForRemoteNotifications", "UnregisterForRemoteNotifications"] {
        let arguments = member.hasPrefix("Register") ? ["{}"] : []
        let refused = try await application.call(member, for: Self.id, arguments)
        #expect(refused.errorOutput.contains("org.freedesktop.DBus.Error.AccessDenied"), "\(refused)")
      }
      #expect(
        try await application.call("RemoteNotificationRegistrations", for: nil).orThrow().output
          == "(@aa{sv} [],)\n")
      try await application.call("RegisterForRemoteNotifications", ["{}"]).orThrow()
      let own = try await application.call("RemoteNotificationRegistrations", for: nil).orThrow().output
      #expect(own.contains(application.id) && !own.contains(Self.id), "\(own)")
      // No list contains a key or an endpoint.
      #expect(!own.contains("http") && !own.contains("byte"), "\(own)")
      #expect(try await desk.usher("push", "list").lines.count == 2)
      distributor.stop()
    }
  }

  @Test(arguments: [PushDistributor.Behaviour.version1, .version2])
  func `report another endpoint and their end to the running application`(
    _ version: PushDistributor.Behaviour
  ) async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      let distributor = try await PushDistributor.start(version, on: desk)
      let first = try await PushDistributor.register(on: desk)
      let signals = try await application.bus.signals(
        TriggersInterface.remoteNotificationTokenChanged, from: TriggersInterface.busName)
      func next() async throws -> [String: Variant] {
        let signal = try await withDeadline(Command.defaultDeadline, "a token") {
          await signals.first { _ in true }
        }
        let (id, token) = try #require(signal).values
        #expect(id == Self.id)
        return token
      }
      distributor.replaceEndpoints()
      let replaced = try await next()
      #expect(replaced["endpoint"]?.string?.hasSuffix("/2") == true, "\(replaced)")
      let second = try await PushDistributor.register(on: desk)
      #expect(second["endpoint"]?.string == replaced["endpoint"]?.string && second["keys"] == first["keys"])
      distributor.endRegistrations()
      #expect(try await next() == [:])
      #expect(try await desk.usher("push", "list").output == "")
    }
  }

  /// The daemon exits at its N-th write: before and after it has stored the change, and that it has reported it.
  @Test(arguments: [false, true])
  func `report another endpoint or their end although the daemon is killed at any step`(isEnd: Bool)
    async throws
  {
    var (point, isComplete) = (0, false)
    while !isComplete, point < 20 {
      point += 1
      let number = point
      let isUninterrupted = Mutex(false)
      try await InstalledDesktop.with(needsPermit: false) { desk in
        let application = try await ServedApplication.start(.application1, on: desk)
        let distributor = try await PushDistributor.start(on: desk)
        _ = try await PushDistributor.register(on: desk)
        let signals = try await application.bus.signals(
          TriggersInterface.remoteNotificationTokenChanged, from: TriggersInterface.busName)
        let daemon = try await TriggerDaemon(on: desk)
        try await daemon.kill()
        let faulty = try await RunningProgram.start(
          "usher-triggers",
          environment: desk.desktop.environment.merging(["USHER_TEST_KILL_AT": "\(number)"]) { $1 })
        try await desk.waitForOwner(of: TriggersInterface.busName, orExitOf: faulty)
        if isEnd { distributor.endRegistrations() } else { distributor.replaceEndpoints() }
        let signal = try await daemon.beingRestarted {
          try await withDeadline(Command.defaultDeadline, "a report at \(number)") {
            await signals.first { _ in true }
          }
        }
        let token = try #require(signal).values.1
        if isEnd {
          #expect(token == [:], "killed at \(number)")
          #expect(try await desk.usher("push", "list").output == "")
        } else {
          #expect(token["endpoint"]?.string?.hasSuffix("/2") == true, "killed at \(number): \(token)")
          // The daemon may be killed after its report, while it answers this call.
          let current =
            if let current = try? await PushDistributor.register(on: desk) {
              current
            } else {
              try await PushDistributor.register(on: desk)
            }
          #expect(current["endpoint"]?.string == token["endpoint"]?.string)
        }
        isUninterrupted.withLock { $0 = Glibc.kill(faulty.processIdentifier, 0) == 0 }
        faulty.kill()
      }
      isComplete = isUninterrupted.withLock { $0 }
    }
    #expect(point > 4 && point < 20, "\(point) steps")
  }
}
