// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `usher doctor` {
  /// Creates a desktop with Usher's entry installed, without a bus.
  private func makeDesktop(_ currentDesktop: String? = nil) throws -> ThrowAwayDesktop {
    let desktop = try ThrowAwayDesktop(currentDesktop: currentDesktop, hasBus: false)
    try desktop.installUsher()
    return desktop
  }

  /// Returns the findings except the missing bus, as `check file:line command`, and the messages.
  private func findings(
    in desktop: ThrowAwayDesktop
  ) async throws -> [(check: String, place: String, message: String, command: String)] {
    let (object, result) = try await desktop.usherJSON("doctor")
    #expect(result.status == (object.objects("findings").isEmpty ? 0 : 1) && result.errorOutput.isEmpty)
    return object.objects("findings").filter { $0["check"] != "broker" }.map { finding in
      let name = finding["file"].map { ($0 as NSString).lastPathComponent } ?? ""
      let line = finding.integer("line").map { ":\($0)" } ?? ""
      return (
        finding["check"] ?? "", name + line, finding["message"] ?? "", finding["command"] ?? ""
      )
    }
  }

  @Test func `Without problems it reports success, and the broker replies`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, _ in
      try desktop.installUsher()
      try desktop.installDesktopEntry("org.example.Notes", exec: "/bin/true %u", in: .system)
      #expect(try await desktop.usher("register", "org.example.Notes", "--scheme", "notes").succeeded)
      let result = try await desktop.usher("doctor")
      #expect(result.status == 0, "\(result)")
      #expect(result.lines.last == "No problems found; 1 schemes and 3 entries were checked.")
      // There is no user manager on this bus.
      #expect(
        result.lines.count == 2 && result.output.hasPrefix("note: no systemd user manager"), "\(result)")
      let (object, _) = try await desktop.usherJSON("doctor")
      #expect(object.objects("findings").isEmpty)
    }
  }

  @Test func `Final routes whose links do not reach the broker are reported, with the fix`() async throws {
    let desktop = try makeDesktop()
    try desktop.installDesktopEntry(
      "org.example.Phone", exec: "/bin/true %u", schemes: ["tel", "corp", "https"], in: .system)
    try desktop.setDefaults(
      Dictionary(uniqueKeysWithValues: ["tel", "corp", "https"].map { ($0, ["org.example.Phone"]) }))
    try desktop.write(
      """
      format = 1
      owner = "administrator"
      [route.no-calls]
      scheme = ["tel", "corp", "nothing"]
      deny = "no"
      final = true
      [route.bad]
      match = "https://bad.example/"
      deny = "no"
      final = true
      [route.meetings]
      scheme = "meet"
      open = "org.example.Meet"
      final = true
      [route.either]
      scheme = "either"
      ask = ["org.example.Meet", "org.example.Phone"]
      """, to: "etc/usher/routes/a.toml")
    let missing = try await findings(in: desktop).filter { $0.check == "routes" }
    #expect(
      missing.map(\.message) == [
        "the route “meetings” opens its links with org.example.Meet, which is not installed, so they fail: install org.example.Meet, or change the route"
      ] && missing.first?.place == "a.toml:11", "\(missing)")
    let found = try await findings(in: desktop).filter { $0.check == "final" }
    #expect(
      found.map(\.command) == [
        "usher register org.example.Phone --scheme corp", "usher register --web",
        "editor +4 \(desktop.configHome)/mimeapps.list",
      ])
    #expect(
      found.last?.message.contains(
        "write “x-scheme-handler/tel=org.usher.Handler.desktop;org.example.Phone.desktop;”") == true)
    #expect(
      found.first?.message.hasPrefix(
        "corp: desktop tools pass these links to the default application org.example.Phone.desktop and not to the broker, "
          + "so the final route “no-calls” does not apply") == true)
    try await desktop.usher("register", "org.example.Phone", "--scheme", "corp").orThrow()
    #expect(try await findings(in: desktop).filter { $0.check == "final" }.count == 2)
    // A default that is not the user's own is changed for all users.
    try desktop.setDefaults([:])
    try desktop.write(
      "[Default Applications]\nx-scheme-handler/corp=org.example.Phone.desktop\nx-scheme-handler/https=org.example.Phone.desktop\n",
      to: "etc/mimeapps.list")
    let forAll = try await findings(in: desktop).filter { $0.check == "final" }.map(\.command)
    #expect(
      forAll.contains("sudo usher register --system org.example.Phone --scheme corp --default")
        && forAll.contains("sudo usher register --system --web --default"), "\(forAll)")
    // With two browsers, the command names one.
    try desktop.installDesktopEntry("org.example.Web", exec: "/bin/true %u", schemes: ["http"], in: .system)
    try desktop.setDefaults(["http": ["org.example.Web"], "https": ["org.example.Phone"]])
    let two = try await findings(in: desktop).filter { $0.check == "final" }.map(\.command)
    #expect(two.contains("usher register org.example.Phone --web"), "\(two)")
  }

  @Test
  func `Final routes for every scheme name the line to write for schemes that no application registers`()
    async throws
  {
    let desktop = try makeDesktop()
    let schemes = ["tel", "corp", "ws"]
    try desktop.installDesktopEntry("org.example.Phone", exec: "/bin/true %u", schemes: schemes, in: .system)
    try desktop.setDefaults(Dictionary(uniqueKeysWithValues: schemes.map { ($0, ["org.example.Phone"]) }))
    func write(_ scheme: String) throws {
      try desktop.write(
        "format = 1\nowner = \"administrator\"\n[route.none]\nscheme = \(scheme)\ndeny = \"no\"\nfinal = true\n",
        to: "etc/usher/routes/a.toml")
    }
    try write("\"*\"")
    let found = try await findings(in: desktop).filter { $0.check == "final" }
    #expect(
      found.map(\.command) == [
        "usher register org.example.Phone --scheme corp", "editor +3 \(desktop.configHome)/mimeapps.list",
      ], "\(found)")
    #expect(
      found.last?.message.contains(
        "for tel, write “x-scheme-handler/tel=org.usher.Handler.desktop;org.example.Phone.desktop;” below")
        == true
        && found.last?.message.hasSuffix("do the same for the others") == true, "\(found)")
    // A list for all users is in the directory that the desktop reads.
    try desktop.setDefaults([:])
    try desktop.write(
      "[Default Applications]\nx-scheme-handler/ws=org.example.Phone.desktop\n", to: "etc/mimeapps.list")
    try write("\"ws\"")
    let special = try await findings(in: desktop).filter { $0.check == "final" }
    #expect(
      special.count == 1
        && special[0].message.contains(
          "the broker then rejects all ws: links, because only scripts of web pages"),
      "\(special)")
    #expect(
      special.first?.command.hasSuffix("/etc/mimeapps.list") == true
        && special.first?.command.contains("/etc/xdg") == false, "\(special)")
  }

  @Test func `A final route for every scheme does not concern Usher's own, and one for files is a note`()
    async throws
  {
    let desktop = try makeDesktop()
    try desktop.installDesktopEntry(
      "org.usher.Callback", exec: "/bin/true %u", schemes: ["usher-callback"], in: .system)
    try desktop.write(
      """
      format = 1
      owner = "administrator"
      [route.nothing]
      scheme = "*"
      deny = "no"
      final = true
      [route.no-files]
      scheme = "file"
      deny = "no"
      final = true
      """, to: "etc/usher/routes/a.toml")
    let found = try await findings(in: desktop).filter { $0.check == "final" }
    #expect(found.isEmpty, "\(found)")
    let (object, _) = try await desktop.usherJSON("doctor")
    let notes = object.objects("notes").filter { $0["check"] == "final" }
    #expect(
      notes.count == 1
        && notes.first?["message"]?.contains("“no-files” does not apply to the file: links") == true)
  }

  @Test func `A broker with another environment is reported`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, _ in
      try desktop.installUsher()
      try desktop.installDesktopEntry("org.example.Notes", exec: "/bin/true %u")
      try await desktop.usher("register", "org.example.Notes", "--scheme", "notes").orThrow()
      // Programs that the bus starts inherit its environment, and this process has an additional directory.
      let extra = ["XDG_DATA_DIRS": "\(desktop.root)/more:\(desktop.systemData)"]
      try desktop.write(
        "[Desktop Entry]\nType=Application\nName=N\nExec=/bin/true %u\n",
        to: "more/applications/later.desktop")
      try await Command.run(
        BuiltProducts.usher, ["register", "later", "--scheme", "notes"],
        environment: desktop.environment.merging(extra) { $1 }
      ).orThrow()
      let applications = "\(desktop.dataHome)/applications"
      try FileManager.default.removeItem(atPath: "\(applications)/later.desktop")
      try FileManager.default.removeItem(atPath: "\(applications)/mimeinfo.cache")
      let result = try await desktop.usher("doctor", extra: extra)
      let reported =
        "notes: the broker chooses org.example.Notes, but this command chooses later, because XDG_DATA_DIRS"
      #expect(result.lines.contains { $0.hasPrefix(reported) }, "\(result)")
    }
  }

  @Test func `Without a bus, a program or an installation it prints the fix`()
    async throws
  {
    let desktop = try ThrowAwayDesktop(hasBus: false, extra: ["XDG_RUNTIME_DIR": "/nowhere"])
    let bare = try await desktop.usher("doctor")
    #expect(bare.status == 1 && bare.output.contains("cannot connect to a session bus"), "\(bare)")
    #expect(bare.output.contains("to fix it: make build && sudo make install-files PREFIX="), "\(bare)")
    #expect(bare.lines.last?.hasPrefix("2 problems found; ") == true)
    try await ThrowAwayDesktop.withBus { desktop, _ in
      let missing = try await desktop.usher("doctor")
      #expect(missing.output.contains("the bus has no activation file for it"), "\(missing)")
    }
    try await ThrowAwayDesktop.withBus { desktop, bus in
      try desktop.installUsher()
      try desktop.installActivation("org.usher.Broker1", exec: "/nowhere/usherd %u")
      // The bus may have read the first of the two files, and cannot distinguish the second within one second.
      try await bus.reload()
      let broken = try await desktop.usher("doctor")
      #expect(broken.output.contains("the broker does not reply"), "\(broken)")
      #expect(
        broken.output.contains(
          "org.usher.Broker1.service:3: the program in the activation file of the broker does not exist"),
        "\(broken)")
    }
  }

  @Test func `An installation in a directory that desktops do not search is one problem, with one fix`()
    async throws
  {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let prefix = "\(desktop.root)/opt"
      let program = "\(prefix)/libexec/usher/usher-command"
      for (directory, suffix) in [("applications", "desktop"), ("dbus-1/services", "service")] {
        try desktop.write(
          suffix == "desktop"
            ? "[Desktop Entry]\nType=Application\nName=Usher\nNoDisplay=true\nExec=\(program) open --from-desktop %u\n"
            : "[D-BUS Service]\nName=org.usher.Broker1\nExec=\(BuiltProducts.usherd)\n",
          to: "opt/share/\(directory)/org.usher.\(suffix == "desktop" ? "Handler" : "Broker1").\(suffix)")
      }
      try FileManager.default.createDirectory(
        atPath: "\(prefix)/libexec/usher", withIntermediateDirectories: true)
      try FileManager.default.copyProgram(atPath: "\(BuiltProducts.directory)/usher-command", toPath: program)
      let result = try await Command.run(program, ["doctor"], environment: desktop.environment)
      let problems = result.lines.filter { $0.contains("to fix it:") }.filter {
        $0.contains("Broker1") || $0.contains("org.usher.Handler")
      }
      #expect(
        problems.count == 1 && problems[0].contains("no desktop passes links to Usher")
          && problems[0].contains(" ln -sf "), "\(result)")
      let fix = try #require(problems.first?.components(separatedBy: "to fix it: ").last)
      try await Command.run("sh", ["-c", fix], environment: desktop.environment).orThrow()
      try await bus.reload()
      let fixed = try await Command.run(program, ["doctor"], environment: desktop.environment)
      #expect(!fixed.output.contains("org.usher.Handler"), "\(fixed)")
      #expect(!fixed.output.contains("ln -sf"), "\(fixed)")
    }
  }

  @Test func `A missing program or application is named, and the command fixes it`() async throws {
    let desktop = try makeDesktop()
    let program = try desktop.installScript("notes", "#!/bin/sh\n")
    try await desktop.usher("register", "--name", "Notes", "--exec", program, "--scheme", "notes").orThrow()
    try desktop.installDesktopEntry("a", exec: "/bin/true %u", schemes: ["memo"])
    try await desktop.updateDesktopDatabase()
    try await desktop.usher("register", "a", "--scheme", "memo").orThrow()
    #expect(try await findings(in: desktop).isEmpty)
    try FileManager.default.removeItem(atPath: program)
    try FileManager.default.removeItem(atPath: "\(desktop.dataHome)/applications/a.desktop")
    let handlers = try await desktop.usher("handlers").lines
    #expect(
      handlers.first?.hasSuffix("its default application cannot be used  missing: a.desktop") == true,
      "\(handlers)"
    )
    let found = try await findings(in: desktop)
    #expect(found.map(\.check) == ["default", "default", "entry", "cache"], "\(found)")
    #expect(
      found.map(\.place) == [
        "mimeapps.list:3", "mimeapps.list:2", "usher-notes.desktop:4", "mimeinfo.cache:2",
      ])
    #expect(
      found.first?.message.contains("memo: the default a.desktop cannot be used; no application opens it")
        == true)
    for finding in found {
      try await Command.run("/bin/sh", ["-c", finding.command], environment: desktop.environment).orThrow()
    }
    #expect(try await findings(in: desktop).isEmpty)
  }

  @Test func `Entries that some desktop cannot use are named, and the commands fix them`() async throws {
    let desktop = try makeDesktop()
    let program = try desktop.installScript("my notes", "#!/bin/sh\n")
    try desktop.installDesktopEntry("none", exec: "/bin/true", schemes: ["a"])
    try desktop.installDesktopEntry("escapes", exec: #"/bin/echo "a\\\\b \\$x""#, schemes: ["f"])
    try desktop.installDesktopEntry("files", exec: "/bin/true %F", schemes: ["b"])
    try desktop.installDesktopEntry("quoted", exec: "\"\(program)\" --x %u", schemes: ["c"])
    try desktop.installDesktopEntry(
      "org.dots", exec: "/bin/true %u", schemes: ["d"], lines: ["DBusActivatable=true"])
    try desktop.installDesktopEntry(
      "org.no.Activation", exec: "/bin/true  %u", schemes: ["e"], lines: ["DBusActivatable=true"])
    try desktop.installDesktopEntry("upper", exec: "/bin/true   %u", schemes: ["Upper"])
    try await desktop.updateDesktopDatabase()
    let found = try await findings(in: desktop)
    let wanted = [
      ("none.desktop:4", "lacks %u"), ("escapes.desktop:4", "lacks %u"),
      ("files.desktop:4", "accepts only local files"),
      ("quoted.desktop:4", "its program is quoted"), ("org.dots.desktop:6", "fewer than two dots"),
      ("org.no.Activation.desktop:6", "no activation file"), ("upper.desktop:5", "not in lower case"),
    ]
    #expect(found.count == wanted.count, "\(found)")
    for (place, message) in wanted {
      #expect(found.contains { $0.place == place && $0.message.contains(message) }, "\(place) \(found)")
    }
    for finding in found {
      try await Command.run("/bin/sh", ["-c", finding.command], environment: desktop.environment).orThrow()
    }
    try await desktop.updateDesktopDatabase()
    let left = try await findings(in: desktop)
    #expect(left.isEmpty, "\(left)")
    let quoted = try String(
      contentsOfFile: "\(desktop.dataHome)/applications/quoted.desktop", encoding: .utf8)
    #expect(quoted.contains("Exec=\(desktop.dataHome)/quoted --x %u\n"))
    let escapes = try String(
      contentsOfFile: "\(desktop.dataHome)/applications/escapes.desktop", encoding: .utf8)
    #expect(escapes.contains(#"Exec=/bin/echo "a\\\\b \\$x" %u"#), "\(escapes)")
  }

  @Test func `An entry that inserts the link into code is named, with the safe form`() async throws {
    let desktop = try makeDesktop()
    try desktop.installDesktopEntry("code", exec: "sh -c \"true %u\"", schemes: ["a"])
    try desktop.installDesktopEntry("safe", exec: #"sh -c "true \\"\\$1\\"" sh %u"#, schemes: ["b"])
    try await desktop.updateDesktopDatabase()
    let found = try await findings(in: desktop).filter { $0.message.contains("into code that sh runs") }
    #expect(found.map(\.place) == ["code.desktop:4"], "\(found)")
    #expect(found.first?.message.contains(#"sh -c 'PROGRAM "$1"' sh %u"#) == true, "\(found)")
    let registered = try await desktop.usher("register", "code", "--scheme", "c")
    #expect(registered.errorOutput.contains("into code that sh runs"), "\(registered)")
  }

  @Test func `A user's entry that hides a system entry is named, but a registered copy is not`()
    async throws
  {
    guard getuid() == 0 else { try Test.cancel("only root can make files of two owners") }
    let desktop = try makeDesktop()
    for id in ["org.example.Chat", "org.example.Deleted", "org.example.Copied"] {
      try desktop.installDesktopEntry(id, exec: "/bin/true \(id) %u", in: .system)
    }
    #expect(chown(desktop.home, 12_345, 12_345) == 0)
    try await desktop.usher("register", "org.example.Copied", "--scheme", "copied").orThrow()
    try desktop.installDesktopEntry("org.example.Deleted", exec: "/bin/true", lines: ["Hidden=true"])
    #expect(try await findings(in: desktop).isEmpty)
    let path = try desktop.installDesktopEntry("org.example.Chat", exec: "/bin/false %u")
    let found = try await findings(in: desktop)
    #expect(
      found.map(\.check) == ["shadow"] && found.map(\.place) == ["org.example.Chat.desktop"], "\(found)")
    let hidden = "\(desktop.systemData)/applications/org.example.Chat.desktop"
    #expect(
      found.first?.message.hasPrefix("this entry overrides \(hidden) and identifies") == true
        && found.first?.command == "mv \(path) \(path).unused", "\(found)")
    for finding in found {
      try await Command.run("/bin/sh", ["-c", finding.command], environment: desktop.environment).orThrow()
    }
    #expect(try await findings(in: desktop).isEmpty)
    // A copy of another file does not belong to the system's entry.
    let other = try desktop.write(
      "[Desktop Entry]\nType=Application\nName=O\nExec=/bin/false %u\n", to: "home/work/other.desktop")
    try await desktop.usher("register", other, "--id", "org.example.Chat", "--scheme", "chat").orThrow()
    let copied = try await findings(in: desktop)
    #expect(copied.map(\.check) == ["shadow"], "\(copied)")
  }

  @Test func `A program that exists and cannot be started is named, and the command fixes it`() async throws {
    let desktop = try makeDesktop()
    let program = try desktop.installScript("todo", "#!/bin/sh\n")
    let services = "home/.local/share/dbus-1/services"
    try desktop.write(
      "[Desktop Entry]\nType=Application\nName=T\nExec=\(program) %u\nDBusActivatable=true\n",
      to: "home/work/org.example.Todo.desktop")
    try desktop.write(
      "[D-BUS Service]\nName=org.example.Tod0\nExec=\(program)\n",
      to: "\(services)/org.example.Todo.service")
    let registered = try await desktop.usher(
      "register", "\(desktop.home)/work/org.example.Todo.desktop", "--scheme", "todo")
    #expect(registered.succeeded && registered.errorOutput.contains("has Name=org.example.Tod0"))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: program)
    let open = try await desktop.usher("open", "todo:1")
    #expect(open.errorOutput.contains("\(program) is not executable"), "\(open)")
    var found = try await findings(in: desktop)
    #expect(found.map(\.place) == ["org.example.Todo.desktop:4", "org.example.Todo.service:2"], "\(found)")
    for finding in found {
      try await Command.run("/bin/sh", ["-c", finding.command], environment: desktop.environment).orThrow()
    }
    #expect(try await findings(in: desktop).isEmpty)
    try desktop.write(
      "[D-BUS Service]\nName=org.example.Todo\nExec=/nowhere/todo\n",
      to: "\(services)/org.example.Todo.service")
    found = try await findings(in: desktop)
    #expect(
      found.map(\.message) == ["the activation file names /nowhere/todo, which does not exist"], "\(found)")
    try FileManager.default.removeItem(atPath: program)
    found = try await findings(in: desktop)
    #expect(found.first?.command.contains("&& usher register") == true, "\(found)")
  }

  @Test func `A program behind usher listen that may not be executed is refused, and found`() async throws {
    let desktop = try makeDesktop()
    let listener = try desktop.installScript("listener", "#!/bin/sh\n")
    func register() async throws -> CommandResult {
      try await desktop.usher(
        "register", "--name", "L", "--exec", "\(BuiltProducts.usher) listen org.example.L -- \(listener)",
        "--scheme", "l")
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: listener)
    let refused = try await register()
    #expect(refused.status == 1 && refused.errorOutput.contains("chmod +x \(listener)"), "\(refused)")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: listener)
    try await register().orThrow()
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: listener)
    let found = try await findings(in: desktop)
    #expect(found.map(\.command).contains("chmod +x \(listener)"), "\(found)")
  }

  @Test func `A written entry has no findings, whatever the program's name`() async throws {
    let desktop = try makeDesktop()
    let program = try desktop.installScript("my $notes", "#!/bin/sh\n")
    let exec = "\"\(program.replacing("$", with: "\\$"))\" --url=%u"
    try await desktop.usher("register", "--name", "N", "--exec", exec, "--scheme", "n").orThrow()
    let left = try await findings(in: desktop)
    #expect(left.isEmpty, "\(left)")
    try await desktop.usher("register", "--name", "N", "--exec", exec, "--scheme", "n", "--direct").orThrow()
    let direct = try await findings(in: desktop)
    #expect(direct.map(\.check) == ["exec", "exec"], "\(direct)")
    try await Command.run("/bin/sh", ["-c", direct[1].command], environment: desktop.environment).orThrow()
    #expect(try await findings(in: desktop).isEmpty)
  }

  @Test func `The cache, duplicates, stale copies and applications that replaced a default are named`()
    async throws
  {
    let desktop = try makeDesktop()
    try desktop.installDesktopEntry("notes", exec: "/bin/true %u", in: .system)
    try await desktop.usher("register", "notes", "--scheme", "notes").orThrow()
    try desktop.installDesktopEntry("notes", exec: "/bin/true --new %u", in: .system)
    try desktop.installDesktopEntry("kde-view", exec: "/bin/true 1 %u", schemes: ["view"])
    try desktop.installDesktopEntry("kde/view", exec: "/bin/true 1 %u", schemes: ["view"])
    try desktop.installDesktopEntry("again", exec: "/bin/true 1 %u", schemes: ["view"])
    let list = "\(desktop.configHome)/mimeapps.list"
    try desktop.write("[Default Applications]\nx-scheme-handler/notes=again.desktop\n", to: list)
    let found = try await findings(in: desktop)
    let wanted = [
      ("cache", "lacks view, so GIO does not know that again opens it"), ("cache", "lacks view"),
      ("duplicate", "has the same ID in the same directory"), ("duplicate", "runs the same program as"),
      ("registration", "again opens it now (\(list):2)"), ("registration", "has changed since it was copied"),
    ]
    #expect(found.count == wanted.count, "\(found)")
    for (check, message) in wanted {
      #expect(found.contains { $0.check == check && $0.message.contains(message) }, "\(message) \(found)")
    }
    let handlers = try await desktop.usher("handlers")
    #expect(handlers.lines.first?.hasSuffix("previously registered for: notes") == true, "\(handlers)")
  }

  /// The list that names an entry, the types that only it opens, and the program that maintains the target of a link need it.
  @Test func `A second entry of a program is set aside only if nothing needs it`() async throws {
    let desktop = try makeDesktop()
    for id in [
      "org.example.Chosen", "org.example.More", "org.example.Linked", "org.example.Extra",
      "org.example.Routed",
    ] {
      try desktop.installDesktopEntry(
        "\(id).System", exec: "/bin/true \(id) %u", schemes: [id.lowercased()], in: .system)
    }
    try desktop.installDesktopEntry(
      "org.example.Chosen", exec: "/bin/true org.example.Chosen %u", schemes: ["org.example.chosen"])
    try desktop.installDesktopEntry(
      "org.example.More", exec: "/bin/true org.example.More %u", schemes: ["org.example.more", "more"])
    try desktop.installDesktopEntry(
      "org.example.Routed", exec: "/bin/true org.example.Routed %u", schemes: ["org.example.routed"])
    try desktop.installDesktopEntry(
      "org.example.Extra", exec: "/bin/true org.example.Extra %u", schemes: ["org.example.extra"])
    let target = try desktop.write(
      "[Desktop Entry]\nType=Application\nName=L\nExec=/bin/true org.example.Linked %u\n"
        + "MimeType=x-scheme-handler/org.example.linked;\n", to: "\(desktop.home)/dotfiles/linked.desktop")
    let applications = "\(desktop.dataHome)/applications"
    try FileManager.default.createSymbolicLink(
      atPath: "\(applications)/org.example.Linked.desktop", withDestinationPath: target)
    let list = "\(desktop.configHome)/mimeapps.list"
    try desktop.write(
      "[Default Applications]\nx-scheme-handler/org.example.chosen=org.example.Chosen.desktop\n", to: list)
    try await desktop.updateDesktopDatabase()
    let found = try await findings(in: desktop).filter { $0.check == "duplicate" }
    #expect(found.count == 5, "\(found)")
    let chosen = found.first { $0.place.hasPrefix("org.example.Chosen.desktop") }
    #expect(
      chosen?.message.hasSuffix("; \(list) names it for x-scheme-handler/org.example.chosen") == true,
      "\(found)")
    #expect(
      chosen?.command == "gio mime x-scheme-handler/org.example.chosen org.example.Chosen.System.desktop")
    #expect(found.contains { $0.message.hasSuffix("; only it opens x-scheme-handler/more") }, "\(found)")
    // The command of the finding adds the other entry to both groups of the list, and leaves this one in the second.
    try desktop.write(
      "[Default Applications]\nx-scheme-handler/org.example.chosen=org.example.Chosen.System.desktop\n"
        + "[Added Associations]\n"
        + "x-scheme-handler/org.example.chosen=org.example.Chosen.desktop;org.example.Chosen.System.desktop;\n",
      to: list)
    try desktop.installRoutes(
      "user",
      "format = 1\nowner = \"user\"\n[route.routed]\nscheme = \"routed\"\nopen = \"org.example.Routed\"\n")
    let before = try String(contentsOfFile: target, encoding: .utf8)
    let fixed = try await desktop.usherJSON("doctor", "--fix").object
    let repaired = fixed.objects("repairs").filter { $0.boolean("fixed") == true }
    #expect(
      Set(repaired.compactMap { $0["message"]?.split(separator: " ").first })
        == ["org.example.Chosen", "org.example.Extra"], "\(fixed)")
    #expect(try String(contentsOfFile: target, encoding: .utf8) == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: applications)
    #expect(
      names.filter { $0.hasSuffix(".unused") }.sorted() == [
        "org.example.Chosen.desktop.unused", "org.example.Extra.desktop.unused",
      ])
  }

  /// A missing directory must not shift the assignment of caches to directories.
  @Test func `The cache has no findings for a user without entries`() async throws {
    let desktop = try makeDesktop()
    try desktop.installDesktopEntry(
      "org.example.Notes", exec: "/bin/true %u", schemes: ["notes"], in: .system)
    try await Command.run("update-desktop-database", ["\(desktop.systemData)/applications"]).orThrow()
    try FileManager.default.removeItem(atPath: "\(desktop.dataHome)/applications")
    let found = try await findings(in: desktop)
    #expect(found.isEmpty, "\(found)")
  }

  @Test func `Route files and left files of a killed registration are named`() async throws {
    let desktop = try makeDesktop()
    try desktop.installRoutes("broken", "format = 1\n[route.a\n")
    try desktop.write("x", to: "\(desktop.configHome)/mimeapps.list.usher-01234def.new")
    let found = try await findings(in: desktop)
    #expect(found.map(\.check) == ["registration", "routes"], "\(found)")
    #expect(
      found.first?.command.hasPrefix("rm /") == true && found.last?.place == "broken.toml:2", "\(found)")
  }

  @Test func `Usher's own entry is to be as it was installed`() async throws {
    let desktop = try makeDesktop()
    try desktop.installDesktopEntry(
      "org.usher.Handler", exec: "/bin/true %u", lines: ["DBusActivatable=true", "MimeType=a/b;"])
    let found = try await findings(in: desktop)
    #expect(found.map(\.check) == ["handler", "handler", "handler"], "\(found)")
    #expect(found.allSatisfy { $0.command.hasPrefix("rm /") })
  }
}
