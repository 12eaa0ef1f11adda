import Freedesktop

/// Whether an entry that root alone can change is hidden by one of its ID that others can change: callers are identified by the latter.
enum ShadowCheck {
  static func findings(_ facts: SystemSnapshot) -> [Finding] {
    facts.shadows.map { shadow in
      Finding(
        check: "shadow",
        message:
          "it hides \(shadow.hidden), so callers are known as \(shadow.id) by this entry, which other users than root can change "
          + "(\(shadow.weakness))",
        file: shadow.path, command: Shell.command("mv", shadow.path, shadow.path + ".unused"))
    }
  }
}

/// An entry that others than root can change and that hides one which root alone can change.
struct EntryShadow {
  let id: ApplicationID
  let path: String
  let hidden: String
  /// Why others than root can change it.
  let weakness: String

  /// The shadow of this ID, if there is one; an entry that says `Hidden=true` deletes the application, and names no program.
  init?(of id: ApplicationID, in catalog: ApplicationCatalog, _ protection: RootProtection) {
    let locations = catalog.locations(of: id)
    guard let first = locations.first, locations.count > 1,
      let weakness = protection.weakness(of: first.path),
      let hidden = locations.dropFirst().first(where: { protection.weakness(of: $0.path) == nil }),
      (try? catalog.entry(id))?.isHidden == false
    else { return nil }
    self.id = id
    path = first.path
    self.hidden = hidden.path
    self.weakness = weakness
  }
}
