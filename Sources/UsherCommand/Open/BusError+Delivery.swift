// SPDX-License-Identifier: Apache-2.0
import DBus

extension BusError {
  /// A Boolean value that is `true` if the error proves that no service received the call.
  ///
  /// A portal without a backend for the desktop lacks the interface, and the bus may be unable to start an installed service.
  var provesAbsence: Bool {
    isOfMissingObject
      || [.serviceUnknown, .nameHasNoOwner, .notSent, .notStarted, .exitedAtStart].contains(busFailure)
  }
}

extension BlockingBusConnection {
  /// Connects to the user's bus for a call to a service of the desktop.
  ///
  /// - Throws: `NotSent`, because `Disconnected` is the error of a call that the service may have received.
  static func toService() throws(BusError) -> BlockingBusConnection {
    do throws(BusError) { return try BlockingBusConnection(.user) } catch {
      throw BusError(.notSent, error.message)
    }
  }
}
