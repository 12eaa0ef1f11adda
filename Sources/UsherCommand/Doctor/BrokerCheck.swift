// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Freedesktop

/// A check that the broker can be reached, and that it can be started if it is not running.
enum BrokerCheck {
  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    onBus(snapshot) + ofFiles(snapshot)
  }

  private static func onBus(_ snapshot: SystemSnapshot) -> [Finding] {
    if let obstacle = snapshot.bus.obstacle {
      return [
        Finding(
          check: "broker",
          message:
            "cannot connect to a session bus (\(obstacle)), so only programs without a bus name can receive links",
          command: "dbus-run-session -- \"$SHELL\"")
      ]
    }
    guard snapshot.bus.isActivatable else { return [unknownToBus(snapshot)] }
    if let failure = snapshot.bus.failure {
      return [
        Finding(
          check: "broker", message: "the broker does not reply: \(failure)",
          file: snapshot.activation.first?.path, line: snapshot.activation.first?.line,
          command: start(snapshot))
      ]
    }
    guard let version = snapshot.bus.version, version != UsherVersion.text else { return [] }
    return [
      Finding(
        check: "broker",
        message:
          "the running broker has version \(version), but this command has version \(UsherVersion.text)",
        command: snapshot.bus.process.restart)
    ]
  }

  private static func unknownToBus(_ snapshot: SystemSnapshot) -> Finding {
    if let activation = snapshot.activation.first {
      return Finding(
        check: "broker", message: "the bus has not yet read the activation file of org.usher.Broker1",
        file: activation.path, command: reload)
    }
    if let data = snapshot.unsearchedData {
      let consequence = HandlerEntryCheck.isMissing(snapshot) ? ", and no desktop passes links to Usher" : ""
      return Finding(
        check: "broker",
        message:
          "the broker is not running, and the bus cannot start it\(consequence), because \(data) is in neither "
          + "XDG_DATA_HOME nor XDG_DATA_DIRS", file: data + "/dbus-1/services/org.usher.Broker1.service",
        command: link(data, into: snapshot.directories.dataHome))
    }
    return Finding(
      check: "broker", message: "the broker is not running, and the bus has no activation file for it",
      command: install)
  }

  /// Returns `true` if the finding is that the desktop and the bus do not search the directory of this installation.
  ///
  /// Its command makes them find the desktop entries, too.
  static func reportsUnsearchedData(_ snapshot: SystemSnapshot) -> Bool {
    snapshot.bus.obstacle == nil && !snapshot.bus.isActivatable && snapshot.activation.isEmpty
      && snapshot.unsearchedData != nil
  }

  /// Returns the command that makes the desktop and the bus find the entries and activation files below `data`.
  static func link(_ data: String, into home: String) -> String {
    let parts = [("applications", "desktop"), ("dbus-1/services", "service")].map { directory, suffix in
      "mkdir -p \(Shell.word("\(home)/\(directory)")) && "
        + "ln -sf \(Shell.word("\(data)/\(directory)"))/org.usher.*.\(suffix) \(Shell.word("\(home)/\(directory)"))"
    }
    return (parts + [Shell.command("update-desktop-database", "\(home)/applications")]).joined(
      separator: " && ")
  }

  /// Returns the command that makes the broker start or reply.
  private static func start(_ snapshot: SystemSnapshot) -> String {
    let process = snapshot.bus.process
    if let pid = process.pid, !process.isInUnit { return "kill -KILL \(pid)" }
    guard let activation = snapshot.activation.first, let program = activation.program,
      snapshot.programs.find(program) != nil
    else { return install }
    // Its output gives the reason for which it exits.
    guard let unit = activation.unit else { return Shell.word(program) }
    switch process.unitFileState {
    case "masked", "masked-runtime": return Shell.command("systemctl", "--user", "unmask", unit)
    case nil: return snapshot.unitFile.map { Shell.command("systemctl", "--user", "link", $0) } ?? install
    case .some: return process.restart
    }
  }

  private static func ofFiles(_ snapshot: SystemSnapshot) -> [Finding] {
    guard let activation = snapshot.activation.first else { return [] }
    let program = activation.program ?? ""
    guard snapshot.programs.find(program) == nil else { return [] }
    return [
      Finding(
        check: "broker",
        message: "the program in the activation file of the broker does not exist: \(program)",
        file: activation.path, line: activation.line, command: install)
    ]
  }

  /// The command that installs Usher, in its source.
  ///
  /// Root usually finds no Swift, and would leave files in the user's build.
  static let install = "make build && sudo make install-files PREFIX=/usr/local"
  private static let reload =
    "busctl --user call org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus ReloadConfig"
}
