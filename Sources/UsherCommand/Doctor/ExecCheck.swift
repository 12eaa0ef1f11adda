// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// A check that GIO, KDE and `xdg-open` interpret each Exec line alike.
enum ExecCheck {
  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    snapshot.applications.filter { $0.refusal == nil && !$0.entry.isHidden && !$0.entry.schemes.isEmpty }
      .flatMap { known in
        guard let exec = known.entry.exec else { return [Finding]() }
        do throws(FreedesktopError) {
          return findings(known, exec: exec, line: try ExecLine(exec), snapshot: snapshot)
        } catch {
          return [finding(error.description, entry: known, command: edit(known))]
        }
      }
  }

  private static func findings(
    _ known: ScannedEntry, exec: String, line: ExecLine, snapshot: SystemSnapshot
  ) -> [Finding] {
    var findings = line.warnings.compactMap { warning -> Finding? in
      switch warning {
      case .noURLCode:
        finding(
          warning.sentence, entry: known, command: set(exec + " %u", known),
          repair: mayEdit(known, snapshot) ? .urlCode(known.path) : nil)
      case .localFilesOnly:
        finding(
          warning.sentence, entry: known,
          command: set(exec.replacing("%f", with: "%u").replacing("%F", with: "%U"), known))
      case .valueInCode: finding(warning.sentence, entry: known, command: edit(known))
      // The user should not edit the file of a package if the line works.
      default: known.isUsers ? finding(warning.sentence, entry: known, command: edit(known)) : nil
      }
    }
    if let program = ListenLine(line.words)?.program, snapshot.programs.find(program) == nil {
      let path = snapshot.programs.notExecutable(program)
      findings.append(
        finding(
          "the program behind “usher listen”, \(program), "
            + (path == nil ? "does not exist (moved or deleted)" : "is not executable"), entry: known,
          command: path.map { Shell.command("chmod", "+x", $0) } ?? edit(known)))
    }
    // Usher reads any Exec line, so that a line reached only through Usher needs no fix.
    let isThroughUsher = known.entry.schemes.allSatisfy { scheme in
      snapshot.handlers.contains { $0.scheme.rawValue == scheme && $0.isThroughUsher }
    }
    let direct = snapshot.handlers.first { $0.application == known.id && !$0.isThroughUsher }
    for limit in XDGOpenLimit.of(exec, line) {
      switch limit {
      case .quotedProgram(let program):
        guard !isThroughUsher else { continue }
        let link = snapshot.directories.dataHome + "/" + known.id.rawValue
        let rest = exec.dropFirst().drop { $0 != "\"" }.dropFirst()
        let command = Shell.command("ln", "-s", program, link) + " && " + set(link + rest, known)
        findings.append(finding(limit.sentence, entry: known, command: command))
      case .embeddedURL:
        guard let direct, direct.scheme.refusal == nil else { continue }
        findings.append(
          finding(
            limit.sentence, entry: known,
            command: Shell.command("usher", "register", known.id.rawValue, "--scheme", direct.scheme.rawValue)
          ))
      }
    }
    return findings
  }

  /// Returns the command that sets the Exec line; `desktop-file-edit` writes the escapes of a key file into it.
  private static func set(_ value: some StringProtocol, _ known: ScannedEntry) -> String {
    Shell.command("desktop-file-edit", "--set-key=Exec", "--set-value=\(value)", known.path)
  }

  private static func edit(_ known: ScannedEntry) -> String {
    Shell.edit(known.path, at: known.line(of: "Exec"))
  }

  /// Returns whether the entry is the user's own, and not a copy whose original is to be edited.
  private static func mayEdit(_ known: ScannedEntry, _ snapshot: SystemSnapshot) -> Bool {
    known.isUsers && !snapshot.managedEntries.contains { $0.path == known.path && $0.original != nil }
  }

  private static func finding(
    _ message: String, entry: ScannedEntry, command: String, repair: Repair? = nil
  ) -> Finding {
    Finding(
      check: "exec", message: message, file: entry.path, line: entry.line(of: "Exec"), command: command,
      repair: repair)
  }
}
