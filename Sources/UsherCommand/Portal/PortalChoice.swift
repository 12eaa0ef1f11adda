// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Freedesktop

/// An application that the user chose in the portal's chooser, as recorded in the permission store.
struct PortalChoice: Hashable {
  /// The MIME type, such as `x-scheme-handler/notes`.
  let type: String
  /// The portal's ID of the calling application for which the choice holds; empty for programs that the portal cannot identify.
  let caller: String
  /// The desktop-file ID of the chosen application.
  let application: String
  /// The number of times that the user chose it in succession.
  let count: Int
  /// The count from which the portal no longer shows its chooser.
  let threshold: Int
  /// Indicates whether the user wants to see the chooser each time.
  let alwaysAsks: Bool

  /// The threshold of an entry that has none.
  private static let defaultThreshold = 3

  /// Reads the permissions of one caller: the application, the count, and the threshold, which older portals omit.
  init?(type: String, caller: String, permissions: [String], data: Variant) {
    guard permissions.count >= 2, !permissions[0].isEmpty else { return nil }
    (self.type, self.caller, application) = (type, caller, permissions[0])
    count = Int(permissions[1]) ?? 0
    threshold = permissions.count > 2 ? Int(permissions[2]) ?? Self.defaultThreshold : Self.defaultThreshold
    alwaysAsks = threshold == Int(Int32.max) || data.entries?["always-ask"]?.boolean == true
  }

  /// Returns whether the portal opens the chosen application without showing its chooser.
  ///
  /// The rule is that of `open-uri.c` of xdg-desktop-portal. The desktop's default precedes the choice only for the
  /// types in `takesDefault`. For other types a choice counts once it was made often enough, or if only one
  /// application is associated with the type.
  ///
  /// - Parameter desktop: The applications that the desktop associates with the type.
  func decides(on desktop: PortalCandidates) -> Bool {
    guard desktop.isInstalled(application), !alwaysAsks else { return false }
    if desktop.application != nil, Self.takesDefault(type) { return false }
    return count >= threshold || desktop.associated == 1
  }

  /// Returns whether the portal opens the desktop's default for a type without a chooser.
  static func takesDefault(_ type: String) -> Bool {
    let schemes = ["http", "https", "ftp", "mailto", "webcal", "calendar"]
    return type == MIMEType.directory.rawValue || schemes.contains { type == "x-scheme-handler/" + $0 }
  }

  /// The callers for which the choice holds, for a sentence.
  var callers: String { caller.isEmpty ? "programs that the portal cannot identify" : caller }

  /// The keys for JSON: `caller` s, `application` s, `count` x.
  var entries: [String: Variant] {
    [
      "caller": .string(caller), "application": .string(application), "count": .int64(Int64(count)),
    ]
  }
}
