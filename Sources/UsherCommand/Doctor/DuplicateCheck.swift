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
      let pairs = [(extra: known, kept: other), (extra: other, kept: known)]
      if let (managed, kept) = pairs.first(where: { isManaged($0.extra, snapshot) }) {
        let command = Shell.command("usher", "unregister", managed.id.rawValue)
        findings.append(finding(managed, beside: kept, command: command))
        continue
      }
      let users = pairs.filter(\.extra.isUsers).map { ($0, need(for: $0.extra, beside: $0.kept, snapshot)) }
      // Better the one that nothing needs.
      guard let ((extra, kept), need) = users.first(where: { $0.1 == nil }) ?? users.first else { continue }
      findings.append(finding(extra, beside: kept, need))
    }
    return findings
  }

  private static func isManaged(_ known: ScannedEntry, _ snapshot: SystemSnapshot) -> Bool {
    snapshot.managedEntries.contains { $0.id == known.id }
  }

  /// Returns the finding for a second entry of a program, which the user has written.
  private static func finding(
    _ extra: ScannedEntry, beside kept: ScannedEntry, _ need: Need?
  ) -> Finding {
    var command = Shell.command("mv", extra.path, extra.path + ".unused")
    if case .default(let type, _)? = need {
      command = Shell.command("gio", "mime", type, kept.id.desktopFileName)
    }
    let isRepaired = need == nil && !extra.isLink
    return finding(
      extra, beside: kept, need.map { "; \($0)" } ?? "", command: command,
      repair: isRepaired ? .setAside(extra.id, path: extra.path) : nil)
  }

  private static func finding(
    _ extra: ScannedEntry, beside kept: ScannedEntry, _ remark: String = "", command: String,
    repair: Repair? = nil
  ) -> Finding {
    let shared = extra.entry.schemes.filter(kept.entry.schemes.contains).joined(separator: ", ")
    return Finding(
      check: "duplicate",
      message:
        "\(extra.id) runs the same program as \(kept.id) (\(kept.path)) for \(shared), so choosers list it twice"
        + remark,
      file: extra.path, line: extra.line(of: "Exec"), command: command, repair: repair)
  }

  /// The reason why links or files would be opened by another application than the user has chosen, or by none, without an entry.
  private enum Need: CustomStringConvertible {
    /// The list at this path gives the type to it.
    case `default`(type: String, list: String)
    /// The other entry does not declare these types.
    case types([String])
    /// A route names it.
    case route

    var description: String {
      switch self {
      case .default(let type, let list): "\(list) names it for \(type)"
      case .types(let types): "only it opens \(types.joined(separator: ", "))"
      case .route: "a route names it"
      }
    }
  }

  private static func need(
    for known: ScannedEntry, beside other: ScannedEntry, _ snapshot: SystemSnapshot
  ) -> Need? {
    if let (type, list) = line(naming: known.id, beside: other.id, snapshot) {
      return .default(type: type, list: list)
    }
    let types = known.entry.mimeTypes.filter { !other.entry.mimeTypes.contains($0) }
    if !types.isEmpty { return .types(types) }
    return snapshot.routeTargets.contains(known.id) ? .route : nil
  }

  /// Returns the first type that a list gives to an application, with the path of the list, unless a list of equal or higher precedence
  /// names `kept` as the default; `nil` if no list does.
  private static func line(
    naming id: ApplicationID, beside kept: ApplicationID, _ snapshot: SystemSnapshot
  ) -> (type: String, list: String)? {
    var settled: Set<String> = []
    for list in snapshot.lists {
      guard let file = list.file else { continue }
      for group in [ListCheck.defaults, ListCheck.added] {
        for type in file.keys(in: group) where !settled.contains(type) {
          let names = (file.list(of: type, in: group) ?? []).filter { !$0.isEmpty }.map {
            ApplicationID(desktopFileName: $0)
          }
          if names.first == kept, group == ListCheck.defaults { settled.insert(type) }
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
