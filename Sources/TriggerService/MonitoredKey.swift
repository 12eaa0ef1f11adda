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
