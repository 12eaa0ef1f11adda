import BrokerCore
import Freedesktop
import TestSupport
import Testing

@testable import Launching

@Suite struct `The launch of an entry` {
  private func launches(
    _ lines: String..., urls: [String], in desktop: ThrowAwayDesktop
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
    return try EntryLaunch.launches(of: entry, id: id, opening: urls, programs: programs)
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
