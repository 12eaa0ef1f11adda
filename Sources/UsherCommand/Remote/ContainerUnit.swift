// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import DBus

/// The unit of a container's relay, as the user manager has it.
struct ContainerUnit: Hashable {
  /// The start and the end of the name of such a unit; the name of the container is between them.
  private static let (prefix, suffix) = ("usher-remote@", ".service")

  /// The name of the unit.
  let name: String
  /// A Boolean value that indicates whether logins start it.
  let isEnabled: Bool
  /// A Boolean value that indicates whether it runs, or is about to.
  let isActive: Bool
  /// A Boolean value that indicates whether it has failed.
  let hasFailed: Bool

  /// The text in the name of the unit, which is the name of a container.
  var container: Substring { name.dropFirst(Self.prefix.count).dropLast(Self.suffix.count) }

  /// The container; `nil` if the text cannot be its name, so that the relay exits at once.
  var machine: RemoteMachine? { RemoteMachine(container: container) }

  /// The commands that replace a unit with a wrong name.
  var correction: String {
    let disabling = Shell.command("systemctl", "--user", "disable", "--now", name)
    let reset = Shell.command("systemctl", "--user", "reset-failed", name)
    let name = container.lowercased().split(separator: ":").last ?? ""
    guard let right = RemoteMachine(container: name) else { return "\(disabling) && \(reset)" }
    let enabling = Shell.command("systemctl", "--user", "enable", "--now", ContainerRelay(of: right).unit)
    return "\(disabling) && \(reset); \(enabling)"
  }

  /// Asks the user manager for the units; returns none if there is no manager.
  static func gathered() -> [ContainerUnit] {
    guard let bus = try? BlockingBusConnection(.user),
      (try? bus.owner(of: manager.name)) != nil,
      let units = try? bus.call(listUnits, at: manager, [], ["\(prefix)*\(suffix)"], timeout: .seconds(10))
    else { return [] }
    // Of an instance, the manager has no state of a file.
    let target = try? bus.call(
      PropertiesInterface.getAll, at: defaultTarget, "org.freedesktop.systemd1.Unit", timeout: .seconds(10))
    let wanted = target?["Wants"]?.strings ?? []
    return units.map { unit in
      let (name, _, _, state, _, _, _, _, _, _) = unit.members
      return ContainerUnit(
        name: name, isEnabled: wanted.contains(name),
        isActive: ["active", "activating", "reloading"].contains(state), hasFailed: state == "failed")
    }.sorted { $0.name < $1.name }
  }

  private static let manager = RemoteObject("org.freedesktop.systemd1", "/org/freedesktop/systemd1")
  /// The unit that is reached with a login, whose installation section the units name.
  private static let defaultTarget = RemoteObject(
    "org.freedesktop.systemd1", "/org/freedesktop/systemd1/unit/default_2etarget")
  private typealias Unit = BusStruct<
    String, String, String, String, String, String, ObjectPath, UInt32, String, ObjectPath
  >
  private static let listUnits = BusMethod<Arguments<[String], [String]>, Arguments<[Unit]>>(
    "ListUnitsByPatterns", of: "org.freedesktop.systemd1.Manager", takes: ["states", "patterns"],
    returns: ["units"])
}
