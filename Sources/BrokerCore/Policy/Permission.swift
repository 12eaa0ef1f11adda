// SPDX-License-Identifier: Apache-2.0
/// Something that an application may do only if the user allows it, apart from the links that it opens.
public enum Permission: String, CaseIterable, Sendable {
  /// Showing notifications.
  case notifications
  /// Being started when the location changes.
  case location
  /// Being started for Bluetooth devices.
  case bluetooth

  /// The activity, to complete a sentence such as “Notes asks to …”.
  public var activity: String {
    switch self {
    case .notifications: "show notifications"
    case .location: "use the location of this computer, also while it is closed"
    case .bluetooth: "use Bluetooth devices, also while it is closed"
    }
  }
}
