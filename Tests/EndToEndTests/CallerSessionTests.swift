// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// The display, the locale and the activation token of a caller, in the programs that are started for its request.
@Suite struct `The session of a program` {
  /// The environment of a broker at a seat.
  private static let seat = [
    "DISPLAY": ":1", "WAYLAND_DISPLAY": "wayland-1", "XAUTHORITY": "/seat", "XDG_SESSION_ID": "1",
    "XDG_CURRENT_DESKTOP": "GNOME", "LC_TIME": "en_DK.UTF-8",
  ]
  /// The environment of a caller that is logged in by ssh, with variables that must not travel.
  private static let caller = [
    "DISPLAY": "localhost:10.0", "XDG_SESSION_ID": "7", "LANG": "de_DE.UTF-8", "LD_LIBRARY_PATH": "/evil",
    "APPDIR": "/app", "GDK_BACKEND": "x11",
  ]

  /// Runs `body` on a desk with a broker at the seat and a recording program for `play:`.
  private static func with(
    entry lines: [String] = [], seat: [String: String] = seat,
    _ body: @Sendable (InstalledDesktop, Recorder) async throws -> Void
  ) async throws {
    try await InstalledDesktop.with { desk in
      let player = try Recorder("player", in: desk.desktop)
      try desk.desktop.installDesktopEntry(
        "org.example.Player", exec: "\(player.path) %u", schemes: ["play"], lines: lines)
      try desk.desktop.setDefaults(["play": ["org.usher.Handler", "org.example.Player"]])
      let broker = try await desk.startBroker(adding: seat)
      try await body(desk, player)
      _ = try await broker.stop()
    }
  }

  private func check(_ start: RecordedStart) {
    let environment = start.environment
    #expect(environment["DISPLAY"] == "localhost:10.0" && environment["XDG_SESSION_ID"] == "7")
    #expect(environment["LANG"] == "de_DE.UTF-8")
    for name in [
      "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_CURRENT_DESKTOP", "LC_TIME", "LD_LIBRARY_PATH", "APPDIR",
    ] {
      #expect(environment[name] == nil, "\(name)")
    }
  }

  @Test func `is that of the caller, over the socket and the bus`() async throws {
    try await Self.with { desk, player in
      for words in [["play:1"], ["--timeout=20", "play:2"], ["--from-desktop", "play:3"]] {
        try await desk.run("usher", ["open"] + words, adding: Self.caller).orThrow()
        check(try await player.nextStart())
      }
      try desk.desktop.writeRoutes(
        "rules.toml", "[route.run]\nmatch = \"run:{x...}\"\nexec = [\"\(player.path)\", \"run:{x}\"]\n")
      try await desk.run("usher", ["open", "run:1"], adding: Self.caller).orThrow()
      check(try await player.nextStart())
    }
  }

  @Test func `is that of the calling process if the caller sends none`() async throws {
    try await Self.with { desk, player in
      let call = ["--user", "call"] + InstalledDesktop.handler + ["Open", "asa{sv}", "1", "play:1", "0"]
      try await desk.run("busctl", call, adding: Self.caller).orThrow()
      check(try await player.nextStart())
    }
  }

  @Test func `is that of the broker for a caller without a display`() async throws {
    try await Self.with { desk, player in
      try await desk.run(
        "usher", ["open", "play:1"],
        adding: ["DISPLAY": "", "XDG_SESSION_TYPE": "tty", "LANG": "fr_FR.UTF-8"]
      ).orThrow()
      let environment = try await player.nextStart().environment
      #expect(environment["DISPLAY"] == ":1" && environment["XAUTHORITY"] == "/seat")
      #expect(environment["XDG_SESSION_TYPE"] == nil && environment["LANG"] == "fr_FR.UTF-8")
    }
  }

  /// sshd closes a forwarded display with the command of the login, before the program has connected to it.
  @Test func `is awaited by the only command of a remote login`() async throws {
    try await InstalledDesktop.with { desk in
      for status in [0, 7] {
        let program = try desk.desktop.installScript("player\(status)", "#!/bin/sh\nexit \(status)\n")
        try desk.desktop.installDesktopEntry(
          "org.example.Player\(status)", exec: "\(program) %u", schemes: ["play\(status)"])
      }
      try await desk.desktop.updateDesktopDatabase()
      let broker = try await desk.startBroker()
      let login = ["SSH_CONNECTION": "::1 50000 ::1 22", "DISPLAY": "localhost:10.0"]
      // The status of a program that failed proves that the command has waited for it.
      let cases: [([String], [String: String], Int32)] = [
        (["play7:x"], login, 6), (["play0:x"], login, 0), (["--wait=delivered", "play7:x"], login, 0),
        (["--from-desktop", "play7:x"], login, 0),
        (["play7:x"], login.merging(["SSH_TTY": "/dev/pts/1"]) { $1 }, 0),
        (["play7:x"], login.merging(["DISPLAY": ":1"]) { $1 }, 0),
      ]
      for (words, variables, status) in cases {
        let ended = try await desk.run("usher", ["open"] + words, adding: variables)
        #expect(ended.status == status, "\(words) \(variables): \(ended)")
      }
      _ = try await broker.stop()
    }
  }

  @Test func `has the lists of default applications of its desktop`() async throws {
    try await Self.with { desk, player in
      let other = try Recorder("other", in: desk.desktop)
      try desk.desktop.installDesktopEntry("org.example.Other", exec: "\(other.path) %u", schemes: ["play"])
      try desk.desktop.installMimeApps(
        "[Default Applications]\nx-scheme-handler/play=org.usher.Handler.desktop;org.example.Other.desktop;\n",
        desktop: "xfce")
      let xfce = ["DISPLAY": ":44", "XDG_CURRENT_DESKTOP": "XFCE"]
      for words in [["play:1"], ["--timeout=20", "play:2"], ["--from-desktop", "play:3"]] {
        try await desk.run("usher", ["open"] + words, adding: xfce).orThrow()
        #expect(try await other.nextStart().arguments == [words.last])
        // The broker's desktop, of which the caller's display is a part.
        try await desk.run("usher", ["open"] + words, adding: ["DISPLAY": ":1"]).orThrow()
        #expect(try await player.nextStart().arguments == [words.last])
      }
      let explained = try await desk.run("usher", ["explain", "play:4"], adding: xfce).orThrow().output
      #expect(explained.contains("org.example.Other"), "\(explained)")
    }
  }

  @Test func `is kept with a request that waits for the next broker`() async throws {
    try await InstalledDesktop.with { desk in
      let player = try Recorder("player", in: desk.desktop)
      try desk.desktop.installDesktopEntry(
        "org.example.Player", exec: "\(player.path) %u", schemes: ["play"])
      try desk.desktop.setDefaults(["play": ["org.usher.Handler", "org.example.Player"]])
      // The second point at which the broker may be killed is the one after the request was stored.
      let broker = try await desk.startBroker(adding: ["USHER_TEST_KILL_AT": "2"])
      let call = try await desk.call(
        InstalledDesktop.broker, "Open", "asa{sv}", "1", "play:1", "2", "wait", "s", "accepted", "session",
        "a{sv}", "2", "DISPLAY", "s", ":55", "PATH", "s", "/evil")
      #expect(!call.succeeded)
      try await desk.waitForEnd(of: broker.pid)
      let next = try await desk.startBroker(adding: Self.seat)
      let environment = try await player.nextStart().environment
      #expect(environment["DISPLAY"] == ":55" && environment["XAUTHORITY"] == nil)
      #expect(environment["PATH"] == desk.desktop.environment["PATH"])
      _ = try await next.stop()
    }
  }

  @Test func `is that of the caller for an application that the bus would start on another display`()
    async throws
  {
    try await Self.with(entry: ["DBusActivatable=true"]) { desk, player in
      try desk.desktop.installActivation("org.example.Player", exec: "/bin/false")
      try await desk.run("usher", ["open", "play:1"], adding: Self.caller).orThrow()
      let start = try await player.nextStart()
      #expect(start.arguments == ["play:1"])
      check(start)
      // On the same display, the bus starts it.
      let same = try await desk.run("usher", ["open", "play:2"], adding: ["DISPLAY": ":1"])
      #expect(same.status == 4, "\(same)")
    }
  }

  @Test func `has the caller's tokens, also without StartupNotify`() async throws {
    try await Self.with { desk, player in
      for words in [["play:1"], ["--timeout=20", "play:2"]] {
        try await desk.run(
          "usher", ["open"] + words, adding: ["XDG_ACTIVATION_TOKEN": "token", "DESKTOP_STARTUP_ID": "id"]
        ).orThrow()
        let environment = try await player.nextStart().environment
        #expect(environment["XDG_ACTIVATION_TOKEN"] == "token" && environment["DESKTOP_STARTUP_ID"] == "id")
      }
      try await desk.run("usher", ["open", "play:3"], adding: ["DESKTOP_STARTUP_ID": "id2"]).orThrow()
      let environment = try await player.nextStart().environment
      #expect(environment["XDG_ACTIVATION_TOKEN"] == "id2" && environment["DESKTOP_STARTUP_ID"] == "id2")
    }
  }

  /// Opens a URL as a browser does for a page without a click, which the broker asks about.
  private static func openFromPage(_ url: String, on desk: InstalledDesktop) async throws {
    let bus = try await desk.connect()
    var options = OpenOptions()
    options.origin = "https://shop.example"
    options.timeout = Command.defaultDeadline
    _ = try await bus.call(
      BrokerInterface.open, at: BrokerInterface.broker, [url], options.entries,
      timeout: options.timeout + .seconds(60))
    await bus.close()
  }

  @Test func `has the token of a prompt in between`() async throws {
    try await Self.with { desk, player in
      let server = try await NotificationServer.start(on: desk)
      async let opened: Void = Self.openFromPage("play:1", on: desk)
      _ = try await server.next(1)
      try await server.issueToken("newer", for: 1)
      try await server.press(0, of: 1)
      try await opened
      let environment = try await player.nextStart().environment
      #expect(environment["XDG_ACTIVATION_TOKEN"] == "newer" && environment["DESKTOP_STARTUP_ID"] == "newer")
    }
  }

  @Test func `has the caller's token if the prompt used none`() async throws {
    try await Self.with { desk, player in
      let server = try await NotificationServer.start(on: desk)
      try desk.desktop.writeRoutes("ask.toml", "[route.play]\nmatch = \"play:{x...}\"\nask = true\n")
      async let opened = desk.run(
        "usher", ["open", "play:1"], adding: ["XDG_ACTIVATION_TOKEN": "click", "DESKTOP_STARTUP_ID": "id"])
      _ = try await server.next(1)
      try await server.press(0, of: 1)
      try await opened.orThrow()
      let environment = try await player.nextStart().environment
      #expect(environment["XDG_ACTIVATION_TOKEN"] == "click" && environment["DESKTOP_STARTUP_ID"] == "id")
    }
  }

  @Test func `is also that of a prompt, in a window if the caller has another display`() async throws {
    try await Self.with { desk, player in
      let log = "\(desk.desktop.root)/zenity.log"
      try desk.desktop.installScript(
        "zenity",
        "#!/bin/sh\necho \"$DISPLAY $XAUTHORITY $XDG_ACTIVATION_TOKEN $DESKTOP_STARTUP_ID\" >'\(log)'\nexit $ZENITY_OK\n"
      )
      _ = try await NotificationServer.start(on: desk)
      try desk.desktop.writeRoutes("ask.toml", "[route.play]\nmatch = \"play:{x...}\"\nask = true\n")
      try await desk.run(
        "usher", ["open", "play:1"],
        adding: ["DISPLAY": ":44", "XAUTHORITY": "/ssh", "XDG_ACTIVATION_TOKEN": "click"]
      ).orThrow()
      let environment = try await player.nextStart().environment
      #expect(environment["DISPLAY"] == ":44")
      // The window has used the token.
      #expect(environment["XDG_ACTIVATION_TOKEN"] == nil && environment["DESKTOP_STARTUP_ID"] == nil)
      #expect(try await desk.run("cat", [log]).output == ":44 /ssh click click\n")
    }
  }

  @Test func `is checked by the doctor, which reports what the broker lacks`() async throws {
    try await Self.with(seat: ["DISPLAY": "", "LANG": ""]) { desk, _ in
      let result = try await desk.usher("doctor")
      let line = try #require(
        result.lines.first { $0.contains("the broker's environment has no") }, "\(result)")
      #expect(line.contains("the broker's environment has no DISPLAY; "), "\(line)")
      #expect(line.contains("dbus-update-activation-environment DISPLAY && kill $(busctl"), "\(line)")
    }
  }

  @Test func `is checked by the doctor, which notes a forwarded display`() async throws {
    try await Self.with(seat: ["DISPLAY": "", "WAYLAND_DISPLAY": ""]) { desk, _ in
      let result = try await desk.run(
        "usher", ["doctor"], adding: ["DISPLAY": "localhost:10.0", "XAUTHORITY": "/ssh"])
      #expect(result.output.contains("note: the broker has no display of its own"), "\(result)")
      #expect(!result.output.contains("the broker's environment has no"), "\(result)")
    }
  }
}
