// SPDX-License-Identifier: Apache-2.0
import DBus
import Systemd

/// The parts of the service manager's interfaces that Usher uses (org.freedesktop.systemd1(5)).
enum SystemdManagerInterface {
  static let name: BusName = "org.freedesktop.systemd1"
  static let manager = RemoteObject(name, "/org/freedesktop/systemd1")
  private static let managerInterface: InterfaceName = "org.freedesktop.systemd1.Manager"
  private static let unitInterface: InterfaceName = "org.freedesktop.systemd1.Unit"
  private static let serviceInterface: InterfaceName = "org.freedesktop.systemd1.Service"

  static let subscribe = BusMethod<Arguments<>, Arguments<>>("Subscribe", of: managerInterface)
  /// The error of `subscribe` on a connection that is subscribed.
  static let alreadySubscribed: ErrorName = "org.freedesktop.systemd1.AlreadySubscribed"
  static let startTransientUnit = BusMethod<
    Arguments<
      String, String, [BusStruct<String, Variant>], [BusStruct<String, [BusStruct<String, Variant>]>]
    >, Arguments<ObjectPath>
  >(
    "StartTransientUnit", of: managerInterface, takes: ["name", "mode", "properties", "aux"],
    returns: ["job"])
  static let getUnit = BusMethod<Arguments<String>, Arguments<ObjectPath>>(
    "GetUnit", of: managerInterface, takes: ["name"], returns: ["unit"])
  /// The error of `getUnit` for a unit that the manager does not have.
  static let noSuchUnit: ErrorName = "org.freedesktop.systemd1.NoSuchUnit"
  static let stopUnit = BusMethod<Arguments<String, String>, Arguments<ObjectPath>>(
    "StopUnit", of: managerInterface, takes: ["name", "mode"], returns: ["job"])
  static let unrefUnit = BusMethod<Arguments<String>, Arguments<>>(
    "UnrefUnit", of: managerInterface, takes: ["name"])
  static let environment = BusProperty<[String]>("Environment", of: managerInterface)
  static let jobRemoved = BusSignal<Arguments<UInt32, ObjectPath, String, String>>(
    "JobRemoved", of: managerInterface, carries: ["id", "job", "unit", "result"])

  static let loadState = BusProperty<String>("LoadState", of: unitInterface)
  /// The number and the path of the unit's job; 0 and `/` if there is none.
  static let job = BusProperty<BusStruct<UInt32, ObjectPath>>("Job", of: unitInterface)
  static let activeState = BusProperty<String>("ActiveState", of: unitInterface)
  static let execMainPID = BusProperty<UInt32>("ExecMainPID", of: serviceInterface)
  static let execMainCode = BusProperty<Int32>("ExecMainCode", of: serviceInterface)
  static let execMainStatus = BusProperty<Int32>("ExecMainStatus", of: serviceInterface)

  /// Returns whether a service manager is on the bus.
  static func isServed(on bus: BusConnection) async -> Bool { await bus.hasOwner(name) }

  /// Returns whether the service manager on the bus is a process that was started before `time`, in clock ticks since boot.
  static func isServed(on bus: BusConnection, byProcessStartedBefore time: UInt64) async -> Bool {
    guard let process = try? await bus.credentials(of: name).processID,
      let start = ProcDirectory(of: process)?.startTime
    else { return false }
    return start < time
  }

  /// Returns whether a service manager owns its name now, or before `timeout` has passed: it leaves the bus while it executes itself again.
  static func becomesServed(on bus: BusConnection, within timeout: Duration) async -> Bool {
    guard let owners = try? await bus.owners(of: name) else { return false }
    return await withTaskGroup { [loop = bus.loop] group in
      group.addTask { await owners.contains { $0 != nil } }
      group.addTask {
        try? await loop.sleep(for: timeout)
        return false
      }
      let isServed = await group.next() ?? false
      group.cancelAll()
      return isServed
    }
  }
}
