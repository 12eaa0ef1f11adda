// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

/// The status of the location service for this daemon.
enum LocationServiceStatus: MonitoredServiceStatus {
  /// No application monitors locations.
  case off
  /// The service is starting.
  case starting
  /// The service reports locations.
  case active
  /// The service waits for an agent of the user's session.
  case waitingForAgent
  /// The agent has stopped the client, because the user has turned off the location.
  case stopped
  /// The user has turned off the location, or the administrator does not allow it.
  case denied
  /// GeoClue is not installed.
  case notInstalled
  /// The system bus cannot be reached.
  case noBus
  /// The service exits again and again, or rejects a call; the name of the error.
  case failed(ErrorName)

  /// The name in `org.usher.Triggers1.MonitoredLocations`.
  var name: String {
    switch self {
    case .off: "off"
    case .starting: "starting"
    case .active: "active"
    case .waitingForAgent: "waiting-for-agent"
    case .stopped: "stopped"
    case .denied: "denied"
    case .notInstalled: "not-installed"
    case .noBus: "no-bus"
    case .failed: "failed"
    }
  }

  /// The restart after which the daemon asks GeoClue again.
  private static let retry = "systemctl --user restart usher-triggers.service"

  /// The error and its remedy; `nil` if there is none.
  var message: String? {
    switch self {
    case .off, .starting, .active: nil
    case .waitingForAgent:
      "GeoClue waits for an agent of the desktop session, without which it reports no location; GNOME Shell is one, other desktops start /usr/libexec/geoclue-2.0/demos/agent"
    case .stopped:
      "the user has turned off the location; turn it on in the privacy settings of the desktop"
    case .denied:
      "GeoClue does not allow org.usher.Handler to use the location; turn on the location in the privacy settings of the desktop, or allow it in /etc/geoclue/geoclue.conf; run: \(Self.retry)"
    case .notInstalled: "GeoClue is not installed; run: sudo apt install geoclue-2.0 && \(Self.retry)"
    case .noBus:
      "the system bus, on which GeoClue reports locations, cannot be reached; usher-triggers connects when it starts"
    case .failed(let error):
      "GeoClue fails (\(error)); read its journal (journalctl -u geoclue); run: \(Self.retry)"
    }
  }
}
