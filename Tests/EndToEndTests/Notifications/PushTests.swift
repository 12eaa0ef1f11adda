// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Glibc
import TestSupport
import Testing

/// Remote notifications with a mock distributor: real HTTP on loopback, real encryption, a real bus.
@Suite struct `A remote notification` {
  @Test(arguments: [PushDistributor.Behaviour.version1, .version2])
  func `is shown, and the user's tap reaches the application`(_ version: PushDistributor.Behaviour)
    async throws
  {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let server = try await NotificationServer.start(on: desk)
      let distributor = try await PushDistributor.start(version, on: desk)
      let token = try await PushDistributor.register(on: desk)
      let registered = try await distributor.line("registered")
      #expect(registered.hasPrefix("registered org.usher.Triggers1 "), "\(registered)")
      try await distributor.push(
        """
        {"aps": {"alert": {"title": "Milk", "subtitle": "Today", "body": "Two litres"}, "thread-id": "t"}, "note": 7,
         "action-identifier": "spoofed", "user-text": "spoofed"}
        """, to: token)
      let offered = try await application.nextEnvelope()
      #expect(offered.reason == .remoteNotification)
      // A server cannot claim that the user has acted.
      #expect(offered.payload?["action-identifier"] == nil && offered.payload?["user-text"] == nil)
      let shown = try await server.next(1)
      #expect(shown.text.contains("Milk") && shown.text.contains("Today"), "\(shown)")
      // The body has a second line.
      _ = try await server.line(with: "Two litres")
      try await server.ping()
      try await server.invoke("default", of: 1)
      let tapped = try await application.nextEnvelope()
      #expect(tapped.reason == .remoteNotification)
      #expect(tapped.payload?["action-identifier"] == "default")
      #expect(tapped.payload?["aps"]?["alert"]?["title"] == "Milk")
      #expect(tapped.payload?["note"] == 7)
      // A message that the distributor repeats is the one that was delivered.
      try await distributor.repeatMessage()
      try await distributor.push("Plain text, as of ntfy", to: token)
      #expect(
        try await application.nextEnvelope().payload == ["aps": ["alert": ["body": "Plain text, as of ntfy"]]]
      )
      #expect(try await server.next(2).text.contains("Plain text, as of ntfy"))
    }
  }

  @Test func `without an alert starts the application in the background, once, also without permission`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      let program = try desk.desktop.installScript("slow", "#!/bin/sh\nexec sleep 86400\n")
      let application = try await ServedApplication.prepare(.application1, on: desk, exec: program)
      await application.gate.open()
      let distributor = try await PushDistributor.start(on: desk)
      let token = try await PushDistributor.register(on: desk)
      try await desk.usher(
        "grants", "allow", "--refuse", "--permission", "notifications", ServedApplication.id
      ).orThrow()
      let payload = #"{"aps":{"content-available":1},"acct-balance":7}"#
      try await distributor.push(payload, to: token)
      try await withDeadline(Command.defaultDeadline, "the application to be started") {
        while desk.processes(of: "86400").isEmpty { try await Task.sleep(for: .milliseconds(20)) }
      }
      try await distributor.repeatMessage()
      try await application.takeName()
      let first = try await application.nextEnvelope()
      let sent = try PropertyList(json: payload)
      #expect(first.reason == .remoteNotification && first.payload == sent)
      #expect(first.callerRequestID?.hasPrefix("push-") == true)
      // The second message is the next one that arrives.
      try await distributor.push(#"{"n":2}"#, to: token)
      #expect(try await application.nextEnvelope().payload == ["n": 2])
    }
  }

  @Test func `that cannot be decrypted is dropped, and the next one arrives`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let distributor = try await PushDistributor.start(on: desk)
      let token = try await PushDistributor.register(on: desk)
      // The salt, the length of the key, the key, the text.
      for index in [0, 20, 30, 90] {
        try await distributor.push(#"{"n":0}"#, to: token, changingByte: index)
      }
      // The distributor acknowledged them, so that the server does not repeat them for ever.
      try await distributor.push(#"{"n":1}"#, to: token)
      #expect(try await application.nextEnvelope().payload == ["n": 1])
      try await desk.usher("push", "unregister", ServedApplication.id).orThrow()
      _ = try await distributor.line("unregistered")
      #expect(try await desk.usher("push", "list").output == "")
    }
  }

  @Test func `is accepted only from the distributor`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let distributor = try await PushDistributor.start(on: desk)
      _ = try await PushDistributor.register(on: desk)
      let words = try await distributor.line("registered").split(separator: " ")
      let secret = String(try #require(words.dropFirst(2).first))
      let other = try await desk.connect()
      let connector = RemoteObject(TriggersInterface.busName, "/org/unifiedpush/Connector")
      func call(_ member: MemberName, _ token: String) async throws -> ErrorName? {
        let method = BusMethod<Arguments<[String: Variant]>, Arguments<[String: Variant]>>(
          member, of: "org.unifiedpush.Connector2", takes: ["args"], returns: ["res"])
        do throws(BusError) {
          _ = try await other.call(
            method, at: connector,
            ["token": .string(token), "message": .bytes([1]), "endpoint": "https://evil.example/"])
          return nil
        } catch { return error.name }
      }
      for member in ["Message", "NewEndpoint", "Unregistered"] as [MemberName] {
        #expect(try await call(member, secret) == .accessDenied)
        // An unknown token has no effect, and does not show that another one exists.
        #expect(try await call(member, "unknown") == nil)
      }
      // Without a distributor, too, only messages count, whose encryption proves where they are from.
      let name = try #require(BusName(PushDistributor.name))
      distributor.stop()
      try await withDeadline(Command.defaultDeadline, "the end of the distributor") {
        while try await other.owner(of: name) != nil { try await Task.sleep(for: .milliseconds(20)) }
      }
      #expect(try await call("NewEndpoint", secret) == .accessDenied)
      #expect(try await call("Unregistered", secret) == .accessDenied)
      #expect(try await call("Message", secret) == nil)
      #expect(try await desk.usher("push", "list").output.hasPrefix(ServedApplication.id))
      await other.close()
    }
  }

  /// The daemon exits at its N-th write or call of the broker, from the registered state to the receipt.
  @Test func `is neither lost nor doubled when the daemon is killed at any step`() async throws {
    try await InstalledDesktop.with(needsPermit: false) { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let distributor = try await PushDistributor.start(on: desk)
      let token = try await PushDistributor.register(on: desk)
      let daemon = try await TriggerDaemon(on: desk)
      try await daemon.kill()
      var (point, wasKilled) = (0, true)
      while wasKilled {
        point += 1
        try #require(point < 30)
        let faulty = try await RunningProgram.start(
          "usher-triggers",
          environment: desk.desktop.environment.merging(["USHER_TEST_KILL_AT": "\(point)"]) { $1 })
        // It exits before it owns the name if the previous daemon was killed before it had stored a receipt.
        try await withDeadline(Command.defaultDeadline, "the owner of \(TriggersInterface.busName)") {
          while try await daemon.bus.owner(of: TriggersInterface.busName) == nil,
            kill(faulty.processIdentifier, 0) == 0
          { try await Task.sleep(for: .milliseconds(10)) }
        }
        // Calls start the next daemon, as the service manager does.
        let caller = Task {
          while !Task.isCancelled {
            _ = try? await daemon.pending()
            try? await Task.sleep(for: .milliseconds(20))
          }
        }
        try await distributor.push("{\"n\":\(point)}", to: token)
        #expect(try await application.nextEnvelope().payload == ["n": .integer(Int64(point))])
        // The sentinel arrives after whatever the message has caused.
        try await distributor.push("{\"last\":\(point)}", to: token)
        let last = try await application.nextEnvelope()
        #expect(last.payload == ["last": .integer(Int64(point))], "killed at \(point)")
        caller.cancel()
        await caller.value
        wasKilled = kill(faulty.processIdentifier, 0) != 0
        try await daemon.kill()
      }
      // The push is stored before the reply, and marked as delivered; between them, the broker is called.
      #expect(point > 6, "only \(point) steps")
    }
  }
}
