// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests with invalid files from real machines, which must lead to a finding and never to a crash.
@Suite struct `usher doctor on files from the wild` {
  private static let type = "x-scheme-handler/notes"
  private static let good =
    "[Desktop Entry]\nType=Application\nName=N\nExec=/bin/true %u\nMimeType=\(type);\n"

  /// Expects exactly one finding, apart from the missing bus, with the file and line.
  private func expect(
    _ message: String, at place: String, in desktop: ThrowAwayDesktop
  ) async throws {
    let result = try await desktop.usher("doctor")
    #expect(result.status == 1 && result.errorOutput.isEmpty, "\(result)")
    let hit = result.lines.first { $0.hasPrefix("\(place): ") && $0.contains(message) }
    #expect(hit?.contains("; to fix it: ") == true, "\(place): \(message)\n\(result.output.prefix(4_000))")
  }

  @Test(
    arguments: [
      ("\u{FEFF}[Default Applications]\n", 1, "begins with a byte order mark"),
      ("a\n", 1, "is not a group, key or comment"),
      ("k=v\n", 1, "a key before the first group"), ("[A\n", 1, "is not a group"),
      ("[A]\n[A]\n", 2, "for the second time"),
      ("[]\n", 1, "invalid group name"), ("[A]\n\(type)=\\x\n", 2, nil),
      ("[A]\nk=1\r\n# c\r\nk=2\r\n", 4, "sets a key for the second time"),
      ("[Default Applications]\n\(type)=;notes.desktop;\n", 2, "the value begins with a semicolon"),
      ("[Default Applications]\n\(type)=notes\n", 2, "“notes” lacks the suffix .desktop"),
      ("[Default Applications]\n\(type)=\n", 2, "names no application"),
      ("[Default Applications]\n\(type)=\\x\n", 2, "an invalid escape"),
      ("# " + String(repeating: "x", count: 1 << 20) + "\njunk\n", 2, "is not a group, key or comment"),
    ] as [(String, Int, String?)])
  func `A list`(text: String, line: Int, message: String?) async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    let list = try desktop.installMimeApps(text)
    if let message {
      try await expect(message, at: "\(list):\(line)", in: desktop)
    } else {
      #expect(!(try await desktop.usher("doctor")).output.contains(list))
    }
    #expect(try await desktop.usher("handlers").succeeded)
  }

  @Test(
    arguments: [
      ("\u{FEFF}" + good, 1, "begins with a byte order mark"),
      (good + "junk\n", 6, "is not a group, key or comment"),
      (good + "[Desktop Entry]\n", 6, "opens a group for the second time"),
      (good + "Name=M\n", 6, "sets a key for the second time"),
      (good.replacing("Exec=", with: "Exec=\""), 4, "a quote is not closed"),
      (good.replacing("true", with: "true %y"), 4, "%y in its Exec line is not a field code"),
      (good.replacing("Type=Application\n", with: ""), nil, "not the entry of an application"),
      (good.replacing("MimeType=", with: "MimeType=;;x-scheme-handler/;"), 5, "is not a valid scheme"),
      (good.replacing("\n", with: "\r\n"), 5, "mimeinfo.cache lacks notes"),
      (good + "X=" + String(repeating: "y", count: 1 << 20) + "\n", 5, "mimeinfo.cache lacks notes"),
    ] as [(String, Int?, String)])
  func `An entry`(text: String, line: Int?, message: String) async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    let path = try desktop.installDesktopEntry("notes", text: text)
    try await expect(message, at: path + (line.map { ":\($0)" } ?? ""), in: desktop)
  }

  @Test func `Loops, directories, pipes and dangling links`() async throws {
    let desktop = try ThrowAwayDesktop(currentDesktop: "GNOME", hasBus: false)
    try desktop.installUsher()
    let files = FileManager.default
    let applications = "\(desktop.dataHome)/applications"
    let list = "\(desktop.configHome)/mimeapps.list"
    try files.createSymbolicLink(atPath: list, withDestinationPath: "mimeapps.list")
    try files.createSymbolicLink(atPath: "\(applications)/loop", withDestinationPath: ".")
    try files.createSymbolicLink(atPath: "\(applications)/gone.desktop", withDestinationPath: "/nowhere")
    try files.createSymbolicLink(
      atPath: "\(applications)/round.desktop", withDestinationPath: "round.desktop")
    try files.createDirectory(atPath: "\(applications)/folder.desktop", withIntermediateDirectories: true)
    try await Command.run("mkfifo", ["\(applications)/mimeinfo.cache"]).orThrow()
    try desktop.installMimeApps("[Added Associations]\na/b=c.desktop;\n", desktop: "gnome")
    for (place, message) in [
      (list, "Too many levels of symbolic links"),
      ("\(applications)/gone.desktop", "the target of the symbolic link does not exist"),
      ("\(applications)/round.desktop", "Too many levels"),
      ("\(applications)/folder.desktop", "not a regular file"),
      ("\(applications)/mimeinfo.cache", "not a regular file"),
      ("\(desktop.configHome)/gnome-mimeapps.list:2", "[Added Associations] is ignored here"),
    ] {
      try await expect(message, at: place, in: desktop)
    }
  }

  @Test(.enabled(if: canDropRights, "setpriv cannot drop the rights of root here"))
  func `A directory without read permission`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    let directory = "\(desktop.dataHome)/applications/private"
    try desktop.installDesktopEntry("private/x", exec: "/bin/true %u")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: directory)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory) }
    let result = try await Command.run(
      "setpriv", ["--bounding-set=-all", "--inh-caps=-all", BuiltProducts.usher, "doctor"],
      environment: desktop.environment)
    #expect(
      result.lines.contains { $0.hasPrefix("\(directory): the directory cannot be read: Permission denied") },
      "\(result)")
  }

  /// A Boolean value that is `true` if a process of root can drop its rights.
  static let canDropRights = ((try? FileManager.default.attributesOfItem(atPath: "/usr/bin/setpriv")) != nil)
}
