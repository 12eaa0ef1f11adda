// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

/// A check that the location service reports locations to the applications that monitor them.
enum LocationCheck {
  /// The reply of the trigger daemon about locations.
  struct Status {
    /// The number of applications that monitor locations.
    var applications = 0
    /// The reason why the service reports no locations, and the remedy; `nil` if it does.
    var message: String?

    init() {}

    /// Reads the reply of `org.usher.Triggers1.MonitoredLocations`.
    init(_ monitored: [String: Variant]) {
      var names = Set(monitored["significant-changes"]?.strings ?? [])
      if case .array(_, let regions)? = monitored["regions"] {
        names.formUnion(regions.compactMap { $0.entries?["application"]?.string })
      }
      applications = names.count
      message = monitored["message"]?.string
    }
  }

  static func findings(_ facts: SystemSnapshot) -> [Finding] {
    let status = facts.notifications.locations
    guard status.applications > 0, let message = status.message else { return [] }
    // The messages name the command last.
    let parts = message.split(separator: "; run: ", maxSplits: 1).map(String.init)
    let subject =
      status.applications == 1 ? "an application monitors" : "\(status.applications) applications monitor"
    return [
      Finding(
        check: "location", message: "\(subject) the location, but \(parts[0])",
        command: parts.count == 2 ? parts[1] : "usher region list")
    ]
  }
}
