// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Freedesktop

/// Tests with lists and entries as they occur on real machines.
@Suite(.computes) struct WildFilesTests {
  let desktop: TestDesktop
  let notes: URLScheme
  let id: ApplicationID
  static let list = "home/.config/mimeapps.list"
  static let entry = TestDesktop.userApplications + "/notes.desktop"

  init() throws {
    desktop = try TestDesktop()
    notes = try #require(URLScheme("notes"))
    id = try #require(ApplicationID("notes"))
    try desktop.writeEntry("sys1/applications/org.usher.Handler.desktop", "NoDisplay=true\n")
    try desktop.writeEntry(Self.entry)
  }

  private static let type = "x-scheme-handler/notes"
  /// The pieces of such lists, including all kinds of malformed lines.
  private static let pieces: [String] = [
    "# comment\n", "#\n", "\n", "  \n", "\r\n", "# dos\r\n", "[Default Applications]\n",
    "[Default Applications]\r\n",
    "[Added Associations]\n", "[Removed Associations]\n", "[X-Mine]\n", "a/b=c.desktop\n", "a/b=;;\n",
    "a/b=c.desktop;;d.desktop;\r\n", "\(type)=\n", "\(type)=old.desktop\n", "\(type)=;old.desktop;;\n",
    "\(type) = old.desktop;\r\n", "\(type)=notes.desktop;;\n", "\(type)=org.usher.Handler.desktop;\n",
    "\(type)=old\n",
    "\(type)=a\\;b.desktop;\n", "\(type)=org.usher.Handler.desktop;notes.desktop;;;\n", "k[de]=ä\n",
    "x=\u{FEFF}\n",
    "[broken\n", "\u{FEFF}[Default Applications]\n", "no end",
  ]

  /// Returns the lines without those of the scheme, which Usher may change, and without blank ones and line ends.
  private func others(_ text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: "\n"))
      .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
      .filter { !$0.allSatisfy { $0 == UInt8(ascii: " ") } && !$0.starts(with: Self.type.utf8) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private func isSubsequence(_ lines: [String], of all: [String]) -> Bool {
    var rest = all[...]
    for line in lines {
      guard let index = rest.firstIndex(of: line) else { return false }
      rest = rest[(index + 1)...]
    }
    return true
  }

  @Test func `A list is rejected by name or keeps every line and is restored`() throws {
    var generator = SeededGenerator(seed: 4)
    var written = 0
    for _ in 0..<150 {
      let count = Int.random(in: 0...9, using: &generator)
      let start = ["", "[X-Mine]\n", "# c\n[Default Applications]\n", "[Default Applications]\r\n"]
      let text =
        start[.random(in: 0..<4, using: &generator)]
        + (0..<count).compactMap { _ in Self.pieces.randomElement(using: &generator) }.joined()
      let isDirect = Bool.random(using: &generator)
      try desktop.write(Self.list, text)
      try desktop.writeEntry(Self.entry)
      let registration = desktop.registration
      do throws(FreedesktopError) {
        let plan = try registration.plan(
          registering: .installed(id), for: [notes], directly: isDirect)
        try plan.edits.apply()
        #expect(
          isSubsequence(others(text), of: others(desktop.text(Self.list) ?? "")), "\(text.debugDescription)")
        #expect(plan.disagreements.isEmpty, "\(text.debugDescription)")
        try desktop.registration.plan(unregistering: id, from: [notes]).edits.apply()
        written += 1
      } catch {
        #expect(error.description.contains(desktop.path(Self.list)), "\(error)")
        #expect(!KeyFile(text).isWellFormed && desktop.text(Self.list) == text, "\(text.debugDescription)")
        continue
      }
      let rest = desktop.text(Self.list) ?? ""
      let expected = others(text).filter {
        $0 != "[Default Applications]" && $0 != "[Default Applications]\r"
      }
      #expect(isSubsequence(expected, of: others(rest)), "\(text.debugDescription) \(rest.debugDescription)")
      let before = KeyFile(text).value(of: Self.type, in: "Default Applications") ?? ""
      let after = KeyFile(rest).value(of: Self.type, in: "Default Applications") ?? ""
      // An earlier registration of this application is removed, too.
      if !before.contains("notes.desktop") { #expect(before == after, "\(text.debugDescription)") }
    }
    #expect(written > 50)
  }

  @Test(arguments: [
    "# c\r\n[Desktop Entry]\r\nType=Application\r\nName=N\r\nExec=viewer %u\r\n",
    "[Desktop Entry]\nType=Application\nName=N\nExec=viewer %u\nMimeType=;;a/b;\n# end",
    "# c\n\n[Desktop Entry]\nType=Application\nName=N\n[X]\nk=v\n[Desktop Entry]\nExec=viewer %u\n",
    "[Desktop Entry]\nType=Application\nName=N\nName=M\nExec=viewer %u\nMimeType=a/b\nMimeType=c/d\n",
    "[Desktop Entry]\nType=Application\nName=" + String(repeating: "n", count: 1 << 20)
      + "\nExec=viewer %u\n",
    "[Desktop Entry]\nType=Application\nName=N\nExec=viewer %u\nMimeType="
      + String(repeating: "a/b;", count: 1 << 16) + "\n",
  ])
  func `An entry of the user is edited and restored`(text: String) throws {
    try desktop.write(Self.entry, text)
    try desktop.registration.plan(registering: .installed(id), for: [notes]).edits.apply()
    let edited = try #require(desktop.text(Self.entry))
    #expect(edited != text && KeyFile(edited).isWellFormed)
    #expect(DesktopEntry(file: KeyFile(edited)).schemes == ["notes"])
    try desktop.registration.plan(unregistering: nil, from: [notes]).edits.apply()
    let rest = try #require(desktop.text(Self.entry))
    let comesBackButForItsEnd = rest == text || rest == text + "\n"
    #expect(comesBackButForItsEnd, "\(rest.prefix(300).debugDescription)")
  }

  @Test(arguments: [
    "", "\n", "no group\n", "[Other]\nk=v\n",
    "\u{FEFF}[Desktop Entry]\nType=Application\nName=N\nExec=viewer %u\n",
    "[Desktop Entry]\nName=N\nExec=viewer %u\n",
    "[Desktop Entry]\nType=Application\nName=N\nExec=\"viewer %u\n",
    "[Desktop Entry]\nType=Application\nName=N\nExec=viewer %u\nMimeType=\\x;\n[",
    "[Desktop Entry]\nType=Application\nName=N\nExec=viewer \0 %u\n",
  ])
  func `An unusable entry is named and left alone`(text: String) throws {
    try desktop.write(Self.entry, text)
    let before = try desktop.snapshot()
    let error = #expect(throws: FreedesktopError.self) {
      try desktop.registration.plan(registering: .installed(id), for: [notes])
    }
    #expect(error?.description.isEmpty == false)
    #expect(try desktop.snapshot() == before)
  }

  @Test func `A list of one mebibyte in a line is kept`() throws {
    let long =
      "# " + String(repeating: "ä", count: 1 << 19) + "\n[Default Applications]\na/b="
      + String(repeating: "c.desktop;", count: 1 << 17) + "\n"
    try desktop.write(Self.list, long)
    try desktop.registration.plan(registering: .installed(id), for: [notes]).edits.apply()
    #expect(desktop.text(Self.list)?.hasPrefix(long) == true)
    try desktop.registration.plan(unregistering: nil, from: [notes]).edits.apply()
    #expect(desktop.text(Self.list) == long)
  }

  @Test func `Circular links, directories and pipes at the path of the list are named`() throws {
    for kind in ["loop", "folder", "pipe"] {
      let path = desktop.path(Self.list)
      try? FileManager.default.removeItem(atPath: path)
      switch kind {
      case "loop": try desktop.link(Self.list, to: "mimeapps.list")
      case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      default: try desktop.run("/usr/bin/mkfifo", path)
      }
      for isBack in [false, true] {
        let error = #expect(throws: FreedesktopError.self) {
          isBack
            ? try desktop.registration.plan(unregistering: nil, from: [notes])
            : try desktop.registration.plan(registering: .installed(id), for: [notes])
        }
        #expect(
          error?.description.hasPrefix("\(path) cannot be read: ") == true,
          "\(kind): \(String(describing: error))")
      }
      #expect(desktop.registration.handlers().isEmpty && desktop.registration.registeredSchemes.isEmpty)
      #expect(desktop.registration.leftOvers.isEmpty)
    }
  }

  /// Tests values with a trailing `\`, which would swallow appended text, duplicate keys, and keys with a tab behind them.
  @Test(arguments: [
    "[MIME Cache]\nx-scheme-handler/notes=a.desktop;b.desktop\\\n",
    "[MIME Cache]\nx-scheme-handler/notes=a.desktop;\n[MIME Cache]\nx-scheme-handler/notes=\n",
    "[MIME Cache]\nx-scheme-handler/notes\t= a.desktop\n",
  ])
  func `Unusual lines of the cache are preserved`(cache: String) throws {
    let path = TestDesktop.userApplications + "/mimeinfo.cache"
    try desktop.write(path, cache)
    try desktop.registration.plan(registering: .installed(id), for: [notes]).edits.apply()
    #expect(desktop.text(path)?.contains("notes.desktop") == true)
    try desktop.registration.plan(unregistering: id, from: [notes]).edits.apply()
    #expect(desktop.text(path) == cache)
  }
}
