// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// The routes of the user's own directory, applied by the real broker.
@Suite struct `A route of the user's` {
  private func with(
    _ routes: String, _ body: @Sendable (InstalledDesktop) async throws -> Void
  ) async throws {
    try await InstalledDesktop.with { desk in
      try desk.desktop.writeRoutes("rules.toml", routes)
      try await body(desk)
    }
  }

  @Test func `runs a program with captured values`() async throws {
    try await InstalledDesktop.with { desk in
      let player = try Recorder("player", in: desk.desktop)
      try desk.desktop.writeRoutes(
        "rules.toml",
        """
        [route.video]
        match = "tube:/watch?v={id}&t={t?}"
        exec  = ["\(player.path)", "--start={t=0s}", "--", "tube:/watch?v={id}"]
        """)
      for wait in ["delivered", "handled"] {
        let report = try await desk.open("--wait", wait, "tube:/watch?v=$HOME%20%3B'a")
        #expect(report.status == 0 && report.outcome == wait, "\(report)")
        #expect(report.first?["application"] == nil)
        let start = try await player.nextStart()
        #expect(start.arguments.prefix(2) == ["--start=0s", "--"])
        #expect(start.arguments.count == 3 && start.environment["USHER_ENVELOPE"] != nil)
      }
    }
  }

  @Test func `reports that its program failed or is missing`() async throws {
    try await with(
      """
      [route.fails]
      match = "x:/fails"
      exec  = ["false"]
      [route.missing]
      match = "x:/missing"
      exec  = ["no-such-program-anywhere"]
      """
    ) { desk in
      let failed = try await desk.open("--wait", "handled", "x:/fails")
      #expect(failed.status == 6 && failed.error == "TargetFailed", "\(failed)")
      let missing = try await desk.open("x:/missing")
      #expect(missing.status == 4 && missing.error == "LaunchFailed", "\(missing)")
      #expect(missing.message.contains("no-such-program-anywhere"))
    }
  }

  @Test func `rewrites the link, and the new link arrives`() async throws {
    try await with(
      """
      [route.old]
      match   = "tune:/{song}?{secret=}"
      rewrite = "play:/{song}"
      """.replacing("?{secret=}", with: "?secret={secret?}")
    ) { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      try await desk.usher("open", "tune:/a%2Fb?secret=7").orThrow()
      #expect(try await target.next().urls == ["play:/a%2Fb"])
    }
  }

  @Test func `performs an action by its own Exec line`() async throws {
    try await with(
      """
      [route.edit]
      match   = "doc:/{path...}"
      perform = { application = "org.example.Editor", action = "edit" }
      """
    ) { desk in
      let editor = try Recorder("editor", in: desk.desktop)
      try desk.desktop.installDesktopEntry(
        "org.example.Editor", exec: "\(editor.path) %u",
        lines: ["Actions=edit;", "", "[Desktop Action edit]", "Name=Edit", "Exec=\(editor.path) --edit %u"])
      try await desk.usher("open", "doc:/a/b").orThrow()
      #expect(try await editor.nextStart().arguments == ["--edit", "doc:/a/b"])
    }
  }

  @Test func `applies to the source that it names`() async throws {
    try await with(
      """
      [route.chat]
      match  = "x:/{any...}"
      source = ["org.example.*"]
      deny   = "not from there"
      [route.else]
      match = "x:/{any...}"
      exec  = ["true"]
      """
    ) { desk in
      let denied = try await desk.open("--source-application", "org.example.Chat", "x:/1")
      #expect(denied.status == 3 && denied.message.contains("not from there"), "\(denied)")
      #expect(try await desk.open("--source-application", "com.example.Chat", "x:/1").status == 0)
      #expect(try await desk.open("x:/1").status == 0)
    }
  }

  @Test func `applies while the application runs`() async throws {
    try await with(
      """
      [route.named]
      match  = "x:/named"
      open   = "org.example.Player"
      target = "running"
      [route.unnamed]
      match  = "play:/unnamed"
      deny   = "it plays"
      target = "running"
      """
    ) { desk in
      let player = try Recorder("player", in: desk.desktop)
      try desk.desktop.installDesktopEntry(
        "org.example.Player", exec: "\(player.path) %u", schemes: ["play"])
      try desk.desktop.setDefaults(["play": ["org.example.Player"]])
      #expect(try await desk.open("x:/named").error == "NoHandler")
      #expect(try await desk.open("play:/unnamed").status == 0)
      _ = try await player.nextStart()

      let bus = try await BusConnection.open(.address(desk.desktop.busAddress))
      #expect(try await bus.requestName("org.example.Player") == .owned)
      let denied = try await desk.open("play:/unnamed")
      #expect(denied.status == 3 && denied.message.contains("it plays"), "\(denied)")
      let explained = try await desk.usher("explain", "x:/named")
      #expect(explained.output.contains("org.example.Player opens it"), "\(explained)")

      await bus.close()
      #expect(try await desk.open("x:/named").error == "NoHandler")
    }
  }

  @Test func `applies while another application runs, or while it does not`() async throws {
    try await with(
      """
      [route.while]
      match   = "x:/1"
      running = ["org.example.Recorder", "org.example.Camera"]
      deny    = "it records"
      [route.otherwise]
      match   = "x:/2"
      running = { none = "org.example.Recorder" }
      deny    = "it does not record"
      [route.else]
      match = "x:/{any...}"
      exec  = ["true"]
      """
    ) { desk in
      func isDenied(_ url: String, _ reason: String) async throws -> Bool {
        let result = try await desk.open(url)
        return result.status == 3 && result.message.contains(reason)
      }
      #expect(try await desk.open("x:/1").status == 0)
      #expect(try await isDenied("x:/2", "it does not record"))
      let bus = try await BusConnection.open(.address(desk.desktop.busAddress))
      #expect(try await bus.requestName("org.example.Recorder") == .owned)
      #expect(try await isDenied("x:/1", "it records"))
      #expect(try await desk.open("x:/2").status == 0)
      let explained = try await desk.usher("explain", "x:/2")
      #expect(
        explained.output.contains("`org.example.Recorder` is running, which this route excludes"),
        "\(explained)")
      await bus.close()
      #expect(try await desk.open("x:/1").status == 0)
    }
  }

  static let asking = """
    [route.which]
    match = "ask:/which"
    ask   = ["org.example.One", "org.example.Two"]
    [route.whether]
    match = "ask:/whether"
    ask   = true
    """

  private func installBoth(on desk: InstalledDesktop) throws -> (Recorder, Recorder) {
    let (one, two) = (try Recorder("one", in: desk.desktop), try Recorder("two", in: desk.desktop))
    for (id, program) in [("One", one), ("Two", two)] {
      try desk.desktop.installDesktopEntry("org.example.\(id)", exec: "\(program.path) %u", schemes: ["ask"])
    }
    try desk.desktop.setDefaults(["ask": ["org.usher.Handler", "org.example.One"]])
    return (one, two)
  }

  @Test func `asks the user at the terminal`() async throws {
    try await with(Self.asking) { desk in
      let (one, two) = try installBoth(on: desk)
      for (answer, url, asked) in [("2", "ask:/which", two), ("y", "ask:/whether", one)] {
        let result = try await desk.terminal("usher open \(url)", answer: answer)
        #expect(result.succeeded, "\(result)")
        #expect(
          result.output.contains(
            answer == "y"
              ? "An unknown program wants org.example.One to open \(url)"
              : "Open \(url) with which application?")
            && result.output.contains("Your answer applies only to this link."), "\(result)")
        #expect(try await asked.nextStart().arguments == [url])
      }
      let left = try await desk.terminal("usher open ask:/whether", answer: "n")
      #expect(left.status == 3, "\(left)")
    }
  }

  @Test func `asks the user at the terminal about the link and about its fallback`() async throws {
    try await with(Self.askingTwice) { desk in
      let (one, _) = try installBoth(on: desk)
      try installBroken(on: desk)
      let opened = try await desk.terminal("usher open --fallback ask:/instead broken:1", answer: "y\ny")
      #expect(opened.succeeded, "\(opened)")
      #expect(try await one.nextStart().arguments == ["ask:/instead"])
      // A fallback that is refused is not tried again.
      try await desk.usher("grants", "revoke", "--scheme", "ask").orThrow()
      let refused = try await desk.terminal("usher open --fallback ask:/instead broken:1", answer: "y\nn")
      #expect(refused.status == 3, "\(refused)")
    }
  }

  @Test(arguments: ["", " --timeout 600"])
  func `says at the terminal that the user is asked in another window`(arguments: String) async throws {
    try await with(Self.asking) { desk in
      let (one, _) = try installBoth(on: desk)
      let server = try await NotificationServer.start(on: desk)
      async let opened = desk.terminal("usher open\(arguments) ask:/whether", answer: "")
      _ = try await server.next(1)
      try await server.press(0, of: 1)
      let words = "usher: waiting for your choice in another window"
      let output = try await opened
      #expect(output.succeeded && output.output.ranges(of: words).count == 1, "\(output)")
      #expect(try await one.nextStart().arguments == ["ask:/whether"])
    }
  }

  @Test func `asks the user at the terminal again about a rewritten link`() async throws {
    try await with(Self.asking + "\n[route.go]\nmatch = \"ask:/first\"\nrewrite = \"ask:/whether\"\n") {
      desk in
      let (one, _) = try installBoth(on: desk)
      try desk.desktop.write(
        "format = 1\nowner = \"corp\"\n[route.first]\nmatch = \"ask:/first\"\nask = true\nfinal = true\n",
        to: "etc/usher/routes/corp.toml")
      let opened = try await desk.terminal("usher open ask:/first", answer: "y\ny")
      #expect(opened.succeeded && opened.output.contains("ask:/whether"), "\(opened)")
      #expect(try await one.nextStart().arguments == ["ask:/whether"])
      // The final route asks for permission first, and the user's route then for the application.
      try desk.desktop.write(
        "format = 1\nowner = \"corp\"\n[route.all]\nmatch = \"ask:/which\"\nask = true\nfinal = true\n",
        to: "etc/usher/routes/which.toml")
      #expect(try await desk.terminal("usher open ask:/which", answer: "y\n1").succeeded)
      #expect(try await one.nextStart().arguments == ["ask:/which"])
      let left = try await desk.terminal("usher open ask:/first", answer: "y\nn")
      #expect(left.status == 3, "\(left)")
    }
  }

  @Test func `is rejected with the reason if the user cannot be asked`() async throws {
    try await with(Self.asking) { desk in
      let (_, two) = try installBoth(on: desk)
      let report = try await desk.open("ask:/which")
      #expect(report.status == 3 && report.error == "Denied", "\(report)")
      #expect(report.message.contains("org.example.One") && report.message.contains("terminal"))
      #expect(report.first?["choices"] == ["org.example.One", "org.example.Two"])
      #expect(report.first?["urls"] == ["ask:/which"])
      // A program that can prompt the user itself passes on the answer.
      let answered = try await desk.call(
        InstalledDesktop.broker, "Open", "asa{sv}", "1", "ask:/which", "1", "answer", "s", "org.example.Two")
      #expect(answered.succeeded, "\(answered)")
      #expect(try await two.nextStart().arguments == ["ask:/which"])
    }
  }

  /// Routes that ask about a link whose program cannot be executed, and about its fallback.
  static let askingTwice = """
    [route.broken]
    match = "broken:{x...}"
    ask   = true
    [route.whether]
    match    = "ask:/{x...}"
    ask      = true
    remember = "scheme"
    """

  private func installBroken(on desk: InstalledDesktop) throws {
    let broken = try desk.desktop.installScript("broken", "#!/no/such/interpreter\n")
    try desk.desktop.installDesktopEntry("org.example.Broken", exec: "\(broken) %u", schemes: ["broken"])
    try desk.desktop.setDefaults([
      "ask": ["org.usher.Handler", "org.example.One"], "broken": ["org.usher.Handler", "org.example.Broken"],
    ])
  }

  @Test(arguments: ["yes", "no"])
  func `asks about the fallback, too, whatever the caller answers about the link`(answer: String)
    async throws
  {
    try await with(Self.askingTwice) { desk in
      let (one, _) = try installBoth(on: desk)
      try installBroken(on: desk)
      var options = OpenOptions()
      options.answer = answer
      options.fallback = "ask:/instead"
      let bus = try await desk.connect()
      do {
        _ = try await bus.call(
          BrokerInterface.open, at: BrokerInterface.broker, ["broken:1"], options.entries)
        Issue.record("it was opened")
      } catch let error as BusError {
        let asked = try Receipt(error.details).deliveries
        #expect(asked.map(\.urls) == [["ask:/instead"]] && asked.map(\.choices) == [[]], "\(error)")
      }
      #expect(try await desk.usher("grants", "list").output.isEmpty)
      await bus.close()
      // The program has not been started before.
      #expect(try await desk.usher("open", "--app", "org.example.One", "other:1").succeeded)
      #expect(try await one.nextStart().arguments == ["other:1"])
    }
  }

  @Test func `that changed takes effect, and with an error the last version stays in force`() async throws {
    try await with("[route.r]\nmatch = \"x:/1\"\ndeny = \"first\"\n") { desk in
      #expect(try await desk.open("x:/1").message.contains("first"))
      try desk.desktop.writeRoutes("rules.toml", "[route.r]\nmatch = \"x:/1\"\ndeny = \"second\"\n")
      #expect(try await desk.open("x:/1").message.contains("second"))
      try desk.desktop.writeRoutes("rules.toml", "[route.r\n")
      #expect(try await desk.open("x:/1").message.contains("second"))
      let explained = try await desk.usher("explain", "x:/1")
      #expect(explained.errorOutput.contains("rules.toml:4"), "\(explained)")
    }
  }
}

extension ThrowAwayDesktop {
  /// Writes a route file of the user.
  func writeRoutes(_ name: String, _ routes: String) throws {
    try write("format = 1\nowner = \"user\"\n\n\(routes)\n", to: "\(configHome)/usher/routes/\(name)")
  }
}

extension InstalledDesktop {
  /// Runs a command on its own terminal, at which `answer` is typed.
  fileprivate func terminal(_ command: String, answer: String) async throws -> CommandResult {
    try await Command.run(
      "script", ["-qec", command, "/dev/null"], environment: desktop.environment, input: answer + "\n")
  }
}
