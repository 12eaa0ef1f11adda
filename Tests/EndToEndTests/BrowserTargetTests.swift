// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// Recording programs in place of browsers, with the lists of profiles that browsers write.
@Suite struct `A link in the profile of a browser` {
  private struct Browsers {
    let firefox: Recorder
    let chromium: Recorder
  }

  private static func with(
    _ routes: String = "", _ body: @Sendable (InstalledDesktop, Browsers) async throws -> Void
  ) async throws {
    try await InstalledDesktop.with { desk in
      let browsers = try install(on: desk)
      if !routes.isEmpty { try desk.desktop.writeRoutes("rules.toml", routes) }
      try await body(desk, browsers)
    }
  }

  private static func install(on desk: InstalledDesktop) throws -> Browsers {
    let browsers = Browsers(
      firefox: try Recorder("firefox-esr", in: desk.desktop),
      chromium: try Recorder("chromium", in: desk.desktop))
    try desk.desktop.installDesktopEntry(
      "firefox-esr", exec: "\(browsers.firefox.path) %u", schemes: ["http", "https"])
    try desk.desktop.installDesktopEntry(
      "chromium", exec: "\(browsers.chromium.path) %U", schemes: ["http", "https"])
    try desk.desktop.setDefaults([
      "http": ["org.usher.Handler", "firefox-esr"], "https": ["org.usher.Handler", "firefox-esr"],
    ])
    try writeProfiles(["default-esr", "Work"], on: desk)
    try desk.desktop.write(
      """
      {"profile": {"info_cache": {"Default": {"name": "Anna"}, "Profile 1": {"name": "$(reboot) \\"Two\\" %u"}},
        "last_used": "Default"}}
      """, to: "home/.config/chromium/Local State")
    return browsers
  }

  private static func writeProfiles(_ names: [String], on desk: InstalledDesktop) throws {
    let groups = names.enumerated().map { number, name in
      "[Profile\(number)]\nName=\(name)\nIsRelative=1\nPath=p\(number)\(number == 0 ? "\nDefault=1" : "")\n"
    }
    try desk.desktop.write(groups.joined(separator: "\n"), to: "home/.mozilla/firefox/profiles.ini")
  }

  private static let routes = """
    [route.work]
    match = "https://work.example/{r...?}"
    open  = { browser = "firefox", profile = "Work" }
    [route.secret]
    match = "https://secret.example/{r...?}"
    open  = { browser = "firefox", private = true }
    [route.other]
    match = "https://other.example/{r...?}"
    open  = { browser = "chromium", profile = '$(reboot) "Two" %u', new-window = true }
    [route.gone]
    match = "https://gone.example/{r...?}"
    open  = { browser = "firefox", profile = "Gone" }
    """

  @Test func `reaches the browser with the arguments of the profile`() async throws {
    try await Self.with(Self.routes) { desk, browsers in
      for (link, id, recorder, arguments) in [
        ("https://work.example/a?q=1", "firefox-esr@Work", browsers.firefox, ["-P", "Work"]),
        ("https://secret.example/", "firefox-esr@?private", browsers.firefox, ["--private-window"]),
        (
          "https://other.example/", "chromium@Profile%201?new-window", browsers.chromium,
          ["--profile-directory=Profile 1", "--new-window"]
        ),
        ("https://plain.example/", "firefox-esr", browsers.firefox, []),
      ] {
        // Also by an ID in place of a route, as a stored answer has it.
        for words in [[link], ["--app", id, link]] {
          let report = try await desk.run("usher", ["open", "--json", "--wait", "handled"] + words)
          let opened = try OpenReport(report)
          #expect(opened.status == 0 && opened.outcome == "handled", "\(report)")
          #expect(opened.first?["application"]?.string == id, "\(report)")
          let start = try await recorder.nextStart()
          #expect(start.arguments == arguments + [link])
        }
      }
      let history = try await desk.usher("history", "--json")
      #expect(history.output.contains("firefox-esr@Work"), "\(history)")
    }
  }

  @Test func `is rejected with the existing names, until the user creates the profile`() async throws {
    try await Self.with(Self.routes) { desk, browsers in
      let report = try await desk.open("https://gone.example/")
      #expect(report.status == 2 && report.error == "NoHandler", "\(report)")
      #expect(
        report.message.contains("its profiles are default-esr, Work; run: usher web browsers"), "\(report)")
      let check = try await desk.usher(
        "routes", "check", "--strict", "\(desk.desktop.configHome)/usher/routes/rules.toml")
      #expect(
        check.status != 0 && check.errorOutput.contains("the profile “Gone” cannot be used")
          || check.output.contains("the profile “Gone” cannot be used"), "\(check)")
      try Self.writeProfiles(["default-esr", "Work", "Gone"], on: desk)
      #expect(try await desk.open("https://gone.example/").status == 0)
      #expect(try await browsers.firefox.nextStart().arguments == ["-P", "Gone", "https://gone.example/"])
    }
  }

  @Test func `is explained by the broker, and by the command without it`() async throws {
    try await Self.with(Self.routes) { desk, _ in
      for variables in [[:], ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"]] {
        let result = try await desk.run(
          "usher", ["explain", "--json", "https://work.example/"], adding: variables)
        let explained = try PropertyList(json: result.output)
        #expect(explained["application"] == "firefox-esr@Work", "\(result)")
        #expect(result.output.contains("opens it with firefox, profile “Work”"), "\(result)")
      }
    }
  }

  @Test func `is opened by the command where there is no bus`() async throws {
    try await Self.with(Self.routes) { desk, browsers in
      try await desk.run(
        "usher", ["open", "https://work.example/"],
        adding: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"]
      ).orThrow()
      #expect(try await browsers.firefox.nextStart().arguments == ["-P", "Work", "https://work.example/"])
    }
  }

  @Test func `is chosen in a prompt that lists browsers with profiles, and is remembered`() async throws {
    let routes = """
      [route.choose]
      match    = "https://{host...}/{r...?}"
      ask      = "browsers"
      remember = "host"
      """
    try await Self.with(routes) { desk, browsers in
      let server = try await NotificationServer.start(on: desk)
      async let first = desk.open("https://a.example/1")
      let shown = try await server.next(1)
      for title in ["\"firefox-esr – Work\"", "\"chromium – Anna\"", "(chromium@Profile%201)"] {
        #expect(shown.text.contains(title), "\(shown.text)")
      }
      try await server.issueToken("fresh", for: 1)
      try await server.press(1, of: 1)
      let report = try await first
      #expect(report.status == 0 && report.first?["application"]?.string == "firefox-esr@Work", "\(report)")
      let start = try await browsers.firefox.nextStart()
      #expect(start.arguments == ["-P", "Work", "https://a.example/1"])
      #expect(start.environment["XDG_ACTIVATION_TOKEN"] == "fresh")
      // The answer is remembered for the host, and in the next broker.
      try await desk.killBroker()
      #expect(try await desk.open("https://a.example/2").status == 0)
      #expect(try await browsers.firefox.nextStart().arguments == ["-P", "Work", "https://a.example/2"])
      let list = try await desk.usher("grants", "list")
      #expect(list.output.contains("firefox-esr@Work"), "\(list)")
      // An answer can be stored in advance, for a choice that the route offers.
      try await desk.usher(
        "grants", "allow", "--route", "choose", "--host", "b.example", "--app", "chromium@Profile%201"
      ).orThrow()
      #expect(try await desk.open("https://b.example/").status == 0)
      #expect(
        try await browsers.chromium.nextStart().arguments
          == ["--profile-directory=Profile 1", "https://b.example/"])
      let wrong = try await desk.usher(
        "grants", "allow", "--route", "choose", "--host", "c.example", "--app", "firefox-esr@Nope")
      #expect(wrong.status != 0 && wrong.errorOutput.contains("does not offer firefox-esr@Nope"), "\(wrong)")
    }
  }

  /// Kills the broker at each point at which it stores, sends or answers.
  @Test func `survives the broker, and is not opened in another profile`() async throws {
    try await Self.with(Self.routes) { desk, browsers in
      var links: [String] = []
      var isCertain: [Bool] = []
      var wasKilled = true
      while wasKilled {
        let link = "https://work.example/\(links.count + 1)"
        try #require(links.count < 30)
        try await desk.killBroker(ifAny: true)
        let broker = try await desk.startBroker(adding: ["USHER_TEST_KILL_AT": "\(links.count + 1)"])
        let report = try await desk.open(link)
        wasKilled = desk.isGone(broker)
        links.append(link)
        isCertain.append(report.status == 0)
        try await desk.usher("open", "--wait", "handled", "https://work.example/last").orThrow()
      }
      var opened: [String] = []
      let certain = Set(zip(links, isCertain).filter(\.1).map(\.0))
      var last = 0
      while last < links.count || !certain.isSubset(of: opened) {
        let start = try await browsers.firefox.nextStart()
        #expect(
          start.arguments.prefix(2) == ["-P", "Work"] && start.arguments.count == 3, "\(start.arguments)")
        let link = start.arguments.last ?? ""
        if link.hasSuffix("last") { last += 1 } else { opened.append(link) }
      }
      #expect(Set(opened).count == opened.count, "\(opened)")
      #expect(links.count > 4)
    }
  }

  @Test func `belongs to the browser in a redirect loop`() async throws {
    try await Self.with(Self.routes) { desk, browsers in
      let broker = try await desk.startBroker(adding: ["USHER_TEST_LIMITS": "loops=3600"])
      #expect(try await desk.open("https://work.example/loop").status == 0)
      _ = try await browsers.firefox.nextStart()
      let back = try await desk.open(
        "--source-application", "firefox-esr", "--app", "firefox-esr", "https://work.example/loop")
      #expect(back.status == 7 && back.error == "Loop", "\(back)")
      _ = try await broker.stop()
    }
  }
}
