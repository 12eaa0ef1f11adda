// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct `The command itself` {
  @Test func `Version, in one line`() async throws {
    let result = try await Command.run(BuiltProducts.usher, ["--version"])
    #expect(result.succeeded && result.lines.count == 1 && result.output.hasPrefix("usher "))
  }

  @Test func `Without arguments, the command prints its help`() async throws {
    let bare = try await Command.run(BuiltProducts.usher)
    let help = try await Command.run(BuiltProducts.usher, ["--help"])
    #expect(bare.succeeded && bare.output == help.output)
    #expect(bare.output.contains("usher open notes://note/7"))
  }

  @Test func `The help of every command equals its golden file`() async throws {
    var names: Set<String> = []
    for path in try await CommandTree.read().paths {
      let page = try await HelpPage(path)
      let name = (["usher"] + path).joined(separator: "-") + ".txt"
      names.insert(name)
      try Golden.check(page.text, "help/\(name)")
      #expect(page.text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(name)")
      #expect(page.statuses.contains(64) && !page.examples.isEmpty, "\(name)")
      // A reader copies an example as one line.
      let examples = page.text.firstRange(of: "EXAMPLES:\n").map { page.text[$0.upperBound...] } ?? ""
      let end = examples.firstRange(of: "\n\n")?.lowerBound ?? examples.endIndex
      #expect(examples[..<end].split(separator: "\n").allSatisfy { $0.hasPrefix("  ") }, "\(name)")
      let asked = try await Command.run(
        BuiltProducts.usher, ["help"] + path,
        environment: Command.bareEnvironment.merging(["COLUMNS": "80"]) { $1 })
      // The parser's help command does not list the options of all commands.
      #expect(asked.output.hasPrefix(String(page.text.prefix(200))), "\(asked)")
    }
    #expect(try Golden.left(in: "help", but: names) == [])
  }

  /// The parser traps at texts that have no room beside the names of options, or leaves them out.
  @Test(arguments: ["-1", "1", "20", "26"])
  func `The help in a narrow terminal has all texts`(columns: String) async throws {
    let environment = Command.bareEnvironment.merging(["COLUMNS": columns]) { $1 }
    let help = try await Command.run(BuiltProducts.usher, ["open", "--help"], environment: environment)
    let words = help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(help.succeeded && words.contains("Print one JSON object: the receipt"), "\(help)")
    let wrong = try await Command.run(BuiltProducts.usher, ["reveal"], environment: environment)
    #expect(wrong.status == 64, "\(wrong)")
  }

  /// Runs without a bus, so that no command waits.
  @Test func `Every example is a valid call, and exits with a status that its help lists`() async throws {
    for path in try await CommandTree.read().paths {
      let page = try await HelpPage(path)
      for example in page.examples {
        let desktop = try exampleDesktop()
        let words = example.split(separator: " ").dropFirst().map(String.init)
        let other = words.starts(with: path) ? page : try await HelpPage(Array(words.prefix(1)))
        // One option waits for changes, and the other needs a terminal.
        let call = example.replacing(" --watch notes.toml", with: "")
          .replacing("monitor --watch", with: "monitor")
        let result = try await Command.run(
          "sh", ["-c", call], environment: desktop.environment, directory: desktop.home)
        #expect(
          result.status.map(other.statuses.contains) == true && result.status != 64, "\(example)\n\(result)")
      }
    }
  }

  private func exampleDesktop() throws -> ThrowAwayDesktop {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    for (id, schemes) in [
      ("org.example.Notes", ["notes", "memo"]), ("org.example.Browser", ["http", "https"]),
    ] {
      try desktop.installDesktopEntry(
        id, exec: "/bin/true %u", schemes: schemes,
        lines: ["Actions=new-note;", "", "[Desktop Action new-note]", "Name=New note", "Exec=/bin/true"])
    }
    try desktop.setDefaults([
      "http": ["org.example.Browser"], "https": ["org.example.Browser"], "notes": ["org.example.Notes"],
    ])
    let route = "format = 1\nowner = \"user\"\n[route.note]\nmatch = \"notes://note/{n}\"\nallow = true\n"
    try desktop.write(route, to: "home/notes.toml")
    try desktop.write("notes://note/7\n", to: "home/links.txt")
    try desktop.write("%PDF-1.4\n", to: "home/report.pdf")
    try desktop.write("export default { defaultBrowser: 'Firefox' }\n", to: "home/finicky.js")
    try desktop.write(
      "[[handlers]]\nexec = \"mpv\"\nregexes = ['^https://v\\.example/']\n", to: "home/handlr.toml")
    try desktop.write(
      "[Default Applications]\nx-scheme-handler/tel=phone.desktop\n", to: "home/mimeapps.list")
    try desktop.write(
      "[Desktop Entry]\nType=Application\nName=Notes\nExec=/bin/true %u\n", to: "home/Notes.desktop")
    try desktop.installAppImage("Notes.AppImage", id: "org.example.ImageNotes")
    try desktop.installScript("my-notes", "#!/bin/sh\n")
    try desktop.write("#!/bin/sh\n", to: "home/handle-links", permissions: 0o755)
    return desktop
  }
}
