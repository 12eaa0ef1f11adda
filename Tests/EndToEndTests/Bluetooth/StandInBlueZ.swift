// SPDX-License-Identifier: Apache-2.0
import DBus
import TestSupport

/// A stand-in for BlueZ on a private system bus, with one adapter that offers the services of programs: `GattManager1` and
/// `LEAdvertisingManager1`, which python3-dbusmock does not have.
///
/// It calls a registered program as `bluetoothd` does (BlueZ 5.66, `src/gatt-database.c` and `src/advertising.c`): it reads the objects
/// before it answers the registration, passes the operations of a device with its path, makes an error of the Attribute Protocol of each
/// D-Bus error, sends `StopNotify` for the last device only, and forgets what a program has registered when that exits. Unlike BlueZ, it
/// waits longer than five seconds for an answer, because tests run on busy machines.
actor StandInBlueZ {
  /// An error of the Attribute Protocol that a device gets.
  struct AttributeError: Error, Equatable {
    let code: UInt8

    /// Translates an error as `dbus_error_to_att_ecode` does.
    init(_ error: BusError, notPermitted: UInt8) {
      code =
        switch error.name.rawValue {
        case "org.bluez.Error.Failed": 0x80
        case "org.bluez.Error.NotSupported": 0x06
        case "org.bluez.Error.NotAuthorized": 0x08
        case "org.bluez.Error.InvalidValueLength": 0x0D
        case "org.bluez.Error.InvalidOffset": 0x07
        case "org.bluez.Error.NotPermitted": notPermitted
        default: 0x0E
        }
    }
    init(_ code: UInt8) { self.code = code }
  }

  /// A characteristic of a registered program.
  struct Characteristic: Sendable {
    let object: RemoteObject
    let service: String
    let uuid: String
    let flags: [String]
  }

  private struct Registration {
    let owner: BusName
    let characteristics: [Characteristic]
    let services: [String]
    let tasks: [Task<Void, Never>]
  }

  private typealias Objects = [ObjectPath: [String: [String: Variant]]]

  static let device = "00:1A:7D:DA:71:13"
  private static let adapterPath: ObjectPath = "/org/bluez/hci0"
  private static let devicePath: ObjectPath = "/org/bluez/hci0/dev_00_1A_7D_DA_71_13"
  private static let flags: Set<String> = [
    "read", "write", "write-without-response", "notify", "indicate", "encrypt-read", "encrypt-write",
  ]

  /// The connection, whose unique name is that of BlueZ.
  let bus: BusConnection
  private var hasAdapter: Bool
  private var isPowered = true
  private var registrations: [String: Registration] = [:]
  private var advertisements: [String: [String: Variant]] = [:]
  private var subscribers: [ObjectPath: Int] = [:]
  private let (values, valueSent) = AsyncStream<[UInt8]>.makeStream()

  private init(_ bus: BusConnection, hasAdapter: Bool) {
    self.bus = bus
    self.hasAdapter = hasAdapter
  }

  /// Starts the stand-in, which owns the name of BlueZ.
  static func start(on system: SystemBus, hasAdapter: Bool = true) async throws -> StandInBlueZ {
    let bus = try await BusConnection.open(.address(system.address), reconnects: false)
    let bluez = StandInBlueZ(bus, hasAdapter: hasAdapter)
    try await bluez.export()
    guard try await bus.requestName("org.bluez") == .owned else {
      throw TestSupportError("there is another BlueZ")
    }
    return bluez
  }

  /// Exits.
  func end() async {
    for registration in registrations.values { for task in registration.tasks { task.cancel() } }
    registrations = [:]
    await bus.close()
  }

  // MARK: The interfaces of BlueZ

  private static let getManagedObjects = BusMethod<Arguments<>, Arguments<Objects>>(
    "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", returns: ["objects"])

  private static func registers(_ name: MemberName, _ manager: InterfaceName) -> BusMethod<
    Arguments<ObjectPath, [String: Variant]>, Arguments<>
  > {
    BusMethod(name, of: manager, takes: ["object", "options"])
  }

  private static func unregisters(_ name: MemberName, _ manager: InterfaceName) -> BusMethod<
    Arguments<ObjectPath>, Arguments<>
  > {
    BusMethod(name, of: manager, takes: ["object"])
  }

  private func export() async throws {
    let gatt: InterfaceName = "org.bluez.GattManager1"
    let advertising: InterfaceName = "org.bluez.LEAdvertisingManager1"
    try await bus.export(
      BusObject("/", [.method(Self.getManagedObjects) { _ in await self.objects }]))
    try await bus.export(
      BusObject(
        Self.adapterPath,
        [
          .method(Self.registers("RegisterApplication", gatt)) { call, path, _ async throws(BusError) in
            try await self.register(path, of: call.sender)
          },
          .method(Self.unregisters("UnregisterApplication", gatt)) { call, path async throws(BusError) in
            try await self.unregister(path, of: call.sender)
          },
          .method(Self.registers("RegisterAdvertisement", advertising)) {
            call, path, _ async throws(BusError) in
            try await self.advertise(path, of: call.sender)
          },
          .method(Self.unregisters("UnregisterAdvertisement", advertising)) {
            call, path async throws(BusError) in
            await self.endAdvertisement(path, of: call.sender)
          },
        ]))
  }

  private var adapter: [String: [String: Variant]] {
    [
      "org.bluez.Adapter1": ["Powered": .boolean(isPowered)], "org.bluez.GattManager1": [:],
      "org.bluez.LEAdvertisingManager1": [:],
    ]
  }

  private var objects: Objects { hasAdapter ? [Self.adapterPath: adapter] : [:] }

  /// Adds or removes the adapter; BlueZ forgets what was registered at it.
  func setAdapter(_ hasAdapter: Bool) async throws {
    self.hasAdapter = hasAdapter
    if hasAdapter {
      try await bus.emit(
        BusSignal<Arguments<ObjectPath, [String: [String: Variant]]>>(
          "InterfacesAdded", of: "org.freedesktop.DBus.ObjectManager", carries: ["object", "interfaces"]),
        from: "/", Self.adapterPath, adapter)
    } else {
      registrations = [:]
      advertisements = [:]
      subscribers = [:]
      try await bus.emit(
        BusSignal<Arguments<ObjectPath, [String]>>(
          "InterfacesRemoved", of: "org.freedesktop.DBus.ObjectManager", carries: ["object", "interfaces"]),
        from: "/", Self.adapterPath, Array(adapter.keys))
    }
  }

  private static func key(_ path: ObjectPath, _ owner: BusName) -> String { "\(owner) \(path)" }

  private func register(_ path: ObjectPath, of owner: BusName) async throws(BusError) {
    let key = Self.key(path, owner)
    guard registrations[key] == nil else {
      throw BusError("org.bluez.Error.AlreadyExists", "Already Exists")
    }
    let objects = try await bus.call(Self.getManagedObjects, at: RemoteObject(owner, path))
    var (services, characteristics): ([ObjectPath: String], [Characteristic]) = ([:], [])
    for (path, interfaces) in objects {
      guard let values = interfaces["org.bluez.GattService1"] else { continue }
      guard let uuid = values["UUID"]?.string, values["Primary"]?.boolean != nil, !uuid.hasPrefix("00001800"),
        !uuid.hasPrefix("00001801")
      else { throw BusError("org.bluez.Error.Failed", "Failed to create entry in database") }
      services[path] = uuid
    }
    for (path, interfaces) in objects {
      guard let values = interfaces["org.bluez.GattCharacteristic1"] else { continue }
      guard let uuid = values["UUID"]?.string, case .objectPath(let service)? = values["Service"],
        let parent = services[service], let flags = values["Flags"]?.strings, Self.flags.isSuperset(of: flags)
      else { throw BusError("org.bluez.Error.Failed", "Failed to create entry in database") }
      characteristics.append(
        Characteristic(object: RemoteObject(owner, path), service: parent, uuid: uuid, flags: flags))
    }
    guard !services.isEmpty else {
      throw BusError("org.bluez.Error.Failed", "No valid service object found")
    }
    let changes = try await bus.signals(PropertiesInterface.propertiesChanged, from: owner)
    let owners = try await bus.owners(of: owner)
    let paths = Set(characteristics.map(\.object.path))
    registrations[key] = Registration(
      owner: owner, characteristics: characteristics, services: Array(services.values),
      tasks: [
        Task {
          for await signal in changes where paths.contains(signal.path) {
            self.send(signal.values.1["Value"], of: signal.path)
          }
        },
        Task {
          for await name in owners where name == nil { self.forget(key) }
        },
      ])
  }

  private func unregister(_ path: ObjectPath, of owner: BusName) throws(BusError) {
    guard registrations[Self.key(path, owner)] != nil else {
      throw BusError("org.bluez.Error.DoesNotExist", "Does Not Exist")
    }
    forget(Self.key(path, owner))
  }

  private func forget(_ key: String) {
    guard let registration = registrations.removeValue(forKey: key) else { return }
    for characteristic in registration.characteristics { subscribers[characteristic.object.path] = nil }
    for task in registration.tasks { task.cancel() }
  }

  private func send(_ value: Variant?, of path: ObjectPath) {
    guard case .bytes(let bytes)? = value, subscribers[path] ?? 0 > 0 else { return }
    valueSent.yield(bytes)
  }

  private func advertise(_ path: ObjectPath, of owner: BusName) async throws(BusError) {
    // Adapters have one to a few.
    guard advertisements.isEmpty else {
      throw BusError("org.bluez.Error.NotPermitted", "Maximum advertisements reached")
    }
    advertisements[Self.key(path, owner)] = try await bus.call(
      PropertiesInterface.getAll, at: RemoteObject(owner, path), "org.bluez.LEAdvertisement1")
  }

  private func endAdvertisement(_ path: ObjectPath, of owner: BusName) {
    advertisements[Self.key(path, owner)] = nil
  }

  // MARK: A device

  /// The UUIDs of the offered services, in order.
  var services: [String] { registrations.values.flatMap(\.services).sorted() }

  /// The properties of the advertisements.
  var advertised: [[String: Variant]] { Array(advertisements.values) }

  /// Returns a characteristic by the beginning of its UUID, such as `2a19`; waits until it is registered.
  func characteristic(_ uuid: String) async throws -> Characteristic {
    try await withDeadline(Command.defaultDeadline, "the characteristic \(uuid)") {
      while true {
        if let found = await self.known(uuid) { return found }
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  private func known(_ uuid: String) -> Characteristic? {
    registrations.values.flatMap(\.characteristics).first { $0.uuid.hasPrefix("0000\(uuid)-") }
  }

  private static func options(offset: UInt16) -> [String: Variant] {
    var options: [String: Variant] = [
      "device": .objectPath(devicePath), "link": "LE", "mtu": .uint16(517),
    ]
    if offset > 0 { options["offset"] = .uint16(offset) }
    return options
  }

  /// Reads a value as a device does.
  func read(_ uuid: String, offset: UInt16 = 0) async throws -> [UInt8] {
    let characteristic = try await characteristic(uuid)
    do throws(BusError) {
      return try await bus.call(
        BusMethod<Arguments<[String: Variant]>, Arguments<[UInt8]>>(
          "ReadValue", of: "org.bluez.GattCharacteristic1", takes: ["options"], returns: ["value"]),
        at: characteristic.object, Self.options(offset: offset))
    } catch { throw AttributeError(error, notPermitted: 0x02) }
  }

  /// Writes a value as a device does.
  func write(_ value: [UInt8], to uuid: String, offset: UInt16 = 0) async throws {
    let characteristic = try await characteristic(uuid)
    do throws(BusError) {
      try await bus.call(
        BusMethod<Arguments<[UInt8], [String: Variant]>, Arguments<>>(
          "WriteValue", of: "org.bluez.GattCharacteristic1", takes: ["value", "options"]),
        at: characteristic.object, value, Self.options(offset: offset))
    } catch { throw AttributeError(error, notPermitted: 0x03) }
  }

  /// Subscribes a further device to a value.
  ///
  /// BlueZ ignores the answer of the program; the stand-in throws it, for the tests.
  func subscribe(to uuid: String) async throws {
    let characteristic = try await characteristic(uuid)
    subscribers[characteristic.object.path, default: 0] += 1
    try await notify("StartNotify", characteristic)
  }

  /// Ends the subscription of a device to a value.
  func unsubscribe(from uuid: String) async throws {
    let characteristic = try await characteristic(uuid)
    subscribers[characteristic.object.path, default: 1] -= 1
    guard subscribers[characteristic.object.path] == 0 else { return }
    try await notify("StopNotify", characteristic)
  }

  private func notify(_ name: MemberName, _ characteristic: Characteristic) async throws {
    do throws(BusError) {
      try await bus.call(
        BusMethod<Arguments<>, Arguments<>>(name, of: "org.bluez.GattCharacteristic1"),
        at: characteristic.object)
    } catch { throw AttributeError(error, notPermitted: 0x03) }
  }

  /// Returns the next value that a device with a subscription receives.
  func nextValue() async throws -> [UInt8] {
    let values = values
    let value = try await withDeadline(Command.defaultDeadline, "a value") {
      await values.first { _ in true }
    }
    guard let value else { throw TestSupportError("there are no more values") }
    return value
  }
}
