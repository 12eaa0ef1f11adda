// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// The default and the associated applications of a MIME type, as the portal sees them.
struct PortalCandidates {
  /// The desktop-file ID of the default; `nil` if there is none.
  let application: String?
  /// The number of applications that are associated with the type.
  let associated: Int
  /// Returns whether an application is installed.
  let isInstalled: (String) -> Bool

  /// Creates the candidates from the resolution of a type.
  init(_ resolution: Resolution, catalog: ApplicationCatalog) {
    application = resolution.application?.id?.rawValue
    associated = resolution.registered.count
    isInstalled = { name in
      guard let id = ApplicationID(desktopFileName: name + ".desktop") else { return false }
      return (try? catalog.entry(id)) != nil
    }
  }

  init(application: String?, associated: Int, isInstalled: @escaping (String) -> Bool = { _ in true }) {
    (self.application, self.associated, self.isInstalled) = (application, associated, isInstalled)
  }

  /// Returns those of `choices` by which the portal opens another application than the desktop's default.
  func overriding(_ choices: [PortalChoice]) -> [PortalChoice] {
    choices.filter { $0.application != application && $0.decides(on: self) }
  }
}
