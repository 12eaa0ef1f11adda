import Freedesktop

/// A check that no application is installed twice.
enum DuplicateCheck {
  static func findings(_ facts: SystemSnapshot) -> [Finding] {
    facts.applications.flatMap(twins) + sameProgram(facts)
  }

  private static func twins(of known: ScannedEntry) -> [Finding] {
    known.twins.map { twin in
      Finding(
        check: "duplicate",
        message: "\(twin) has the same ID in the same directory; which of the two is used is undefined",
        file: known.path, command: Shell.command("mv", twin, twin + ".unused"))
    }
  }

  private static func sameProgram(_ facts: SystemSnapshot) -> [Finding] {
    let usable = facts.applications.filter { $0.refusal == nil && !$0.entry.isHidden && $0.entry.exec != nil }
    var findings: [Finding] = []
    for (index, known) in usable.enumerated() {
      guard let other = usable[..<index].first(where: { isSame($0, known) }) else { continue }
      let shared = known.entry.schemes.filter(other.entry.schemes.contains)
      // The entry that Usher manages, otherwise the user's entry, is the one to remove.
      let ours = [known, other].first { one in facts.stamped.contains { $0.id == one.id } }
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
          file: extra.path, line: extra.line(of: "Exec"), command: command))
    }
    return findings
  }

  private static func isSame(_ one: ScannedEntry, _ other: ScannedEntry) -> Bool {
    one.entry.exec == other.entry.exec && one.entry.schemes.contains(where: other.entry.schemes.contains)
  }
}
