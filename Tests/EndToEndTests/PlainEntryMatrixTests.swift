import TestSupport
import Testing

/// Entries of plain programs as they are found in the wild, by every door.
@Suite struct `A plain program's entry` {
  /// An entry, by its scheme.
  struct Entry: Sendable {
    let scheme: String
    /// The `Exec` line, `PROGRAM` standing for the program.
    let exec: String
    var program = "player"
    var lines: [String] = []
    /// The arguments before the URL's, and what stands before the URL in that.
    var before: [String] = []
    var prefix = ""

    static let all = [
      Entry(scheme: "one", exec: "PROGRAM %u"),
      Entry(scheme: "all", exec: "PROGRAM %U"),
      Entry(scheme: "no-code", exec: "PROGRAM --play", before: ["--play"]),
      Entry(scheme: "files", exec: "PROGRAM %F"),
      Entry(
        scheme: "quoted", exec: "\"PROGRAM\" --title=\"Two  Words\" %u", program: "My Player",
        before: ["--title=Two  Words"]),
      Entry(scheme: "inside", exec: "PROGRAM --url=%u", prefix: "--url="),
      Entry(scheme: "env", exec: "env PLAYER=1 PROGRAM %u"),
      Entry(scheme: "flatpak", exec: "PROGRAM @@u %u @@", before: ["@@u"]),
      Entry(scheme: "terminal", exec: "PROGRAM %u", lines: ["Terminal=true"]),
    ]
  }

  @Test(arguments: Opener.allCases)
  func `of any kind gets the link once, byte for byte`(opener: Opener) async throws {
    try await Desk.with { desk in
      try desk.desktop.installScript("xdg-terminal-exec", "#!/bin/sh\nIN_TERMINAL=1 exec \"$@\"\n")
      var recorders: [Recorder] = []
      var defaults: [String: [String]] = [:]
      for entry in Entry.all {
        let recorder = try Recorder("\(entry.program) \(entry.scheme)", in: desk.desktop)
        let word = entry.exec.contains("\"PROGRAM\"") ? recorder.path : recorder.execWord
        try desk.desktop.installDesktopEntry(
          "org.example.\(entry.scheme)", exec: entry.exec.replacing("PROGRAM", with: word),
          schemes: [entry.scheme], lines: entry.lines)
        defaults[entry.scheme] = ["org.usher.Handler", "org.example.\(entry.scheme)"]
        recorders.append(recorder)
      }
      try desk.desktop.setDefaults(defaults)
      for (entry, recorder) in zip(Entry.all, recorders) {
        // Whatever came twice would come before the second.
        for url in ["\(entry.scheme):%20$HOME;'*'?a=b&c#d", "\(entry.scheme)://x/2"] {
          try await opener.open(url, on: desk)
          let start = try await recorder.nextStart()
          var arguments = start.arguments
          if entry.scheme == "flatpak" { #expect(arguments.popLast() == "@@") }
          #expect(arguments == entry.before + [entry.prefix + url], "\(entry.scheme) by \(opener)")
          #expect((start.environment["IN_TERMINAL"] != nil) == (entry.scheme == "terminal"))
        }
      }
    }
  }
}
