import BusInterfaces
import Freedesktop

/// A check that the broker can be reached, and that it can be started if it is not running.
enum BrokerCheck {
  static func findings(_ facts: SystemSnapshot) -> [Finding] {
    onBus(facts) + ofFiles(facts)
  }

  private static func onBus(_ facts: SystemSnapshot) -> [Finding] {
    if let obstacle = facts.bus.obstacle {
      return [
        Finding(
          check: "broker",
          message:
            "cannot connect to a session bus (\(obstacle)), so only programs without a bus name can receive links",
          command: "dbus-run-session -- \"$SHELL\"")
      ]
    }
    guard facts.bus.isActivatable else {
      let isInstalled = !facts.activation.isEmpty
      return [
        Finding(
          check: "broker",
          message: isInstalled
            ? "the bus has not yet read the activation file of org.usher.Broker1"
            : "the broker does not run, and the bus has no activation file for it",
          file: facts.activation.first?.path,
          command: isInstalled ? reload : install)
      ]
    }
    if let failure = facts.bus.failure {
      return [
        Finding(
          check: "broker", message: "the broker does not reply: \(failure)",
          file: facts.activation.first?.path, line: facts.activation.first?.line,
          command: facts.daemon == nil ? install : "systemctl --user restart usherd.service")
      ]
    }
    guard let version = facts.bus.version, version != UsherVersion.text else { return [] }
    return [
      Finding(
        check: "broker",
        message:
          "the running broker has version \(version), but this command has version \(UsherVersion.text)",
        command: "systemctl --user restart usherd.service")
    ]
  }

  private static func ofFiles(_ facts: SystemSnapshot) -> [Finding] {
    guard let activation = facts.activation.first else { return [] }
    let program = activation.program ?? ""
    guard facts.programs.find(program) == nil else { return [] }
    return [
      Finding(
        check: "broker",
        message: "the program in the activation file of the broker does not exist: \(program)",
        file: activation.path, line: activation.line, command: install)
    ]
  }

  /// The command that installs Usher.
  static let install = "make install PREFIX=/usr/local"
  private static let reload =
    "busctl --user call org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus ReloadConfig"
}
