// SPDX-License-Identifier: Apache-2.0

/// The name of something that an application monitors: a region or a central.
struct MonitoredKey: Hashable, Sendable {
  let application: String
  let identifier: String
}

extension MonitoredKey: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    (left.application, left.identifier) < (right.application, right.identifier)
  }
}
