// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Glibc
import Systemd

/// The process that owns the broker's name, and the user manager's view of the broker's unit.
struct BrokerProcess {
  /// The unit as whose main process the broker runs where the user manager starts it.
  static let unit = "usherd.service"

  /// The process ID; `nil` if the broker does not run.
  var pid: Int32?
  /// A Boolean value that is `true` if the process is in the unit.
  var isInUnit = false
  /// The state of the unit file (systemctl(1), "is-enabled"), such as `masked`; `nil` if the manager finds no file, if no manager
  /// replies, or if the manager was not asked.
  private(set) var unitFileState: String?

  /// Creates the description of a broker that does not run.
  init() {}

  /// Asks the bus for the process.
  init(on bus: BlockingBusConnection) {
    if let facts = try? bus.call(
      BusDaemon.getConnectionCredentials, at: .bus, BrokerInterface.busName.rawValue, timeout: .seconds(10))
    {
      pid = facts["ProcessID"]?.integer.flatMap(Int32.init(exactly:))
    }
    let group = pid.flatMap { ProcDirectory(of: $0)?.text(of: "cgroup") }
    isInUnit = group.map { ControlGroup(text: $0, user: getuid()).userUnit == Self.unit } ?? false
  }

  /// Asks the user manager for the unit file.
  ///
  /// A bus without a manager tries to start one.
  mutating func askManager(on bus: BlockingBusConnection) {
    unitFileState = Self.unitFileState(of: Self.unit, on: bus)
  }

  /// Returns the state of a unit file; `nil` if the manager finds no file or does not reply.
  static func unitFileState(of unit: String, on bus: BlockingBusConnection) -> String? {
    try? bus.call(getUnitFileState, at: manager, unit, timeout: .seconds(10))
  }

  private static let manager = RemoteObject("org.freedesktop.systemd1", "/org/freedesktop/systemd1")
  private static let getUnitFileState = BusMethod<Arguments<String>, Arguments<String>>(
    "GetUnitFileState", of: "org.freedesktop.systemd1.Manager", takes: ["name"], returns: ["state"])

  /// The command that replaces the running broker, or starts one.
  ///
  /// A broker that the bus started itself is in no unit. The bus starts its successor for the next link.
  var restart: String {
    guard let pid, !isInUnit else { return "systemctl --user restart \(Self.unit)" }
    return "kill \(pid)"
  }
}
