// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The size of the fault harness for notifications: `USHER_TRIGGER_TORTURE="triggers=1000 kills=20"`, with CI's defaults.
struct TriggerTorturePlan {
  var triggers = 60
  /// The number of pushes with an alert, and of those for the background.
  var pushes = 10
  var applications = 6
  /// The number of kills of each program: `usher-triggers`, `usherd`, and an application.
  var kills = 3
  var seed: UInt64 = 1
  /// The number of triggers that are due in a second.
  var rate = 25

  init(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws {
    let sizes = try TortureSizes(
      "USHER_TRIGGER_TORTURE", in: environment,
      ["triggers", "pushes", "applications", "kills", "seed", "rate"])
    triggers = sizes["triggers"] ?? triggers
    pushes = sizes["pushes"] ?? pushes
    applications = sizes["applications"] ?? applications
    kills = sizes["kills"] ?? kills
    seed = sizes["seed"].map(UInt64.init(clamping:)) ?? seed
    rate = sizes["rate"] ?? rate
  }
}
