// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// A check that each application's entry works on every desktop.
enum EntryCheck {
  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    snapshot.applications.filter { !$0.entry.isHidden }.flatMap { known in
      refusal(of: known, snapshot) + diagnostics(of: known) + ofBus(known, snapshot) + ofSpelling(known)
    }
  }

  private static func refusal(of known: ScannedEntry, _ snapshot: SystemSnapshot) -> [Finding] {
    guard let refusal = known.refusal, !DuplicateCheck.isLeftOver(known, snapshot) else { return [] }
    let isOurs = snapshot.managedEntries.contains { $0.id == known.id }
    let takeOut = Shell.command("usher", "unregister", known.id.rawValue)
    switch refusal {
    case .programNotFound(let program):
      let path = Shell.word(known.path)
      let fix =
        again(known, snapshot)
        ?? (isOurs ? takeOut : "desktop-file-edit --set-key=Exec --set-value='/where/it/is %u' \(path)")
      return [
        finding(
          "its program \(program) does not exist (moved or deleted)", entry: known, key: "Exec", command: fix
        )
      ]
    case .programNotExecutable(let program):
      return [
        finding(
          "its program \(program) is not executable", entry: known, key: "Exec",
          command: Shell.command("chmod", "+x", program))
      ]
    // TryExec is the specification's key for a program that may be missing.
    case .tryExecNotFound: return []
    case .malformed(let diagnostic):
      return [
        Finding(
          check: "entry", message: "\(diagnostic), so GLib ignores the whole file", file: known.path,
          line: diagnostic.line, command: fix(diagnostic, known.path))
      ]
    case .invalidExec:
      return [
        finding(
          refusal.description, entry: known, key: "Exec",
          command: Shell.edit(known.path, at: known.line(of: "Exec")))
      ]
    case .unreadable:
      return [
        finding(refusal.description, entry: known, key: "", command: Shell.command("ls", "-lL", known.path))
      ]
    case .notAnApplication:
      return [finding(refusal.description, entry: known, key: "Type", command: Shell.edit(known.path, at: 1))]
    }
  }

  /// Returns the command that fixes the original of a copy and registers it again; `nil` if there is no original.
  private static func again(_ known: ScannedEntry, _ snapshot: SystemSnapshot) -> String? {
    guard let managed = snapshot.managedEntries.first(where: { $0.id == known.id && $0.path == known.path }),
      let path = managed.original, let original = snapshot.originals[path]
    else { return nil }
    let line = original.line(of: "Exec", in: DesktopEntry.group)
    return Shell.edit(path, at: line) + " && " + RegistrationCheck.registering(managed, snapshot)
  }

  /// Returns findings for lines that GLib accepts, but other implementations may not.
  private static func diagnostics(of known: ScannedEntry) -> [Finding] {
    let faults = Set(known.entry.file.fatalDiagnostics)
    return known.entry.file.diagnostics.filter { !faults.contains($0) }.map { diagnostic in
      Finding(
        check: "entry", message: "\(diagnostic), which programs interpret differently", file: known.path,
        line: diagnostic.line, command: Shell.edit(known.path, at: diagnostic.line))
    }
  }

  private static func ofBus(_ known: ScannedEntry, _ snapshot: SystemSnapshot) -> [Finding] {
    guard known.entry.isDBusActivatable else { return [] }
    let id = known.id
    let reason: String
    if id.busName == nil {
      reason = "the ID \(id) is not a valid bus name, so all launchers run its Exec line"
    } else if id.rawValue.utf8.count(where: { $0 == UInt8(ascii: ".") }) < 2 {
      reason = "the ID \(id) has fewer than two dots, so KDE runs its Exec line"
    } else {
      let start = ActivationCheck.obstacle(
        to: known.entry, of: id, services: snapshot.services, directories: snapshot.directories,
        programs: snapshot.programs)
      guard let start else { return [] }
      guard start.file == nil else {
        return [
          Finding(
            check: "entry", message: start.message, file: start.file, line: start.line, command: start.command
          )
        ]
      }
      let original = snapshot.managedEntries.first { $0.path == known.path }?.original ?? known.path
      let without = Shell.command("desktop-file-edit", "--remove-key=DBusActivatable", original)
      return [
        finding(
          "DBusActivatable=true has no effect: \(start.message); alternatively, remove the key: \(without)",
          entry: known,
          key: "DBusActivatable", command: start.command)
      ]
    }
    return [
      finding(
        "DBusActivatable=true has no effect: \(reason)", entry: known, key: "DBusActivatable",
        command: Shell.command("desktop-file-edit", "--remove-key=DBusActivatable", known.path))
    ]
  }

  private static func ofSpelling(_ known: ScannedEntry) -> [Finding] {
    known.entry.schemes.filter { URLScheme($0)?.rawValue != $0 }.map { scheme in
      let type = "x-scheme-handler/" + scheme
      guard let right = URLScheme(scheme) else {
        return finding(
          "“\(scheme)” is not a valid scheme", entry: known, key: "MimeType",
          command: Shell.command("desktop-file-edit", "--remove-mime-type=\(type)", known.path))
      }
      return finding(
        "the scheme \(scheme) is not in lower case, so no program finds it", entry: known, key: "MimeType",
        command: Shell.command(
          "desktop-file-edit", "--remove-mime-type=\(type)", "--add-mime-type=\(right.mimeType)", known.path))
    }
  }

  /// Returns the command that fixes a line that violates the syntax.
  static func fix(_ diagnostic: KeyFile.Diagnostic, _ path: String) -> String {
    guard diagnostic.kind == .byteOrderMark else { return Shell.edit(path, at: diagnostic.line) }
    return Shell.command("sed", "-i", #"1s/^\xEF\xBB\xBF//"#, path)
  }

  private static func finding(
    _ message: String, entry: ScannedEntry, key: String, command: String
  ) -> Finding {
    Finding(
      check: "entry", message: message, file: entry.path, line: entry.line(of: key), command: command)
  }
}
