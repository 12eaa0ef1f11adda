// SPDX-License-Identifier: Apache-2.0

/// A check that the location service reports locations to the applications that monitor them.
enum LocationCheck {
  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    snapshot.notifications.locations.findings("location", object: "the location", list: "usher region list")
  }
}
