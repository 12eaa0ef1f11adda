// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// A check that Usher's own desktop entry is installed and unmodified, because every desktop opens links through it.
enum HandlerEntryCheck {
  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    let usable = snapshot.handlerEntries.first { $0.refusal == nil }
    let refused = snapshot.handlerEntries.filter { $0.refusal != nil }.map { entry in
      finding(
        "it cannot be used: \(entry.refusal?.description ?? "")", entry: entry, key: "Exec", fixing: entry)
    }
    guard let usable else {
      // One command fixes both.
      guard refused.isEmpty, !BrokerCheck.reportsUnsearchedData(snapshot) else { return refused }
      let name = ApplicationID.usherHandler.desktopFileName
      return [
        Finding(
          check: "handler",
          message: "\(name) is not in any applications directory, so no desktop passes links to Usher",
          command: snapshot.unsearchedData.map { BrokerCheck.link($0, into: snapshot.directories.dataHome) }
            ?? BrokerCheck.install)
      ]
    }
    return refused + oddities(of: usable)
  }

  /// Returns `true` if no applications directory has the entry.
  static func isMissing(_ snapshot: SystemSnapshot) -> Bool { snapshot.handlerEntries.isEmpty }

  private static func oddities(of known: ScannedEntry) -> [Finding] {
    let entry = known.entry
    var findings: [Finding] = []
    if !entry.mimeTypes.isEmpty {
      findings.append(
        finding(
          "it has a MimeType key, so choosers list Usher as an application", entry: known, key: "MimeType",
          fixing: known
        ))
    }
    if entry.isDBusActivatable {
      findings.append(
        finding(
          "remove DBusActivatable=true; with it, a link is lost if its caller exits immediately",
          entry: known,
          key: "DBusActivatable",
          fixing: known))
    }
    if entry.isHidden {
      findings.append(
        finding("Hidden=true marks the entry as deleted", entry: known, key: "Hidden", fixing: known))
    }
    let words = (try? entry.exec.map { try ExecLine($0).expand(["x:y"]) })?.first ?? []
    if Array(words.dropFirst()) != ["open", "--from-desktop", "x:y"] {
      findings.append(
        finding(
          "its Exec line must be “usher open --from-desktop %u”", entry: known, key: "Exec", fixing: known))
    }
    return findings
  }

  private static func finding(
    _ message: String, entry: ScannedEntry, key: String, fixing: ScannedEntry
  ) -> Finding {
    // A copy in the user's directory hides the installed entry.
    let command = fixing.isUsers ? Shell.command("rm", entry.path) : BrokerCheck.install
    return Finding(
      check: "handler", message: message, file: entry.path, line: entry.line(of: key), command: command)
  }
}
