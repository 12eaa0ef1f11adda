// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Launching

/// A suggestion of an installed application for the ID of one that is not installed.
struct ApplicationSuggestion: Hashable {
  let id: ApplicationID

  init?(for given: ApplicationID) {
    let catalog = UserEnvironment.catalog
    guard catalog.locations(of: given).isEmpty else { return nil }
    let ids = catalog.ids.filter { !$0.rawValue.hasPrefix("org.usher.") }
    // Users know an application by the last component of its ID.
    let called = ids.filter {
      $0.rawValue.split(separator: ".").last?.lowercased() == given.rawValue.lowercased()
    }
    let near = Nearest.word(to: given.rawValue, among: ids.map(\.rawValue)).flatMap {
      ApplicationID(rawValue: $0)
    }
    guard let id = called.count == 1 ? called.first : near else { return nil }
    self.id = id
  }
}
