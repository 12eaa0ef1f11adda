// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Launching

/// The deliveries on the command lines of programs, which have the means to start these in common.
struct ProgramDeliveries {
  let launcher: ProgramLauncher
  let starts: ProgramStarts
  /// The runtime directory, which has the envelope files of programs; `nil` if `XDG_RUNTIME_DIR` is not set.
  let runtimeDirectory: String?

  /// Returns the delivery to programs of an application, or of a route if it is `nil`.
  @BrokerActor
  func delivery(to application: TargetApplication?, named name: String) -> ProgramDelivery {
    ProgramDelivery(
      launcher: launcher, starts: starts, runtimeDirectory: runtimeDirectory, application: application,
      name: name)
  }
}
