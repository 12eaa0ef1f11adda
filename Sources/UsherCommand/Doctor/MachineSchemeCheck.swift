// SPDX-License-Identifier: Apache-2.0
import struct BrokerCore.RemoteMachine
import DBus
import Freedesktop

/// A scheme that another machine has registered, as its temporary entry says.
struct MachineScheme {
  let entry: RemoteEntry
  /// The path of the entry.
  let path: String
  /// A Boolean value that indicates whether the relay of the machine runs; `nil` if the bus does not say.
  let isConnected: Bool?

  /// Reads the entries, and asks the bus for their relays.
  static func gathered(_ registration: Registration) -> [MachineScheme] {
    let entries = registration.remoteEntries
    guard !entries.isEmpty else { return [] }
    let bus = try? BlockingBusConnection(.user)
    return entries.map { entry in
      var isConnected: Bool?
      if let bus, let name = BusName(entry.id.rawValue) {
        do { isConnected = try bus.owner(of: name) != nil } catch { isConnected = nil }
      }
      return MachineScheme(entry: entry, path: registration.path(of: entry), isConnected: isConnected)
    }
  }
}

/// A check that the schemes of other machines are registered only while these are connected.
enum MachineSchemeCheck {
  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    snapshot.machineSchemes.filter { $0.isConnected == false }.map { scheme in
      let directory = snapshot.directories.userApplicationDirectory
      return Finding(
        check: "machine",
        message:
          "\(scheme.entry.scheme): links are for \(RemoteMachine.title(ofMachineNamed: scheme.entry.machine)), which is not connected any more",
        file: scheme.path,
        command: Shell.command("rm", scheme.path) + " && "
          + Shell.command("update-desktop-database", directory), repair: .machineScheme(scheme.entry))
    }
  }

  static func notes(_ snapshot: SystemSnapshot) -> [Note] {
    snapshot.machineSchemes.filter { $0.isConnected == true }.map {
      Note(
        check: "machine",
        message:
          "\($0.entry.scheme): links are sent to \(RemoteMachine.title(ofMachineNamed: $0.entry.machine)) while it is connected; to end this, end the program "
          + "there, or run: usher remote unregister \($0.entry.scheme)")
    }
  }
}
