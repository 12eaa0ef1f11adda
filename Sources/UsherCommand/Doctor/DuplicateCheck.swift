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
        repair: known.isLink ? nil : .setAside(known.id, path: known.path))
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
      // The entry that Usher manages, otherwise an entry of the user, is the one to remove; better one that nothing needs.
      let ours = [known, other].first { one in snapshot.managedEntries.contains { $0.id == one.id } }
      let users = [known, other].filter(\.isUsers)
      let unneeded = users.first { !isNeeded($0, beside: $0.path == known.path ? other : known, snapshot) }
      guard let extra = ours ?? unneeded ?? users.first else { continue }
      let kept = extra.path == known.path ? other : known
      findings.append(finding(extra, beside: kept, isManaged: ours != nil, snapshot))
    }
    return findings
  }

  private static func finding(
    _ extra: ScannedEntry, beside kept: ScannedEntry, isManaged: Bool, _ snapshot: SystemSnapshot
  ) -> Finding {
    let shared = extra.entry.schemes.filter(kept.entry.schemes.contains)
    var message =
      "\(extra.id) runs the same program as \(kept.id) (\(kept.path)) for \(shared.joined(separator: ", ")), so "
      + "choosers list it twice"
    var command = Shell.command("mv", extra.path, extra.path + ".unused")
    if isManaged {
      command = Shell.command("usher", "unregister", extra.id.rawValue)
    } else if let (type, list) = line(naming: extra.id, beside: kept.id, snapshot) {
      message += "; \(list) names it for \(type)"
      command = Shell.command("gio", "mime", type, kept.id.desktopFileName)
    } else if case let others = types(onlyOf: extra, beside: kept), !others.isEmpty {
      message += "; only it opens \(others.joined(separator: ", "))"
    } else if snapshot.routeTargets.contains(extra.id) {
      message += "; a route names it"
    }
    let mayBeSetAside = !isManaged && !extra.isLink && !isNeeded(extra, beside: kept, snapshot)
    return Finding(
      check: "duplicate", message: message, file: extra.path, line: extra.line(of: "Exec"), command: command,
      repair: mayBeSetAside ? .setAside(extra.id, path: extra.path) : nil)
  }

  /// Returns whether links or files would be opened by another application than the user has chosen, or by none, without an entry.
  private static func isNeeded(
    _ known: ScannedEntry, beside other: ScannedEntry, _ snapshot: SystemSnapshot
  ) -> Bool {
    line(naming: known.id, beside: other.id, snapshot) != nil || snapshot.routeTargets.contains(known.id)
      || !types(onlyOf: known, beside: other).isEmpty
  }

  private static func types(onlyOf known: ScannedEntry, beside other: ScannedEntry) -> [String] {
    known.entry.mimeTypes.filter { !other.entry.mimeTypes.contains($0) }
  }

  /// Returns the first type that a list gives to an application, with the path of the list, unless a list of equal or higher precedence
  /// names `kept` as the default; `nil` if none does.
  private static func line(
    naming id: ApplicationID, beside kept: ApplicationID, _ snapshot: SystemSnapshot
  ) -> (type: String, list: String)? {
    var settled: Set<String> = []
    for list in snapshot.lists {
      guard let file = list.file else { continue }
      for group in ["Default Applications", "Added Associations"] {
        for type in file.keys(in: group) where !settled.contains(type) {
          let names = (file.value(of: type, in: group) ?? "").split(separator: ";").map {
            ApplicationID(desktopFileName: String($0))
          }
          if names.first == kept, group == "Default Applications" { settled.insert(type) }
          if !settled.contains(type), names.contains(id) { return (type, list.path) }
        }
      }
    }
    return nil
  }

  private static func isSame(_ one: ScannedEntry, _ other: ScannedEntry) -> Bool {
    one.entry.exec == other.entry.exec && one.entry.schemes.contains(where: other.entry.schemes.contains)
  }
}
