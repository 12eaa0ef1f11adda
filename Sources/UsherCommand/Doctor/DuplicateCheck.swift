// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// A check that no application is installed twice.
enum DuplicateCheck {
  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    snapshot.applications.flatMap(twins) + sameProgram(snapshot) + leftOver(snapshot)
  }

  /// Returns findings for entries of an earlier path: programs that write an entry at each start, such as AppImages and
  /// Tauri's deep-link plugin, name it after their file, and leave the former one when they are moved.
  private static func leftOver(_ snapshot: SystemSnapshot) -> [Finding] {
    snapshot.applications.filter { isLeftOver($0, snapshot) }.map { known in
      Finding(
        check: "duplicate",
        message:
          "this entry is left over from an earlier path of its program, which no longer exists; "
          + "\(successor(of: known, snapshot)?.path ?? "") has the same name and opens \(known.entry.schemes.joined(separator: ", "))",
        file: known.path, line: known.line(of: "Exec"),
        command: Shell.command("mv", known.path, known.path + ".unused"),
        repair: .setAside(known.id, path: known.path))
    }
  }

  /// Returns whether the user's entry is left over, which this check reports and no other one.
  static func isLeftOver(_ known: ScannedEntry, _ snapshot: SystemSnapshot) -> Bool {
    guard known.isUsers, !snapshot.managedEntries.contains(where: { $0.path == known.path }) else {
      return false
    }
    switch known.refusal {
    case .programNotFound, .tryExecNotFound: return successor(of: known, snapshot) != nil
    default: return false
    }
  }

  private static func successor(of known: ScannedEntry, _ snapshot: SystemSnapshot) -> ScannedEntry? {
    let name = known.entry.file.string(of: "Name", in: DesktopEntry.group)
    return snapshot.applications.first { other in
      other.path != known.path && other.refusal == nil && !other.entry.isHidden && name != nil
        && other.entry.file.string(of: "Name", in: DesktopEntry.group) == name
        && !known.entry.schemes.isEmpty && known.entry.schemes.allSatisfy(other.entry.schemes.contains)
    }
  }

  private static func twins(of known: ScannedEntry) -> [Finding] {
    known.twins.map { twin in
      Finding(
        check: "duplicate",
        message: "\(twin) has the same ID in the same directory; which of the two is used is undefined",
        file: known.path, command: Shell.command("mv", twin, twin + ".unused"))
    }
  }

  private static func sameProgram(_ snapshot: SystemSnapshot) -> [Finding] {
    let usable = snapshot.applications.filter {
      $0.refusal == nil && !$0.entry.isHidden && $0.entry.exec != nil
    }
    var findings: [Finding] = []
    for (index, known) in usable.enumerated() {
      guard let other = usable[..<index].first(where: { isSame($0, known) }) else { continue }
      let shared = known.entry.schemes.filter(other.entry.schemes.contains)
      // The entry that Usher manages, otherwise the user's entry, is the one to remove.
      let ours = [known, other].first { one in snapshot.managedEntries.contains { $0.id == one.id } }
      guard let extra = ours ?? [known, other].first(where: \.isUsers) else { continue }
      let kept = extra.path == known.path ? other : known
      let command =
        ours == nil
        ? Shell.command("mv", extra.path, extra.path + ".unused")
        : Shell.command("usher", "unregister", extra.id.rawValue)
      findings.append(
        Finding(
          check: "duplicate",
          message:
            "\(extra.id) runs the same program as \(kept.id) (\(kept.path)) for \(shared.joined(separator: ", ")), so "
            + "choosers list it twice",
          file: extra.path, line: extra.line(of: "Exec"), command: command,
          repair: ours == nil ? .setAside(extra.id, path: extra.path) : nil))
    }
    return findings
  }

  private static func isSame(_ one: ScannedEntry, _ other: ScannedEntry) -> Bool {
    one.entry.exec == other.entry.exec && one.entry.schemes.contains(where: other.entry.schemes.contains)
  }
}
