// SPDX-License-Identifier: Apache-2.0
import DBus
import Freedesktop

/// A check for choices in the portal's permission store that precede the desktop's defaults.
enum PortalCheck {
  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    if case .unavailable(let reason) = snapshot.portal {
      return [
        Finding(
          check: "portal",
          message:
            "the portal's permission store, which may precede mimeapps.list for sandboxed applications, cannot be "
            + "read: \(reason)",
          command: Shell.command("systemctl", "--user", "restart", "xdg-permission-store.service"))
      ]
    }
    return snapshot.portalOverrides.map { found in
      let store = PermissionStoreInterface.self
      return Finding(
        check: "portal", message: "\(found.scheme): \(found.sentence)",
        command: Shell.command(
          "busctl", "--user", "call", store.store.name.rawValue, store.store.path.rawValue,
          store.name.rawValue, store.deletePermission.name.rawValue, "sss", store.choices,
          found.choice.type, found.choice.caller),
        repair: .portalChoice(found.choice))
    }
  }
}
