// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// The user's permission for notifications, with real daemons; the notification server is python3-dbusmock unless a test names dunst.
@Suite struct `The permission for notifications` {
  private static func with(
    _ body: @Sendable (InstalledDesktop, IdentifiedApplication, NotificationServer) async throws -> Void
  ) async throws {
    try await InstalledDesktop.with { desk in
      let application = try IdentifiedApplication.install(on: desk)
      try await body(desk, application, try await NotificationServer.start(on: desk))
    }
  }

  private static let grants = ["grants", "list", "--permission", "notifications"]
  private static let question = "org.example.Notes asks to show notifications"

  @Test func `is asked once, and stored as a grant`() async throws {
    try await Self.with { desk, application, server in
      let early = try await application.notify("Early")
      #expect(early.errorOutput.contains("org.usher.Error.Denied"), "\(early)")
      #expect(
        early.errorOutput.contains("was not asked about notifications of org.example.Notes"), "\(early)")
      #expect(try await application.authorization() == "not-determined")
      async let granted = application.requestAuthorization()
      let shown = try await server.next(1)
      #expect(shown.text.contains(Self.question), "\(shown)")
      // The text has two lines, and the buttons follow it.
      #expect(try await server.line(with: "\"Allow\"").contains("\"Refuse\""))
      try await server.press(0, of: 1)
      #expect(try await granted)
      #expect(try await application.authorization() == "authorized")
      let listed = try await desk.run("usher", Self.grants)
      #expect(listed.output == "allowed  notifications of org.example.Notes  without expiry\n", "\(listed)")
      // The answer survives both daemons, and no second question precedes the notification.
      try await desk.killBroker()
      try await TriggerDaemon(on: desk).kill()
      #expect(try await application.requestAuthorization())
      try await application.notify("Milk").orThrow()
      #expect(try await server.next(2).text.contains("Milk"))
    }
  }

  @Test func `that the user refuses is not asked again, and the error names the command that allows it`()
    async throws
  {
    try await Self.with { desk, application, server in
      async let granted = application.requestAuthorization()
      _ = try await server.next(1)
      try await server.press(1, of: 1)
      #expect(try await !granted)
      #expect(try await !application.requestAuthorization())
      #expect(try await application.authorization() == "denied")
      let refused = try await application.notify("Milk")
      let command = ["grants", "allow", "--permission", "notifications", "org.example.Notes"]
      #expect(refused.errorOutput.contains("org.usher.Error.Denied"), "\(refused)")
      #expect(refused.errorOutput.contains("run: usher \(command.joined(separator: " "))"), "\(refused)")
      let badge = try await application.call("SetBadge", ["uint32 3"])
      #expect(badge.errorOutput.contains("org.usher.Error.Denied"), "\(badge)")
      try await application.call("SetBadge", ["uint32 0"]).orThrow()
      // The refusal applies to the user's own notifications of the application, too.
      let own = try await desk.usher("notify", "org.example.Notes", "--title", "Mine")
      #expect(own.status == 1 && own.errorOutput.contains("does not allow"), "\(own)")
      try await desk.run("usher", command).orThrow()
      try await application.notify("Bread").orThrow()
      #expect(try await server.next(2).text.contains("Bread"))
    }
  }

  @Test func `that is revoked is asked for again, and a stored notification is not shown without it`()
    async throws
  {
    try await Self.with { desk, application, server in
      try await desk.usher("grants", "allow", "--permission", "notifications", application.id).orThrow()
      try await application.notify("Theirs", after: 3_600).orThrow()
      try await desk.usher("notify", application.id, "--title", "Mine", "--identifier", "mine", "--in", "1h")
        .orThrow()
      try await application.notify("Now").orThrow()
      #expect(try await server.next(1).text.contains("Now"))
      let revoke = ["grants", "revoke", "--permission", "notifications", application.id]
      #expect(try await desk.run("usher", revoke).output == "1 grant revoked\n")
      #expect(try await application.authorization() == "not-determined")
      // The next server gets everything that is delivered. The first notification needs the permission now.
      try await server.vanish()
      let second = try await NotificationServer.start(on: desk)
      let daemon = try await TriggerDaemon(on: desk)
      try await daemon.waitUntilDelivered([], of: application.id)
      #expect(try await daemon.pending(of: application.id).sorted() == ["Theirs", "mine"])
      try await desk.usher("notify", application.id, "--title", "Mine").orThrow()
      #expect(try await second.next(1).text.contains("Mine"))
      async let granted = application.requestAuthorization()
      #expect(try await second.next(2).text.contains(Self.question))
      try await second.press(0, of: 2)
      #expect(try await granted)
    }
  }

  @Test func `cannot be given while the administrator has locked grants`() async throws {
    try await Self.with { desk, application, server in
      try await desk.usher("grants", "allow", "--permission", "notifications", application.id).orThrow()
      let file = try desk.desktop.write("format = 1\ngrants = false\n", to: "etc/usher/locks.toml")
      #expect(try await !application.requestAuthorization())
      #expect(try await application.authorization() == "denied")
      let refused = try await application.notify("Milk")
      #expect(
        refused.errorOutput.contains(
          "org.usher.Error.Denied: org.example.Notes may not show notifications, because grants are disabled by \(file)"
        ), "\(refused)")
      let allowed = try await desk.usher("grants", "allow", "--permission", "notifications", application.id)
      #expect(allowed.status == 1 && allowed.errorOutput.contains("disabled by \(file)"), "\(allowed)")
      // The user's own notification needs no permission. No question has been shown before it.
      try await desk.usher("notify", application.id, "--title", "Mine").orThrow()
      #expect(try await server.next(1).text.contains("Mine"))
    }
  }

  @Test func `is one question for simultaneous requests, which delays no other call`() async throws {
    try await Self.with { desk, application, server in
      async let first = application.requestAuthorization()
      _ = try await server.next(1)
      async let second = application.requestAuthorization()
      async let third = application.requestAuthorization()
      // The answer to a later call, which the broker has to answer too, shows that the question delays no other call.
      #expect(try await application.authorization() == "not-determined")
      try await server.press(0, of: 1)
      let answers = try await [first, second, third]
      #expect(answers == [true, true, true])
      try await application.notify("Milk").orThrow()
      #expect(try await server.next(2).text.contains("Milk"))
    }
  }

  @Test func `is neither stored nor asked again at once if the user closes the question`() async throws {
    try await Self.with { desk, application, server in
      async let granted = application.requestAuthorization()
      _ = try await server.next(1)
      try await server.close(1)
      #expect(try await !granted)
      #expect(try await !application.requestAuthorization())
      #expect(try await application.authorization() == "not-determined")
      #expect(try await desk.run("usher", Self.grants).output.isEmpty)
      try await desk.usher("notify", application.id, "--title", "Mine").orThrow()
      #expect(try await server.next(2).text.contains("Mine"))
    }
  }

  @Test func `is asked again if the broker exits meanwhile, without an effect on the application`()
    async throws
  {
    try await Self.with { desk, application, server in
      async let granted = application.requestAuthorization()
      _ = try await server.next(1)
      try await desk.killBroker()
      #expect(try await server.next(2).text.contains(Self.question))
      try await server.press(0, of: 2)
      #expect(try await granted)
    }
  }

  @Test func `is asked by zenity without a notification server, and by nothing without both`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try IdentifiedApplication.install(on: desk)
      #expect(try await !application.requestAuthorization())
      let log = "\(desk.desktop.root)/zenity.log"
      try desk.desktop.installScript(
        "zenity", "#!/bin/sh\nprintf '%s\\n' \"$@\" >>'\(log)'\nexit $ZENITY_OK\n")
      #expect(try await application.requestAuthorization())
      let arguments = try await desk.run("cat", [log]).lines
      #expect(arguments.first == "--question" && arguments.contains("--ok-label=Allow"), "\(arguments)")
      #expect(arguments.contains("--text=\(Self.question)"), "\(arguments)")
    }
  }

  @Test func `is not asked by a portal's chooser, which shows applications only`() async throws {
    try await Self.with { desk, application, server in
      try PortalBackend.install(for: PortalBackend.chooser, on: desk.desktop)
      let backend = try await RunningProgram.start(
        "/usr/bin/python3",
        [
          "-u", "-m", "dbusmock", "--session", "org.freedesktop.impl.portal.desktop.mock",
          "/org/freedesktop/portal/desktop", "org.freedesktop.impl.portal.AppChooser",
        ], environment: desk.desktop.environment)
      try await desk.waitForOwner(of: "org.freedesktop.impl.portal.desktop.mock")
      async let granted = application.requestAuthorization()
      #expect(try await server.next(1).text.contains(Self.question))
      try await server.press(0, of: 1)
      #expect(try await granted)
      withExtendedLifetime(backend) {}
    }
  }

  /// The responses of a portal's dialog: allowed, refused, and any other end, such as closing it.
  @Test(arguments: [(0, "authorized"), (1, "denied"), (2, "not-determined")])
  func `is asked in the portal's dialog for permissions first`(response: Int, state: String) async throws {
    try await Self.with { desk, application, server in
      let name = "org.freedesktop.impl.portal.desktop.mock"
      let interface = "org.freedesktop.impl.portal.Access"
      try PortalBackend.install(for: interface, on: desk.desktop)
      let place = [name, "/org/freedesktop/portal/desktop"]
      let backend = try await RunningProgram.start(
        "/usr/bin/python3", ["-u", "-m", "dbusmock", "--session"] + place + [interface],
        environment: desk.desktop.environment)
      try await desk.waitForOwner(of: try #require(BusName(name)))
      try await desk.call(
        place + ["org.freedesktop.DBus.Mock"], "AddMethod", "sssss", "", "AccessDialog", "osssssa{sv}",
        "ua{sv}", "ret = (\(response), {})"
      ).orThrow()
      #expect(try await application.requestAuthorization() == (response == 0))
      #expect(try await application.authorization() == state)
      let call = try await backend.line { $0.contains(" AccessDialog ") }
      #expect(call.contains("org.example.Notes") && call.contains(Self.question), "\(call)")
      let labels = try await backend.line { $0.contains("grant_label") }
      #expect(labels.contains("Allow") && labels.contains("Refuse"), "\(labels)")
      withExtendedLifetime(server) {}
    }
  }

  @Test func `is given with a real dunst`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try IdentifiedApplication.install(on: desk)
      // dunst shows several buttons in a menu, of which this program chooses a line.
      let menu = try desk.desktop.installScript("menu", "#!/bin/sh\ngrep -m 1 Allow\n")
      let configuration = try desk.desktop.write("[global]\ndmenu = \(menu)\n", to: "dunstrc")
      let dunst = try await Dunst.start(on: desk, configuration: configuration)
      async let granted = application.requestAuthorization()
      try await dunst.waitUntilDisplayed(1)
      try await dunst.click()
      #expect(try await granted)
      try await dunst.waitUntilDisplayed(0)
      try await application.notify("Milk").orThrow()
      try await dunst.waitUntilDisplayed(1)
    }
  }

  @Test func `is asked for by usher-triggers only`() async throws {
    try await InstalledDesktop.with { desk in
      let request = [
        "call", "--session", "--dest", "org.usher.Broker1", "--object-path", "/org/usher/Broker1", "--method",
        "org.usher.Broker1.RequestPermission", "org.example.Notes", "notifications", "{'ask': <true>}",
      ]
      // A program of that name in another directory, and Usher's own command.
      let imitation = "\(desk.desktop.home)/usher-triggers"
      try FileManager.default.copyProgram(atPath: "/usr/bin/gdbus", toPath: imitation)
      for program in [imitation, "gdbus"] {
        let refused = try await desk.run(program, request)
        #expect(
          refused.errorOutput.contains("AccessDenied: only usher-triggers may ask for permissions"),
          "\(refused)")
      }
      let bus = try await desk.connect()
      let error = await #expect(throws: BusError.self) {
        try await bus.call(
          BrokerInterface.requestPermission, at: BrokerInterface.broker, "org.example.Notes", "notifications",
          [:])
      }
      #expect(error?.name == .accessDenied)
      await bus.close()
    }
  }

  @Test func `is not asked for by a program in the place of usher-triggers in a mount namespace of its own`()
    async throws
  {
    let mayMount = try await Command.run("unshare", ["--mount", "true"]).succeeded
    guard mayMount else { try Test.cancel("nothing can be mounted here") }
    try await InstalledDesktop.with { desk in
      let refused = try await desk.run(
        "unshare",
        [
          "--mount", "sh", "-ec", #"mount --bind /usr/bin/gdbus "$0"; exec "$0" "$@""#,
          BuiltProducts.usherTriggers,
          "call", "--session", "--dest", "org.usher.Broker1", "--object-path", "/org/usher/Broker1",
          "--method",
          "org.usher.Broker1.RequestPermission", "org.example.Notes", "notifications", "{'ask': <true>}",
        ])
      #expect(refused.errorOutput.contains("AccessDenied"), "\(refused)")
    }
  }

  @Test func `and notifications of another application are refused to an identified one`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try IdentifiedApplication.install(on: desk)
      try desk.desktop.installDesktopEntry("org.example.Other", exec: "/bin/true")
      for (member, arguments) in [
        ("RequestAuthorization", ["['alert']"]), ("NotificationSettings", []),
        ("AddNotification", ["{'identifier': <'a'>, 'content': <{'title': <'a'>}>}"]),
        ("PendingNotifications", []), ("DeliveredNotifications", []),
        ("RemovePendingNotifications", ["['a']"]), ("RemoveAllPendingNotifications", []),
        ("RemoveDeliveredNotifications", ["['a']"]), ("RemoveAllDeliveredNotifications", []),
        ("SetNotificationCategories", ["@aa{sv} []"]), ("NotificationCategories", []),
        ("SetBadge", ["uint32 1"]),
      ] {
        let refused = try await application.call(member, for: "org.example.Other", arguments)
        #expect(refused.errorOutput.contains("AccessDenied"), "\(refused)")
      }
    }
  }
}
