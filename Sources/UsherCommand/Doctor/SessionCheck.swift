// SPDX-License-Identifier: Apache-2.0
import Launching
import OpenSocket

/// A check of the session that programs get if their caller sends none, and of how reliably callers are identified.
enum SessionCheck {
  /// The variables without which a program of this session finds no display, or another desktop's.
  private static let needed =
    SessionVariables.displays + ["XAUTHORITY", "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP"]

  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    guard let broker = snapshot.bus.session else { return [] }
    return findings(
      here: CallerSession(LaunchEnvironment.current()), broker: broker, snapshot.bus.hasUserManager)
  }

  /// Returns the variables of this session that the broker lacks.
  ///
  /// A broker with another display belongs to another session of the user, and is as it should be. A forwarded display
  /// ends with its connection, so it is not for the broker's environment: see ``notes(here:broker:)``.
  static func findings(here: CallerSession, broker: [String: String], _ hasUserManager: Bool) -> [Finding] {
    guard here.hasDisplay, forwardedDisplay(of: here) == nil,
      !CallerSession.hasDisplay(broker) || !here.hasOtherDisplay(than: broker)
    else {
      return []
    }
    let missing = needed.filter { here.variables[$0] != nil && broker[$0] == nil }
    guard !missing.isEmpty else { return [] }
    let names = missing.joined(separator: " ")
    return [
      Finding(
        check: "session",
        message:
          "the broker's environment has no \(names.replacing(" ", with: ", ")); programs get these variables "
          + "only for requests whose caller has them",
        command: hasUserManager
          ? "dbus-update-activation-environment --systemd \(names)"
          : "dbus-update-activation-environment \(names) && "
            + "kill $(busctl --user status org.usher.Broker1 | sed -n 's/^PID=//p')")
    ]
  }

  static func notes(_ snapshot: SystemSnapshot) -> [Note] {
    let session =
      snapshot.bus.session.map { notes(here: CallerSession(LaunchEnvironment.current()), broker: $0) } ?? []
    return session + callerNotes(snapshot)
  }

  /// Returns a note if only requests of this connection have a display.
  static func notes(here: CallerSession, broker: [String: String]) -> [Note] {
    guard let display = forwardedDisplay(of: here), !CallerSession.hasDisplay(broker) else { return [] }
    return [
      Note(
        check: "session",
        message:
          "the broker has no display of its own; requests from this session show windows on its forwarded "
          + "display, \(display), and requests without a display show none")
    ]
  }

  /// Returns the display of X on another machine, as `ssh -X` sets it (X(7), "DISPLAY NAMES"); `nil` if there is none or a local one.
  private static func forwardedDisplay(of session: CallerSession) -> String? {
    guard session.variables["WAYLAND_DISPLAY"] == nil, let display = session.variables["DISPLAY"],
      let host = display.split(separator: ":", omittingEmptySubsequences: false).first,
      !host.isEmpty, host != "unix", !host.hasPrefix("/"), host.count < display.count
    else { return nil }
    return display
  }

  private static func callerNotes(_ snapshot: SystemSnapshot) -> [Note] {
    guard snapshot.bus.obstacle == nil, !snapshot.bus.hasUserManager else { return [] }
    return [
      Note(
        check: "callers",
        message:
          "no systemd user manager is on the bus, so the source application of a link is unknown unless the "
          + "application calls the broker itself, or is a Flatpak or a snap")
    ]
  }
}
