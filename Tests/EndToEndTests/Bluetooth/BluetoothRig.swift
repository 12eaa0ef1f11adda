// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport

/// A private system bus with a mock of BlueZ: the template `bluez5` of python3-dbusmock, with one adapter.
struct BluetoothRig: Sendable {
  static let belt = "00:1A:7D:DA:71:13"
  static let other = "00:1A:7D:DA:71:14"
  static let heartRate = "0000180d-0000-1000-8000-00805f9b34fb"

  private static let mock: InterfaceName = "org.bluez.Mock"
  private static let bluez: BusName = "org.bluez"

  let desk: InstalledDesktop
  let daemon: TriggerDaemon
  let system: SystemBus

  /// Runs `body` on a desktop whose `usher-triggers` is started with the system bus of the rig.
  static func with(
    hasBlueZ: Bool = true, _ body: @Sendable (BluetoothRig) async throws -> Void
  ) async throws {
    try await InstalledDesktop.with(needsPermit: false) { desk in
      let system = try await SystemBus.start(on: desk)
      try await system.announce()
      let rig = BluetoothRig(desk: desk, daemon: try await TriggerDaemon(on: desk), system: system)
      let program = hasBlueZ ? try await rig.startBlueZ() : nil
      try await body(rig)
      try await rig.daemon.kill()
      program?.kill()
    }
  }

  /// Starts the mock, and adds its adapter and both devices, which do not advertise.
  func startBlueZ() async throws -> RunningProgram {
    let program = try await RunningProgram.start(
      "/usr/bin/python3", ["-u", "-m", "dbusmock", "--system", "--template", "bluez5"],
      environment: desk.desktop.environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": system.address]) { $1 })
    try await use { bus in
      let owners = try await bus.owners(of: Self.bluez)
      for await owner in owners where owner != nil { break }
      _ = try await bus.call(
        BusMethod<Arguments<String, String>, Arguments<String>>(
          "AddAdapter", of: Self.mock, takes: ["device", "system"], returns: ["path"]),
        at: RemoteObject(Self.bluez, "/"), "hci0", "computer")
    }
    return program
  }

  private func use<Value: Sendable>(
    _ body: @Sendable (BusConnection) async throws -> Value
  ) async throws -> Value {
    let bus = try await BusConnection.open(.address(system.address))
    let value = try await body(bus)
    await bus.close()
    return value
  }

  // MARK: Devices

  /// Makes a device known to BlueZ.
  func addDevice(_ address: String = belt, _ name: String = "Belt") async throws {
    try await use { bus in
      _ = try await bus.call(
        BusMethod<Arguments<String, String, String>, Arguments<String>>(
          "AddDevice", of: Self.mock, takes: ["adapter", "address", "alias"], returns: ["path"]),
        at: RemoteObject(Self.bluez, "/"), "hci0", address, name)
    }
  }

  /// Connects or disconnects a device.
  func setConnected(_ isConnected: Bool, _ address: String = belt) async throws {
    try await use { bus in
      try await bus.call(
        BusMethod<Arguments<String, String>, Arguments<>>(
          isConnected ? "ConnectDevice" : "DisconnectDevice", of: Self.mock, takes: ["adapter", "address"]),
        at: RemoteObject(Self.bluez, "/"), "hci0", address)
    }
  }

  /// Makes a device advertise the service of heart rates.
  func advertise(_ address: String = belt) async throws {
    try await update(Self.path(of: address), "org.bluez.Device1", ["UUIDs": .strings([Self.heartRate])])
  }

  /// Removes a device, as BlueZ does some time after its last advertisement.
  func removeDevice(_ address: String = belt) async throws {
    let path = Self.path(of: address)
    try await use { bus in
      try await bus.call(
        BusMethod<Arguments<ObjectPath>, Arguments<>>(
          "RemoveDevice", of: "org.bluez.Adapter1", takes: ["device"]),
        at: RemoteObject(Self.bluez, "/org/bluez/hci0"), path)
    }
  }

  /// Turns the adapter on or off.
  func turn(_ on: Bool) async throws {
    try await update("/org/bluez/hci0", "org.bluez.Adapter1", ["Powered": .boolean(on)])
  }

  /// Returns whether the adapter discovers devices.
  func isDiscovering() async throws -> Bool {
    try await use { bus in
      try await bus.get(
        BusProperty<Bool>("Discovering", of: "org.bluez.Adapter1"),
        at: RemoteObject(Self.bluez, "/org/bluez/hci0"))
    }
  }

  private static func path(of address: String) -> ObjectPath {
    ObjectPath("/org/bluez/hci0/dev_" + address.replacing(":", with: "_")) ?? "/"
  }

  private func update(
    _ path: ObjectPath, _ interface: String, _ properties: [String: Variant]
  ) async throws {
    try await use { bus in
      try await bus.call(
        BusMethod<Arguments<String, [String: Variant]>, Arguments<>>(
          "UpdateProperties", of: "org.freedesktop.DBus.Mock", takes: ["interface", "properties"]),
        at: RemoteObject(Self.bluez, path), interface, properties)
    }
  }

  // MARK: The daemon

  /// Returns the match rules of `usher-triggers` on the system bus; `nil` if it has no connection.
  func matchRules() async throws -> [String]? {
    try await system.matchRules(of: daemon.processID())
  }

  /// The monitored centrals, as `usher bluetooth list --json` prints them, or the published services.
  func list(_ command: String = "list") async throws -> PropertyList {
    let result = try await desk.usher("bluetooth", command, "--json")
    return try PropertyList(json: result.output.isEmpty ? "{}" : result.output)
  }

  /// Waits until the service has this status.
  func waitUntil(service: String) async throws {
    try await waitUntil("the Bluetooth service: \(service)") { $0["service"]?.string == service }
  }

  /// Waits until a condition about what is monitored holds.
  func waitUntil(_ what: String, _ holds: @Sendable @escaping (PropertyList) -> Bool) async throws {
    try await withDeadline(Command.defaultDeadline, what) {
      while try await !holds(list()) { try await Task.sleep(for: .milliseconds(20)) }
    }
  }

  /// Waits until a condition about the first published peripheral holds.
  func waitUntilPublished(
    _ what: String, _ holds: @Sendable @escaping (PropertyList) -> Bool
  ) async throws {
    try await withDeadline(Command.defaultDeadline, what) {
      while try await !(list("services")["peripherals"]?.array?.first.map(holds) ?? false) {
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  /// Waits until the Bluetooth service has this status for published services.
  func waitUntil(published service: String) async throws {
    try await withDeadline(Command.defaultDeadline, "the Bluetooth service: \(service)") {
      while try await list("services")["service"]?.string != service {
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }
}
