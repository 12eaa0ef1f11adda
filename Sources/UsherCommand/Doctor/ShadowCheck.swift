// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// A check that no entry writable by others hides an entry writable only by root, because callers are identified by the former.
enum ShadowCheck {
  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    snapshot.shadows.map { shadow in
      Finding(
        check: "shadow",
        message:
          "this entry overrides \(shadow.hidden) and identifies callers as \(shadow.id), but users other than root can modify it "
          + "(\(shadow.weakness))",
        file: shadow.path, command: Shell.command("mv", shadow.path, shadow.path + ".unused"))
    }
  }
}

/// An entry that others than root can modify, and that hides an entry which only root can modify.
struct EntryShadow {
  let id: ApplicationID
  let path: String
  let hidden: String
  /// The reason why others than root can modify the entry.
  let weakness: String

  /// Creates the shadow of an ID; `nil` if there is none.
  ///
  /// An entry with `Hidden=true` deletes the application and names no program, so that it is no shadow.
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
