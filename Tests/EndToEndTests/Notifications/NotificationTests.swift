// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// Notifications with a mock server, python3-dbusmock, whose user the test is.
@Suite struct `A notification` {
  private static let category = """
    {"identifier": "note", "custom-dismiss-action": true, "actions": [
      {"identifier": "done", "title": "Done"},
      {"identifier": "open", "title": "Show", "foreground": true},
      {"identifier": "reply", "title": "Reply", "text-input": true}]}
    """

  @Test func `that is due is offered to the running application, shown, and the user's tap is delivered`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let server = try await NotificationServer.start(on: desk, capabilities: "body actions body-markup")
      let daemon = try await TriggerDaemon(on: desk)
      try await daemon.add(
        """
        {"identifier": "milk", "content": {"title": "Milk <now>", "body": "a & b", "user-info": {"note": 7},
         "target-content-id": "note-7"}, "trigger": {"kind": "interval", "interval": 0.2}}
        """)
      let offered = try await application.nextEnvelope()
      #expect(offered.reason == .localNotification)
      #expect(offered.payload?["action-identifier"] == nil)
      #expect(offered.payload?["identifier"] == "milk")
      let shown = try await server.next(1)
      #expect(shown.text.contains("Milk <now>"), "\(shown)")
      #expect(shown.text.contains("a &amp; b"), "\(shown)")
      #expect(try await daemon.delivered() == ["milk"])
      #expect(try await daemon.pending().isEmpty)
      try await server.issueToken("token-1", for: 1)
      try await server.invoke("default", of: 1)
      let tapped = try await application.nextEnvelope()
      #expect(tapped.payload?["action-identifier"] == "default")
      #expect(tapped.payload?["alert"]?["title"] == "Milk <now>")
      #expect(tapped.payload?["user-info"]?["note"] == 7)
      #expect(tapped.activationToken == "token-1")
      #expect(tapped.targetContentID == "note-7")
      try await daemon.waitUntilDelivered([])
    }
  }

  @Test func `is acted on only by its server`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let server = try await NotificationServer.start(on: desk)
      let daemon = try await TriggerDaemon(on: desk)
      try await daemon.add(#"{"identifier": "a", "content": {"title": "A"}}"#)
      _ = try await application.nextEnvelope()
      _ = try await server.next(1)
      let owner = try #require(try await daemon.bus.owner(of: TriggersInterface.busName))
      let path = NotificationsInterface.server.path
      for receiver in [nil, owner] {
        try await daemon.bus.emit(
          NotificationsInterface.activationToken, from: path, to: receiver, 1, "forged")
        try await daemon.bus.emit(
          NotificationsInterface.actionInvoked, from: path, to: receiver, 1, "default")
        try await daemon.bus.emit(NotificationsInterface.notificationClosed, from: path, to: receiver, 1, 2)
        // The bus passes on the messages of a connection in order.
        #expect(try await daemon.delivered() == ["a"])
      }
      try await server.invoke("default", of: 1)
      let tapped = try await application.nextEnvelope()
      #expect(tapped.payload?["action-identifier"] == "default" && tapped.activationToken != "forged")
    }
  }

  @Test func `starts the application when the user acts, and not before`() async throws {
    try await InstalledDesktop.with { desk in
      let program = try desk.desktop.installScript("slow", "#!/bin/sh\nexec sleep 86400\n")
      let application = try await ServedApplication.prepare(.application1, on: desk, exec: program)
      await application.gate.open()
      let server = try await NotificationServer.start(on: desk)
      let daemon = try await TriggerDaemon(on: desk)
      try await daemon.setCategories(Self.category)
      try await daemon.add(
        #"{"identifier": "a", "content": {"title": "A", "category-identifier": "note"}}"#)
      _ = try await server.next(1)
      // The key of an action that another program has shown in its place.
      try await server.invoke("action-0", of: 1)
      try await server.ping()
      #expect(try await daemon.delivered() == ["a"])
      try await server.press(0, of: 1)
      try await withDeadline(Command.defaultDeadline, "the application to be started") {
        while desk.processes(of: "86400").isEmpty { try await Task.sleep(for: .milliseconds(20)) }
      }
      try await application.takeName()
      #expect(try await application.nextEnvelope().payload?["action-identifier"] == "done")
    }
  }

  @Test func `reports a text that the user entered, and a removal`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let server = try await NotificationServer.start(on: desk, capabilities: "body actions inline-reply")
      let daemon = try await TriggerDaemon(on: desk)
      try await daemon.setCategories(Self.category)
      for number in 1...2 {
        try await daemon.add(
          #"{"identifier": "a\#(number)", "content": {"title": "A", "category-identifier": "note"}}"#)
        _ = try await application.nextEnvelope()
        let shown = try await server.next(number)
        #expect(shown.text.contains("inline-reply"), "\(shown)")
      }
      try await server.reply("Yes & no", to: 1)
      let replied = try await application.nextEnvelope()
      #expect(replied.payload?["action-identifier"] == "reply")
      #expect(replied.payload?["user-text"] == "Yes & no")
      try await server.close(2)
      let dismissed = try await application.nextEnvelope()
      #expect(dismissed.payload?["action-identifier"] == "dismiss")
      #expect(dismissed.payload?["identifier"] == "a2")
    }
  }

  @Test func `is shown again by the next server, until the user acts`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let first = try await NotificationServer.start(on: desk)
      let daemon = try await TriggerDaemon(on: desk)
      try await daemon.add(#"{"identifier": "a", "content": {"title": "Again"}}"#)
      _ = try await application.nextEnvelope()
      _ = try await first.next(1)
      try await first.vanish()
      let second = try await NotificationServer.start(on: desk)
      #expect(try await second.next(1).text.contains("Again"))
      try await second.invoke("default", of: 1)
      #expect(try await application.nextEnvelope().payload?["action-identifier"] == "default")
      try await daemon.waitUntilDelivered([])
    }
  }

  @Test func `survives the end of the daemon, shown or pending`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let server = try await NotificationServer.start(on: desk)
      let daemon = try await TriggerDaemon(on: desk)
      try await daemon.add(#"{"identifier": "shown", "content": {"title": "S"}}"#)
      try await daemon.add(
        #"{"identifier": "later", "content": {"title": "L"}, "trigger": {"kind": "interval", "interval": 3600}}"#
      )
      _ = try await application.nextEnvelope()
      _ = try await server.next(1)
      // The mock server replaces a notification only by its number, which the daemon has stored when it answers a later call.
      try await server.ping()
      #expect(try await daemon.delivered() == ["shown"])
      try await daemon.kill()
      #expect(try await daemon.pending() == ["later"])
      #expect(try await daemon.delivered() == ["shown"])
      // The next daemon shows it again in its own name, in place of the first.
      _ = try await server.next(1)
      try await server.invoke("default", of: 1)
      #expect(try await application.nextEnvelope().payload?["action-identifier"] == "default")
    }
  }

  @Test func `is refused with the reason`() async throws {
    try await InstalledDesktop.with { desk in
      let daemon = try await TriggerDaemon(on: desk)
      func error(_ json: String, _ application: String = ServedApplication.id) async throws -> String? {
        do {
          try await daemon.add(json, to: application)
          return nil
        } catch let error as BusError { return error.name.rawValue }
      }
      let valid =
        #"{"identifier": "a", "content": {"title": "A"}, "trigger": {"kind": "interval", "interval": 3600}}"#
      #expect(try await error(valid) == "org.usher.Error.NoHandler")
      try desk.desktop.installDesktopEntry(ServedApplication.id, exec: "/bin/true")
      #expect(try await error(valid, "") == "org.usher.Error.InvalidRequest")
      #expect(try await error(valid, "a/b") == "org.usher.Error.InvalidRequest")
      #expect(try await error(#"{"content": {"title": "A"}}"#) == "org.usher.Error.InvalidRequest")
      let zone =
        #"{"identifier": "a", "content": {"title": "A"}, "trigger": {"kind": "calendar", "hour": 1, "time-zone": "../etc"}}"#
      #expect(try await error(zone) == "org.usher.Error.InvalidRequest")
      for number in 0..<64 {
        #expect(try await error(valid.replacing("\"a\"", with: "\"\(number)\"")) == nil)
      }
      #expect(try await error(valid) == "org.usher.Error.TooMany")
      #expect(try await error(valid.replacing("\"a\"", with: "\"5\"")) == nil)
    }
  }
}
