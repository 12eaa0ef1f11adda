// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Freedesktop

/// The maximum numbers of items of one kind that are stored.
struct ItemLimits: Sendable {
  /// The maximum number of one application.
  let ofApplication: Int
  /// The maximum number of all applications.
  let total: Int
  /// Completes the error that begins with an application, such as “has 8 centrals”.
  let own: @Sendable (Int) -> String
  /// Begins the error about all applications, such as “200 centrals are monitored”.
  let all: @Sendable (Int) -> String
  /// The verb for the end of an item.
  var remedy = "remove"

  /// Requires that an application can have one more item.
  ///
  /// - Throws: `TooMany`.
  func requireSpace(
    for application: String, among keys: some Collection<MonitoredKey>
  ) throws(BusError) {
    try requireSpace(
      for: application, own: keys.count { $0.application.isSpelt(like: application) }, all: keys.count)
  }

  /// Requires that an application can have one more item.
  ///
  /// - Parameters:
  ///   - own: The number of items of the application.
  ///   - all: The number of items of all applications.
  /// - Throws: `TooMany`.
  func requireSpace(for application: String, own: Int, all: Int) throws(BusError) {
    guard own < ofApplication else {
      throw BusError(
        .tooMany, "\(application) \(self.own(own)), which is the limit; \(remedy) some of them first")
    }
    guard all < total else {
      throw BusError(.tooMany, "\(self.all(all)) altogether, which is the limit")
    }
  }
}
