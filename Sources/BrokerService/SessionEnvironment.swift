// SPDX-License-Identifier: Apache-2.0
import DBus
import Launching

/// The environment of the programs of the user's session, which also leads to the files of the policy.
struct SessionEnvironment: Sendable {
  /// The environment of the broker.
  let ofBroker: [String: String]
  let bus: BusConnection

  /// Returns the environment of the broker, overridden by that of the user's service manager.
  func current() async -> [String: String] {
    var environment = ofBroker
    // Programs get the service manager's environment, and it may have changed since the broker was started.
    environment.merge(await ProgramLauncher.managerEnvironment(bus)) { $1 }
    return environment
  }
}
