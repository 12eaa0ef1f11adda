// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Freedesktop

/// A check that notifications are stored, shown and received.
enum NotificationCheck {
  private static let check = "notifications"

  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    let status = snapshot.notifications
    return daemon(snapshot) + (status.isUsed ? store(status) + server(snapshot) + registrations(status) : [])
  }

  private static func daemon(_ snapshot: SystemSnapshot) -> [Finding] {
    let status = snapshot.notifications
    // Without the broker, nothing of Usher works, and another check says why.
    guard snapshot.bus.obstacle == nil, snapshot.bus.isActivatable, !status.isMasked else { return [] }
    let file = snapshot.services.first { $0.name == TriggersInterface.busName.rawValue }
    if let file, let program = file.program, snapshot.programs.find(program) == nil {
      return [
        Finding(
          check: check,
          message: "the program in the activation file of usher-triggers does not exist: \(program)",
          file: file.path, line: file.line, command: BrokerCheck.install)
      ]
    }
    guard status.isActivatable else {
      return [
        Finding(
          check: check,
          message: "usher-triggers is not running, and the bus has no activation file for it, so no "
            + "notification is shown", command: BrokerCheck.install)
      ]
    }
    guard let failure = status.failure else { return [] }
    let command =
      snapshot.bus.hasUserManager
      ? Shell.command("systemctl", "--user", "restart", NotificationStatus.unit)
      : "busctl --user status org.usher.Triggers1"
    return [
      Finding(
        check: check, message: "usher-triggers does not reply: \(failure)",
        command: command)
    ]
  }

  private static func store(_ status: NotificationStatus) -> [Finding] {
    if let obstacle = status.obstacle {
      return [
        Finding(
          check: check, message: "the stored notifications cannot be read (\(obstacle)), so none is shown",
          file: status.store, command: Shell.command("mv", status.store, status.store + ".old"))
      ]
    }
    guard status.isOpenToOthers else { return [] }
    return [
      Finding(
        check: check,
        message: "other users can read the stored notifications and the keys of the registrations for pushes",
        file: status.store, command: Shell.command("chmod", "600", status.store))
    ]
  }

  /// The programs that are notification servers, and can be started by hand.
  private static let servers = ["dunst", "mako", "swaync", "fnott"]

  private static func server(_ snapshot: SystemSnapshot) -> [Finding] {
    guard snapshot.bus.obstacle == nil else { return [] }
    if case .failing(let reason) = snapshot.notifications.server {
      return [
        Finding(
          check: check,
          message:
            "the notification server does not reply, so notifications may not be shown: \(reason); restart the program that "
            + "the command names",
          command: "busctl --user status org.freedesktop.Notifications")
      ]
    }
    guard case .missing = snapshot.notifications.server else { return [] }
    let installed = servers.first { snapshot.programs.find($0) != nil }
    return [
      Finding(
        check: check,
        message: "no notification server owns org.freedesktop.Notifications, so notifications wait for one",
        command: installed.map { "\($0) &" } ?? "sudo apt install dunst && (dunst &)")
    ]
  }

  private static func registrations(_ status: NotificationStatus) -> [Finding] {
    status.registrations.filter { !status.distributors.contains($0.distributor) }.map { registration in
      let other = status.distributors.first
      return Finding(
        check: check,
        message: "\(registration.application) receives no notifications from its server, because its push "
          + "distributor \(registration.distributor) is not installed",
        command: other.map {
          Shell.command("usher", "push", "register", registration.application, "--distributor", $0)
        } ?? Shell.command("usher", "push", "unregister", registration.application))
    }
  }

  // MARK: Notes

  static func notes(_ snapshot: SystemSnapshot) -> [Note] {
    let status = snapshot.notifications
    var notes: [String] = []
    if status.isMasked {
      notes.append(
        "notifications are turned off, because \(NotificationStatus.unit) is masked; "
          + "systemctl --user unmask \(NotificationStatus.unit) turns them on")
    }
    if status.isUsed {
      if case .running(let name, let capabilities) = status.server {
        let missing = effects.filter { !capabilities.contains($0.capability) }.map(\.effect)
        if !missing.isEmpty {
          notes.append("the notification server \(name) has limits: \(missing.joined(separator: "; "))")
        }
      }
      notes += status.refused.map { application in
        "the user has refused the notifications of \(application); "
          + Shell.command("usher", "grants", "revoke", "--permission", "notifications", application)
          + " lets it ask again"
      }
      if status.distributors.isEmpty, status.registrations.isEmpty {
        notes.append("no push distributor is installed, so servers cannot send notifications")
      }
    }
    return notes.map { Note(check: check, message: $0) }
  }

  /// The effect of each missing capability, as a clause.
  private static let effects: [(capability: String, effect: String)] = [
    ("actions", "a click on a notification has no effect, and it has no buttons"),
    ("inline-reply", "the user cannot enter a text in a notification"),
    ("persistence", "a notification stays on the screen until the user acts on it"),
  ]
}
