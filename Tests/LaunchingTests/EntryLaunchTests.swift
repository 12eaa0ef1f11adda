// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import TestSupport
import Testing

@testable import Launching

@Suite struct `The launch of an entry` {
  private func launches(
    _ lines: String..., urls: [String], in desktop: ThrowAwayDesktop,
    adding variables: [String: String] = [:]
  ) throws -> [Launch] {
    let path = try desktop.installDesktopEntry(
      "org.example.App",
      text: (["[Desktop Entry]", "Type=Application", "Name=An App"] + lines).joined(separator: "\n") + "\n")
    let programs = ProgramSearch(path: "\(desktop.bin)")
    let catalog = ApplicationResolver(
      directories: BaseDirectories(environment: desktop.environment), programs: programs
    ).catalog
    let id = try #require(ApplicationID("org.example.App" as String))
    let entry = try #require(try catalog.entry(id))
    #expect(entry.path == path)
    return try EntryLaunch.launches(
      of: entry, id: id, opening: urls,
      programs: LaunchPrograms(
        programs, catalog: catalog,
        directories: BaseDirectories(environment: desktop.environment.merging(variables) { $1 })))
  }

  @Test func `One program for all URLs, or one for each`() throws {
    let desktop = try ThrowAwayDesktop()
    let viewer = try desktop.installScript("viewer", "#!/bin/sh\n")
    let urls = ["a:1", "a:$x%20\"", "a:3"]
    let all = try launches("Exec=viewer --new %U end", urls: urls, in: desktop)
    #expect(all.map { $0.arguments.map(\.text) } == [[viewer, "--new"] + urls + ["end"]])
    let each = try launches("Exec=viewer %u", urls: urls, in: desktop)
    #expect(each.map { $0.arguments.map(\.text) } == urls.map { [viewer, $0] })
    #expect(
      each.allSatisfy {
        $0.application == "org.example.App" && $0.title == "An App"
          && $0.entry?.hasSuffix("org.example.App.desktop") == true
      })
    let menu = try launches("Exec=viewer %u", urls: [], in: desktop)
    #expect(menu.map { $0.arguments.map(\.text) } == [[viewer]])
  }

  @Test(arguments: ["%f", "%u", "%U", "%F", "%c", "%k", "%i"])
  func `A link is never executed as the program`(code: String) throws {
    let desktop = try ThrowAwayDesktop()
    let evil = try desktop.installScript("evil", "#!/bin/sh\n")
    // A program of that name in `PATH` makes the entry valid.
    try desktop.installScript(code, "#!/bin/sh\n")
    let error = #expect(throws: LaunchError.self) {
      try launches("Exec=\(code)", urls: ["file://\(evil)"], in: desktop)
    }
    #expect(error?.description.contains("begins with a field code") == true, "\(String(describing: error))")
  }

  @Test func `The program starts in the directory of the entry`() throws {
    let desktop = try ThrowAwayDesktop()
    try desktop.installScript("viewer", "#!/bin/sh\n")
    #expect(
      try launches("Exec=viewer %u", "Path=/tmp", urls: ["a:1"], in: desktop).first?.workingDirectory
        == "/tmp")
    #expect(try launches("Exec=viewer %u", urls: ["a:1"], in: desktop).first?.workingDirectory == nil)
  }

  @Test func `A terminal is put before it, the standard's own first`() throws {
    let desktop = try ThrowAwayDesktop()
    let viewer = try desktop.installScript("viewer", "#!/bin/sh\n")
    func command() throws -> [String]? {
      try launches("Exec=viewer %u", "Terminal=true", urls: ["a:1"], in: desktop).first?.arguments.compactMap(
        \.text)
    }
    let error = #expect(throws: LaunchError.self) { try command() }
    #expect(error?.description.contains("terminal") == true)
    let xterm = try desktop.installScript("xterm", "#!/bin/sh\n")
    #expect(try command() == [xterm, "-e", viewer, "a:1"])
    let emulator = try desktop.installScript("x-terminal-emulator", "#!/bin/sh\n")
    #expect(try command() == [emulator, "-e", viewer, "a:1"])
    let foot = try desktop.installScript("foot", "#!/bin/sh\n")
    #expect(try command() == [foot, "--", viewer, "a:1"])
    let standard = try desktop.installScript("xdg-terminal-exec", "#!/bin/sh\n")
    #expect(try command() == [standard, viewer, "a:1"])
  }

  @Test(arguments: [
    ("ptyxis", "--"), ("kgx", "-e"), ("gnome-terminal", "--"), ("mate-terminal", "-x"),
    ("xfce4-terminal", "-x"), ("konsole", "-e"), ("qterminal", "-e"), ("lxterminal", "-e"), ("foot", "--"),
    ("alacritty", "-e"), ("kitty", "--"), ("ghostty", "-e"), ("terminator", "-x"), ("urxvt", "-e"),
  ])
  func `A known terminal gets its own argument, and the link as one argument`(
    terminal: String, argument: String
  ) throws {
    let desktop = try ThrowAwayDesktop()
    let viewer = try desktop.installScript("viewer", "#!/bin/sh\n")
    let path = try desktop.installScript(terminal, "#!/bin/sh\n")
    try desktop.installScript("xterm", "#!/bin/sh\n")
    let launch = try launches("Exec=viewer %u", "Terminal=true", urls: ["a:$(id) b"], in: desktop).first
    #expect(launch?.arguments.map(\.text) == [path, argument, viewer, "a:$(id) b"])
  }

  @Test func `The terminal of the current desktop comes before the other known ones`() throws {
    let desktop = try ThrowAwayDesktop()
    for name in ["viewer", "kgx", "konsole"] { try desktop.installScript(name, "#!/bin/sh\n") }
    func program(on current: String) throws -> String? {
      try launches(
        "Exec=viewer %u", "Terminal=true", urls: ["a:1"], in: desktop,
        adding: ["XDG_CURRENT_DESKTOP": current]
      ).first?.executable
    }
    #expect(try program(on: "KDE") == "\(desktop.bin)/konsole")
    #expect(try program(on: "ubuntu:GNOME") == "\(desktop.bin)/kgx")
    #expect(try program(on: "sway") == "\(desktop.bin)/kgx")
  }

  @Test func `The terminal is chosen by the Default Terminal Execution Specification`() throws {
    let desktop = try ThrowAwayDesktop(currentDesktop: "Demo")
    let viewer = try desktop.installScript("viewer", "#!/bin/sh\n")
    try desktop.installScript("kgx", "#!/bin/sh\n")
    func command() throws -> [String]? {
      try launches("Exec=viewer %u", "Terminal=true", urls: ["a:1"], in: desktop).first?.arguments
        .compactMap(\.text)
    }
    func install(_ id: String, _ lines: String...) throws -> String {
      let path = try desktop.installScript("\(id)-term", "#!/bin/sh\n")
      try desktop.installDesktopEntry(
        id, exec: "\(id)-term --new", lines: ["Categories=System;TerminalEmulator;"] + lines)
      return path
    }
    func list(_ text: String, _ name: String = "xdg-terminals.list", in directory: String = "home/.config")
      throws
    {
      try desktop.write(text, to: "\(directory)/\(name)")
    }
    // An entry without the key is used only if a list names it.
    let plain = try install("plain")
    #expect(try command()?.first == "\(desktop.bin)/kgx")
    let keyed = try install("keyed", "X-TerminalArgExec=--run")
    #expect(try command() == [keyed, "--new", "--run", viewer, "a:1"])
    try list("# a comment\n-keyed.desktop\n")
    #expect(try command()?.first == "\(desktop.bin)/kgx")
    try list("missing.desktop\n  plain.desktop \n", in: "etc")
    #expect(try command() == [plain, "--new", "-e", viewer, "a:1"])
    try list("/execarg_default:plain.desktop:-x\n", in: "share/xdg-terminal-exec")
    #expect(try command() == [plain, "--new", "-x", viewer, "a:1"])
    let bare = try install(
      "bare", "TerminalArgExec=", "Actions=quick;", "", "[Desktop Action quick]", "Name=Quick",
      "Exec=bare-term --quick")
    try list("bare.desktop:quick\nkeyed.desktop\n")
    #expect(try command() == [bare, "--quick", viewer, "a:1"])
    // A list with the line ends of DOS.
    try list("# a comment\r\n\r\nkeyed.desktop\r\nbare.desktop:quick\r\n")
    #expect(try command() == [keyed, "--new", "--run", viewer, "a:1"])
    try list("bare.desktop:quick\r\nkeyed.desktop\r\n")
    #expect(try command() == [bare, "--quick", viewer, "a:1"])
    try list("keyed.desktop\n", "demo-xdg-terminals.list")
    #expect(try command() == [keyed, "--new", "--run", viewer, "a:1"])
    let standard = try desktop.installScript("xdg-terminal-exec", "#!/bin/sh\n")
    #expect(try command() == [standard, viewer, "a:1"])
  }

  @Test func `An entry that cannot be started has the reason`() throws {
    let desktop = try ThrowAwayDesktop()
    for (line, text) in [
      ("Exec=missing %u", "missing cannot be started: it is missing"), ("Exec=", "no Exec line"),
      ("Comment=x", "no Exec line"), ("Exec=\"unclosed", "org.example.App cannot be started: "),
    ] {
      let error = #expect(throws: LaunchError.self, "\(line)") {
        try launches(line, urls: ["a:1"], in: desktop)
      }
      #expect(error?.description.contains(text) == true, "\(line): \(String(describing: error))")
    }
  }
}
