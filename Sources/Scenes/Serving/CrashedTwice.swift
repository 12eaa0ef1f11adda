// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

/// The error of a request that two crashes have interrupted, and that is therefore not handled again.
///
/// Its effect is unknown. The sender gets `TargetFailed`, which means this as the reply to `Deliver`.
package struct CrashedTwice: Error, CustomStringConvertible {
  let applicationID: String

  package var description: String {
    "\(applicationID) exited \(RequestDeduplicator.attempts) times while it handled the request"
  }

  var busError: BusError { BusError(.targetFailed, description) }
}
