// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Entries of plain programs as they occur in practice, through every opener.
@Suite struct `A plain program's entry` {
  /// An entry, with its scheme.
  struct Entry: Sendable {
    let scheme: String
    /// The `Exec` line, in which `PROGRAM` stands for the program.
    let exec: String
    var program = "player"
    var lines: [String] = []
    /// The arguments before that of the URL, and the text before the URL in its argument.
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
  func `of any kind receives the link once, byte for byte`(opener: Opener) async throws {
    try await with { desk, recorders in
      for (entry, recorder) in zip(Entry.all, recorders) {
        // A repetition of the first URL would arrive before the second.
        for url in ["\(entry.scheme):%20$HOME;'*'?a=b&c#d", "\(entry.scheme)://x/2"] {
          try await opener.open(url, on: desk)
          try await expect(url, of: entry, at: recorder)
        }
      }
    }
  }

  /// The tool `kde-open5` decodes a link before it passes it on, and only spaces would prevent its opening.
  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/kde-open5"),
      "KDE's tools are not installed: scripts/bootstrap kde"), arguments: ["kde-open5", "xdg-open"])
  func `of any kind receives the link once from KDE's opener, in KDE's spelling`(program: String) async throws
  {
    try await with { desk, recorders in
      // Without its menu and its service types, KDE knows no application.
      for (directory, place) in [
        ("etc/menus", "/etc/xdg/menus"), ("share/kservicetypes5", "/usr/share/kservicetypes5"),
      ] {
        try FileManager.default.createSymbolicLink(
          atPath: "\(desk.desktop.root)/\(directory)", withDestinationPath: place)
      }
      let session = [
        "XDG_CURRENT_DESKTOP": "KDE", "KDE_SESSION_VERSION": "5", "QT_QPA_PLATFORM": "offscreen",
      ]
      for (entry, recorder) in zip(Entry.all, recorders) {
        for (url, written) in [
          ("\(entry.scheme):%20$HOME;'*'?a=b&c#d", nil),
          ("\(entry.scheme)://x/%41%2f", "\(entry.scheme)://x/A%2F"),
        ] {
          try await desk.run(program, [url], adding: session).orThrow()
          try await expect(written ?? url, of: entry, at: recorder)
        }
      }
    }
  }

  /// Runs `body` on a desk on which every entry is registered behind Usher, with recorders of its starts.
  private func with(_ body: @Sendable (InstalledDesktop, [Recorder]) async throws -> Void) async throws {
    try await InstalledDesktop.with { desk in
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
      try await body(desk, recorders)
    }
  }

  private func expect(_ url: String, of entry: Entry, at recorder: Recorder) async throws {
    let start = try await recorder.nextStart()
    var arguments = start.arguments
    if entry.scheme == "flatpak" { #expect(arguments.popLast() == "@@") }
    #expect(arguments == entry.before + [entry.prefix + url], "\(entry.scheme)")
    #expect((start.environment["IN_TERMINAL"] != nil) == (entry.scheme == "terminal"))
  }
}
