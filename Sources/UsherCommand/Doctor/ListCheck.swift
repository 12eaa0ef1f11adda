// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// A check that the lists and caches of associations can be read, and that all implementations read them alike.
enum ListCheck {
  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    let caches = snapshot.scannedDirectories.compactMap(\.cache)
    return snapshot.unreadable.map { directory in
      Finding(
        check: "list", message: "the directory cannot be read: \(directory.reason)", file: directory.path,
        command: Shell.command("ls", "-ld", directory.path))
    } + (snapshot.lists + caches).flatMap(ofFile) + snapshot.lists.flatMap(ofLines)
  }

  private static func ofFile(_ list: ScannedList) -> [Finding] {
    guard let file = list.file else {
      return [
        Finding(
          check: "list", message: "it cannot be read: \(list.obstacle ?? "")", file: list.path,
          command: Shell.command("ls", "-l", list.path))
      ]
    }
    let faults = Set(file.fatalDiagnostics)
    return file.diagnostics.map { diagnostic in
      let effect =
        faults.contains(diagnostic)
        ? "so GLib ignores the whole file" : "which programs interpret differently"
      return Finding(
        check: "list", message: "\(diagnostic), \(effect)", file: list.path, line: diagnostic.line,
        command: EntryCheck.fix(diagnostic, list.path))
    }
  }

  private static func ofLines(_ list: ScannedList) -> [Finding] {
    guard let file = list.file else { return [] }
    let isOfDesktop = !list.path.hasSuffix("/mimeapps.list")
    let misplaced = [added, removed].filter { isOfDesktop && !file.keys(in: $0).isEmpty }.map { group in
      Finding(
        check: "list", message: "[\(group)] is ignored here; it is valid only in mimeapps.list",
        file: list.path, line: file.keys(in: group).first.flatMap { file.line(of: $0, in: group) },
        command: Shell.edit(list.path, at: nil))
    }
    let types = file.keys(in: defaults).filter { $0.hasPrefix("x-scheme-handler/") }
    return misplaced
      + types.compactMap { type in
        guard let reason = oddity(file.list(of: type, in: defaults)) else { return nil }
        let line = file.line(of: type, in: defaults)
        return Finding(
          check: "list", message: "\(type): \(reason)", file: list.path, line: line,
          command: Shell.edit(list.path, at: line))
      }
  }

  private static func oddity(_ names: [String]?) -> String? {
    guard let names else { return "its value has an invalid escape, so the line is ignored" }
    guard let first = names.first else { return "it names no application" }
    if first.isEmpty {
      return "the value begins with a semicolon, so xdg-mime and xdg-open find no application"
    }
    guard let odd = names.first(where: { !$0.isEmpty && ApplicationID(desktopFileName: $0) == nil }) else {
      return nil
    }
    return "“\(odd)” lacks the suffix .desktop"
  }

  static let defaults = "Default Applications"
  static let added = "Added Associations"
  private static let removed = "Removed Associations"
}
