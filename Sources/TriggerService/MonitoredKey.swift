// SPDX-License-Identifier: Apache-2.0
/// The name of something that is stored for an application: a region, a central or a notification.
struct MonitoredKey: Hashable, Sendable {
  let application: String
  let identifier: String
}

extension MonitoredKey: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    (left.application, left.identifier) < (right.application, right.identifier)
  }
}

extension Sequence<MonitoredKey> {
  /// Returns the keys of an application with these identifiers; `nil` selects all identifiers.
  func of(_ application: String, named identifiers: [String]?) -> [MonitoredKey] {
    filter { $0.application == application && identifiers?.contains($0.identifier) ?? true }
  }
}
