// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// The broker's own prompts, on each backend of the desktop.
@Suite struct `The broker asks` {
  private static let page = "https://shop.example"

  /// Opens URLs in one request as a browser does for a page without a click.
  private static func open(
    _ urls: String..., by source: String? = nil, from origin: String = page, token: String? = nil,
    on desk: InstalledDesktop,
    timeout: Duration = Command.defaultDeadline
  ) async throws -> Result<Receipt, BusError> {
    let bus = try await desk.connect()
    var options = OpenOptions()
    options.origin = origin
    options.sourceApplication = source
    options.activationToken = token
    options.timeout = timeout
    do {
      let receipt = try await bus.call(
        BrokerInterface.open, at: BrokerInterface.broker, urls, options.entries,
        timeout: options.timeout + .seconds(60))
      await bus.close()
      return .success(try Receipt(receipt))
    } catch let error as BusError {
      await bus.close()
      return .failure(error)
    }
  }

  private static func with(_ body: @Sendable (InstalledDesktop, Target) async throws -> Void) async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      try await body(desk, target)
    }
  }

  private func message(_ result: Result<Receipt, BusError>) -> String {
    guard case .failure(let error) = result else { return "\(result)" }
    #expect(error.brokerError == .denied)
    return error.message
  }

  private func outcome(_ result: Result<Receipt, BusError>) -> Outcome? { try? result.get().outcome }

  @Test func `by a notification, and remembers the answer until it is revoked`() async throws {
    try await Self.with { desk, target in
      let server = try await NotificationServer.start(on: desk)
      async let first = Self.open("play:/song?token=secret", on: desk)
      let shown = try await server.next(1)
      #expect(shown.text.contains("A page of https://shop.example wants"), "\(shown.text)")
      #expect(shown.text.contains("to open play:/song…") && !shown.text.contains("secret"), "\(shown.text)")
      try await server.press(0, of: 1)
      #expect(outcome(try await first) == .delivered)
      let arrival = try await target.next()
      #expect(arrival.urls == ["play:/song?token=secret"])
      #expect(arrival.envelope["user-activation"]?.string == "allowed")
      // The grant allows it without a prompt, so that no user activation is reported.
      #expect(outcome(try await Self.open("play:2", on: desk)) == .delivered)
      let granted = try await target.next()
      #expect(granted.urls == ["play:2"] && granted.envelope["user-activation"] == nil)
      #expect(outcome(try await Self.open("play:3", token: "click", on: desk)) == .delivered)
      #expect(try await target.next().envelope["user-activation"]?.string == "clicked")
      let list = try await desk.usher("grants", "list")
      #expect(
        list.lines.count == 1 && list.output.contains("allowed  origin https://shop.example, scheme play"))
      #expect(try await desk.usher("grants", "revoke", "--scheme", "play").output == "1 grant revoked\n")
      async let second = Self.open("play:3", on: desk)
      _ = try await server.next(2)
      try await server.press(1, of: 2)
      #expect(message(try await second) == "the user refused it")
      let again = message(try await Self.open("play:4", on: desk))
      #expect(again.contains("you have refused such links, and your answer is stored until 20"), "\(again)")
      #expect(
        again.contains("run: usher grants revoke --origin https://shop.example --scheme play"), "\(again)")
    }
  }

  @Test func `and takes no answer to a notification that another program has shown in its place`()
    async throws
  {
    try await Self.with { desk, target in
      let server = try await NotificationServer.start(on: desk)
      for (number, key) in ["0", "default", "action-0"].enumerated() {
        // The question of a page is not repeated after its prompt was closed.
        async let opened = Self.open("play:\(number)", from: "https://shop\(number).example", on: desk)
        _ = try await server.next(number + 1)
        try await server.invoke(key, of: number + 1)
        _ = message(try await opened)
      }
      async let opened = Self.open("play:last", on: desk)
      _ = try await server.next(4)
      try await server.press(0, of: 4)
      #expect(outcome(try await opened) == .delivered)
      #expect(try await target.next().urls == ["play:last"])
    }
  }

  @Test func `one question is shown for several requests, and one at a time for each source`() async throws {
    try await Self.with { desk, _ in
      try desk.desktop.installDesktopEntry("org.example.Player2", exec: "true %u", schemes: ["play2"])
      try desk.desktop.setDefaults([
        "play": ["org.usher.Handler", TargetKind.plain.id], "play2": ["org.example.Player2"],
      ])
      let server = try await NotificationServer.start(on: desk)
      async let one = Self.open("play:1", on: desk)
      #expect(try await server.next(1).text.contains("play:1"))
      async let same = Self.open("play:2", on: desk)
      async let next = Self.open("play2:1", on: desk)
      async let elsewhere = Self.open(
        "play:1", by: "org.example.Other", from: "https://other.example", on: desk)
      // A prompt for another source is shown beside it; the next question of the first source waits.
      #expect(try await server.next(2).text.contains("other.example"))
      try await server.press(0, of: 2)
      #expect(outcome(try await elsewhere) == .delivered)
      try await server.press(0, of: 1)
      #expect(outcome(try await one) == .delivered)
      #expect(outcome(try await same) == .delivered)
      #expect(try await server.next(3).text.contains("play2:1"))
      try await server.press(1, of: 3)
      #expect(message(try await next) == "the user refused it")
    }
  }

  /// The stored consent to the first link opened it although the user had withdrawn it before the answer about the second one.
  @Test(arguments: ["allow", "revoke"])
  func `about one link, and decides the others of its request by the grants as they are after the answer`(
    command: String
  ) async throws {
    try await Self.with { desk, target in
      try desk.desktop.installDesktopEntry("org.example.Player2", exec: "true %u", schemes: ["play2"])
      try desk.desktop.setDefaults([
        "play": ["org.usher.Handler", TargetKind.plain.id], "play2": ["org.example.Player2"],
      ])
      let scope = ["--origin", Self.page, "--scheme", "play"]
      try await desk.run("usher", ["grants", "allow"] + scope).orThrow()
      let server = try await NotificationServer.start(on: desk)
      async let opened = Self.open("play:1", "play2:1", on: desk)
      #expect(try await server.next(1).text.contains("play2:1"))
      let change = command == "allow" ? ["allow", "--refuse"] : [command]
      try await desk.run("usher", ["grants"] + change + scope).orThrow()
      try await server.press(0, of: 1)
      if command == "revoke" {
        #expect(try await server.next(2).text.contains("play:1"))
        try await server.press(1, of: 2)
      }
      let deliveries = try await opened.get().deliveries
      #expect(deliveries.map(\.outcome) == [.failed, .delivered], "\(deliveries)")
      #expect(deliveries.first?.error == BrokerErrorName.denied.errorName, "\(deliveries)")
      // A click needs no consent. The link of the first request was never opened.
      #expect(outcome(try await Self.open("play:2", token: "click", on: desk)) == .delivered)
      #expect(try await target.next().urls == ["play:2"])
    }
  }

  @Test func `no longer than the caller waits; a late answer applies to the next request`() async throws {
    try await Self.with { desk, target in
      let server = try await NotificationServer.start(on: desk)
      let late = try await Self.open("play:1", on: desk, timeout: .seconds(5) * timeoutFactor)
      #expect(message(late).contains("timeout expired before the user answered"))
      #expect(message(late).contains("--timeout SECONDS"))
      _ = try await server.next(1)
      try await server.press(0, of: 1)
      try await withDeadline(Command.defaultDeadline, "the answer to be kept") {
        while try await desk.usher("grants", "list").output.isEmpty {}
      }
      let next = try await Self.open("play:2", on: desk)
      #expect(outcome(next) == .delivered, "\(next)")
      // The link of the first request was never opened.
      #expect(try await target.next().urls == ["play:2"])
    }
  }

  @Test func `not again immediately after the question was closed`() async throws {
    try await Self.with { desk, _ in
      let server = try await NotificationServer.start(on: desk)
      async let first = Self.open("play:1", on: desk)
      _ = try await server.next(1)
      try await server.close(1)
      #expect(message(try await first) == "the prompt was closed without an answer")
      #expect(message(try await Self.open("play:2", on: desk)).contains("closed this prompt"))
      #expect(try await desk.usher("grants", "list").output.isEmpty)
    }
  }

  @Test func `not by a server without buttons: the question is returned to the caller`() async throws {
    try await Self.with { desk, _ in
      let server = try await NotificationServer.start(on: desk, capabilities: "body")
      guard case .failure(let error) = try await Self.open("play:1", on: desk) else {
        Issue.record("it was opened")
        return
      }
      #expect(error.message.contains("usher grants allow --origin https://shop.example --scheme play"))
      let receipt = try Receipt(error.details)
      #expect(receipt.deliveries.first?.choices == [] && receipt.deliveries.first?.urls == ["play:1"])
      withExtendedLifetime(server) {}
    }
  }

  @Test func `not by a server that does not answer, for which it waits once`() async throws {
    try await Self.with { desk, _ in
      let server = try await desk.connect()
      let (calls, called) = AsyncStream<String>.makeStream()
      try await server.export(
        BusObject(
          NotificationsInterface.server.path,
          [
            .method(NotificationsInterface.getCapabilities) { _ async throws(BusError) in
              called.yield("GetCapabilities")
              for await _ in AsyncStream<Never>.makeStream().stream {}
              return []
            },
            .method(NotificationsInterface.getServerInformation) { _ async throws(BusError) in
              called.yield("GetServerInformation")
              return ("silent", "Usher", "1", "1.2")
            },
          ]))
      #expect(try await server.requestName(NotificationsInterface.server.name) == .owned)
      #expect(message(try await Self.open("play:1", on: desk)).contains("usher grants allow"))
      called.finish()
      #expect(await calls.reduce(into: []) { $0.append($1) } == ["GetCapabilities"])
      await server.close()
    }
  }

  @Test func `for a request that is withdrawn meanwhile, and opens nothing`() async throws {
    try await Self.with { desk, target in
      try desk.desktop.writeRoutes("rules.toml", "[route.each]\nmatch = \"play:each\"\nask = true\n")
      let server = try await NotificationServer.start(on: desk)
      let bus = try await desk.connect()
      var options = OpenOptions()
      options.requestID = "one"
      options.timeout = Command.defaultDeadline
      let call = Task { [options] in
        try await bus.call(
          BrokerInterface.open, at: BrokerInterface.broker, ["play:each"], options.entries,
          timeout: options.timeout + .seconds(60))
      }
      _ = try await server.next(1)
      try await bus.call(BrokerInterface.cancel, at: BrokerInterface.broker, "one")
      let error = await #expect(throws: BusError.self) { try await call.value }
      #expect(error?.brokerError == .cancelled, "\(String(describing: error))")
      try await server.press(0, of: 1)
      #expect(try await desk.open("play:next").status == 0)
      #expect(try await target.next().urls == ["play:next"])
      await bus.close()
    }
  }

  @Test func `again after a crash of the broker, without an effect on the caller`() async throws {
    try await Self.with { desk, target in
      try desk.desktop.writeRoutes("rules.toml", "[route.each]\nmatch = \"play:each\"\nask = true\n")
      let server = try await NotificationServer.start(on: desk)
      async let report = desk.open("play:each")
      _ = try await server.next(1)
      try await desk.killBroker()
      _ = try await server.next(2)
      try await server.press(0, of: 2)
      let received = try await report
      #expect(received.status == 0 && received.outcome == "delivered", "\(received)")
      #expect(try await target.next().urls == ["play:each"])
    }
  }

  @Test func `a flood of questions is rejected`() async throws {
    try await Self.with { desk, _ in
      try desk.desktop.writeRoutes(
        "rules.toml", "[route.each]\nmatch = \"play:each/{x}\"\nask = true\n")
      let server = try await NotificationServer.start(on: desk)
      var options = OpenOptions()
      options.origin = Self.page
      let opener = try await PipelinedOpener(desk)
      // Equal questions share one notification, and at most 100 requests wait for it.
      let same = await opener.send((1...130).map { "play:\($0)" }, options)
      _ = try await server.next(1)
      // Different questions of one program: at most eight are pending, and one of them is shown.
      var others = OpenOptions()
      others.sourceApplication = "org.example.Other"
      let each = await opener.send((1...20).map { "play:each/\($0)" }, others)
      _ = try await server.next(2)
      let errors = try await Self.errors(of: each, until: 12)
      #expect(errors.allSatisfy { $0.message.contains("too many prompts") }, "\(errors)")
      try await server.press(0, of: 1)
      var refused = 0
      for call in same {
        do { _ = try await call.value } catch let error as BusError {
          #expect(error.message.contains("too many prompts"), "\(error)")
          refused += 1
        }
      }
      #expect(refused == 30)
    }
  }

  @Test func `eight questions of a program at most, whatever names it states`() async throws {
    try await Self.with { desk, _ in
      try desk.desktop.writeRoutes(
        "rules.toml", "[route.each]\nmatch = \"play:each/{x}\"\nask = true\n")
      let server = try await NotificationServer.start(on: desk)
      let opener = try await PipelinedOpener(desk)
      var calls: [Task<[String: Variant], any Error>] = []
      for number in 1...10 {
        var options = OpenOptions()
        options.sourceApplication = "org.example.Claimed\(number)"
        calls += await opener.send(["play:each/\(number)"], options)
      }
      for number in 1...8 { _ = try await server.next(number) }
      let errors = try await Self.errors(of: calls, until: 2)
      #expect(errors.allSatisfy { $0.message.contains("too many prompts") }, "\(errors)")
    }
  }

  /// Returns the first errors of calls, up to a number.
  private static func errors(
    of calls: [Task<[String: Variant], any Error>], until count: Int
  ) async throws -> [BusError] {
    await withTaskGroup(of: BusError?.self) { group in
      for call in calls {
        group.addTask {
          do { _ = try await call.value } catch { return error as? BusError }
          return nil
        }
      }
      var errors: [BusError] = []
      for await error in group {
        if let error { errors.append(error) }
        if errors.count == count { break }
      }
      for call in calls { call.cancel() }
      return errors
    }
  }

  @Test func `by the portal's chooser first, which learns nothing of the URL`() async throws {
    try await Self.with { desk, target in
      try desk.desktop.installDesktopEntry("org.example.Other", exec: "true %u", schemes: ["play"])
      try PortalBackend.install(for: PortalBackend.chooser, on: desk.desktop)
      try desk.desktop.writeRoutes(
        "rules.toml",
        """
        [route.which]
        match = "play:/{x...}?t={t?}"
        ask = ["org.example.Other", "\(TargetKind.plain.id)"]
        remember = "scheme"
        """)
      let server = try await NotificationServer.start(on: desk)
      let place = ["org.freedesktop.impl.portal.desktop.mock", "/org/freedesktop/portal/desktop"]
      let backend = try await RunningProgram.start(
        "/usr/bin/python3",
        ["-u", "-m", "dbusmock", "--session"] + place + ["org.freedesktop.impl.portal.AppChooser"],
        environment: desk.desktop.environment)
      try await desk.waitForOwner(of: "org.freedesktop.impl.portal.desktop.mock")
      try await desk.call(
        place + ["org.freedesktop.DBus.Mock"], "AddMethod", "sssss", "", "ChooseApplication", "ossasa{sv}",
        "ua{sv}", "ret = (0, {'choice': dbus.String('\(TargetKind.plain.id)', variant_level=1)})"
      ).orThrow()
      let report = try await desk.open("play:/secret?t=secret")
      #expect(report.status == 0, "\(report)")
      #expect(try await target.next().urls == ["play:/secret?t=secret"])
      let call = try await backend.line { $0.contains(" ChooseApplication ") }
      #expect(call.contains("org.example.Other") && !call.contains("secret"), "\(call)")
      let grants = try await desk.usher("grants", "--json")
      #expect(grants.output.contains("\"answer\":\"\(TargetKind.plain.id)\""), "\(grants)")
      withExtendedLifetime(server) {}
    }
  }

  /// The dialog stayed, and the next question of the source waited behind it.
  @Test func `by the portal's chooser, which is closed with its last request`() async throws {
    try await Self.with { desk, _ in
      try desk.desktop.installDesktopEntry("org.example.Other", exec: "true %u", schemes: ["play"])
      try PortalBackend.install(for: PortalBackend.chooser, on: desk.desktop)
      try desk.desktop.writeRoutes(
        "rules.toml",
        "[route.which]\nmatch = \"play:{x}\"\nask = [\"org.example.Other\", \"\(TargetKind.plain.id)\"]\n")
      let (events, happened) = AsyncStream<String>.makeStream()
      let backend = try await desk.connect()
      let ask = BusMethod<
        Arguments<ObjectPath, String, String, [String], [String: Variant]>,
        Arguments<UInt32, [String: Variant]>
      >(
        "ChooseApplication", of: "org.freedesktop.impl.portal.AppChooser",
        takes: ["handle", "app_id", "parent_window", "choices", "options"], returns: ["response", "results"])
      let close = BusMethod<Arguments<>, Arguments<>>("Close", of: "org.freedesktop.impl.portal.Request")
      try await backend.export(
        BusObject(
          "/org/freedesktop/portal/desktop",
          [
            .method(ask) { _, handle, _, _, _, _ async throws(BusError) in
              try await backend.export(
                BusObject(handle, [.method(close) { _ async throws(BusError) in happened.yield("closed") }]))
              happened.yield("shown")
              for await _ in AsyncStream<Never>.makeStream().stream {}
              return (2, [:])
            }
          ]))
      #expect(try await backend.requestName("org.freedesktop.impl.portal.desktop.mock") == .owned)
      let bus = try await desk.connect()
      for id in ["one", "two"] {
        var options = OpenOptions()
        options.requestID = id
        options.sourceApplication = "org.example.Chat"
        options.timeout = Command.defaultDeadline
        let call = Task { [options] in
          try await bus.call(
            BrokerInterface.open, at: BrokerInterface.broker, ["play:\(id)"], options.entries,
            timeout: options.timeout + .seconds(60))
        }
        #expect(try await Self.first(of: events) == "shown")
        try await bus.call(BrokerInterface.cancel, at: BrokerInterface.broker, id)
        #expect(try await Self.first(of: events) == "closed")
        await #expect(throws: BusError.self) { try await call.value }
      }
      await bus.close()
      await backend.close()
    }
  }

  private static func first(of events: AsyncStream<String>) async throws -> String? {
    try await withDeadline(Command.defaultDeadline, "an event of the chooser") {
      await events.first { _ in true }
    }
  }

  @Test func `by zenity if there is no other backend, with escaped markup and options`()
    async throws
  {
    try await Self.with { desk, _ in
      let log = "\(desk.desktop.root)/zenity.log"
      try desk.desktop.installScript(
        "zenity", "#!/bin/sh\nprintf '%s\\n' \"$@\" >>'\(log)'\nexit $ZENITY_OK\n")
      #expect(outcome(try await Self.open("play:--<b>x</b>", on: desk)) == .delivered)
      let arguments = try await desk.run("cat", [log]).lines
      #expect(arguments.first == "--question" && arguments.contains("--no-markup"))
      #expect(arguments.contains { $0.hasSuffix("play:--%3Cb%3Ex%3C/b%3E") }, "\(arguments)")
    }
  }

  @Test func `and the answer at the terminal is stored in the scope of the route`() async throws {
    try await Self.with { desk, target in
      try desk.desktop.writeRoutes(
        "rules.toml",
        """
        [route.whether]
        match = "play:{x}"
        ask = true
        remember = "scheme+route"
        """)
      let bus = try await desk.connect()
      var options = OpenOptions()
      options.answer = "yes"
      _ = try await bus.call(
        BrokerInterface.open, at: BrokerInterface.broker, ["play:1"], options.entries,
        timeout: options.timeout + .seconds(60))
      // Each link starts a program of its own, and the later one may be faster.
      #expect(try await target.next().urls == ["play:1"])
      #expect(try await desk.open("play:2").status == 0)
      #expect(
        try await desk.usher("grants", "list").output.contains(
          "allowed  scheme play, route user/whether (user)"))
      await bus.close()
    }
  }

  @Test func `and a choice that is cancelled is not stored, and tells when it can be made`() async throws {
    try await Self.with { desk, _ in
      try desk.desktop.installDesktopEntry("org.example.Other", exec: "true %u", schemes: ["play"])
      try desk.desktop.writeRoutes(
        "rules.toml",
        """
        [route.which]
        match = "play:{x}"
        ask = ["org.example.Other", "\(TargetKind.plain.id)"]
        remember = "scheme"
        """)
      let server = try await NotificationServer.start(on: desk)
      async let first = Self.open("play:1", from: "null", token: "click", on: desk)
      _ = try await server.next(1)
      try await server.press(2, of: 1)
      #expect(message(try await first) == "the prompt was closed without an answer")
      #expect(try await desk.usher("grants", "list").output.isEmpty)
      let again = message(try await Self.open("play:1", from: "null", token: "again", on: desk))
      #expect(again.contains("Usher asks again in ") && again.contains("second"), "\(again)")
    }
  }

  @Test func `a user's file and grants cannot override a final deny`() async throws {
    try await Self.with { desk, _ in
      try desk.desktop.write(
        "format = 1\nowner = \"corp\"\n[route.no-play]\nmatch = \"play:{x...}\"\ndeny = \"not here\"\nfinal = true\n",
        to: "etc/usher/routes/corp.toml")
      try desk.desktop.writeRoutes(
        "rules.toml",
        """
        [route.no-play]
        match = ["play:{x...}", "play:1"]
        allow = true
        [route.detour]
        match = "detour:{x}"
        rewrite = "play:{x}"
        """)
      // A user's file with an equal owner and route name.
      try desk.desktop.write(
        "format = 1\nowner = \"corp\"\n[route.no-play]\nmatch = \"play:{x...}\"\nallow = true\n",
        to: "home/.config/usher/routes/corp.toml")
      let granted = try await desk.usher(
        "grants", "allow", "--source", "org.example.Chat", "--scheme", "play", "--forever"
      ).orThrow()
      #expect(
        granted.errorOutput.contains(
          "deny links of this kind, and grants do not override them: corp/no-play"),
        "\(granted)")
      for arguments in [["play:1"], ["--app", TargetKind.plain.id, "play:1"], ["detour:1"]] {
        let report = try OpenReport(try await desk.run("usher", ["open", "--json"] + arguments))
        #expect(
          report.status == 3
            && report.message == "the administrator's final route “no-play” denies the link: not here",
          "\(report)")
      }
    }
  }

  @Test func `a rewrite to a forbidden scheme cannot be opened`() async throws {
    try await Self.with { desk, _ in
      try desk.desktop.installDesktopEntry("org.example.Web", exec: "true %u", schemes: ["javascript"])
      try desk.desktop.setDefaults(["javascript": ["org.example.Web"]])
      try desk.desktop.writeRoutes(
        "rules.toml", "[route.sly]\nmatch = \"sly:{x}\"\nrewrite = \"javascript:{x}\"\n")
      for url in ["sly:alert", "javascript:alert"] {
        let report = try await desk.open(url)
        #expect(report.status == 3 && report.message.contains("never opened"), "\(report)")
      }
    }
  }
}
