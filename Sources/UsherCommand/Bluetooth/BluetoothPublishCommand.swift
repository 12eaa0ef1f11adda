// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus
import Triggers

/// The command `usher bluetooth publish`, which offers a service to other devices.
struct BluetoothPublishCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish", abstract: "Offer a service of an application to other devices.",
    usage: "usher bluetooth publish <id> <name> <service> [<value> ...] [<options>]",
    discussion: HelpText.discussion(
      """
      BlueZ offers the service while the computer has an adapter, whether or not the application runs. The application receives a \
      request with the reason bluetooth-peripherals when a device writes a value, subscribes to one for the first time, ends the last \
      subscription, or reads a value that is not stored. A further call with the name of the peripheral adds a service, or \
      replaces the values of the one with its UUID. \
      A value of a service is its UUID, a colon, and its operations, separated by commas: read, write, write-without-response, notify, \
      indicate. encrypt-read and encrypt-write allow the operation only to paired devices. After an equals sign follow the bytes in \
      hexadecimal, which reads get. Without them, the application is asked at each read.
      """,
      exit: [
        0: "success", 1: "the user does not allow it, a limit is exceeded, or it cannot be stored",
        2: "the application is not installed", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: [
        "Offer the charge of a battery, which is 75 percent":
          "usher bluetooth publish org.example.Notes lamp 180f 2a19:read,notify=4b",
        "Offer a value that paired devices read":
          "usher bluetooth publish org.example.Notes lamp 1815 2a56:read,encrypt-read",
        "Let other devices find a service": "usher bluetooth publish org.example.Notes lamp 1815 --advertise",
      ]))

  @Argument(application: "Name the application by its desktop-file ID.")
  var application: String

  @Argument(help: ArgumentHelp("Name the peripheral.", valueName: "name"))
  var identifier: String

  @Argument(
    help: ArgumentHelp("Offer this service, by its UUID of 16, 32 or 128 bits.", valueName: "service"))
  var service: String

  @Argument(
    help: ArgumentHelp(
      "Offer these values in it, such as 2a19:read,notify=4b.", valueName: "value"))
  var characteristics: [String] = []

  @Flag(help: "Advertise the services of the peripheral, so that other devices find it.")
  var advertise = false

  @Option(help: ArgumentHelp("Advertise this name, of at most 29 bytes.", valueName: "text"))
  var localName: String?

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard localName == nil || advertise else { throw ValidationError("use --local-name with --advertise") }
    _ = try changed(BluetoothPeripheral(identifier: identifier))
  }

  /// Returns the peripheral with the service and the advertisement.
  private func changed(_ peripheral: BluetoothPeripheral) throws -> BluetoothPeripheral {
    var changed = peripheral
    guard let uuid = BluetoothUUID(service) else {
      throw ValidationError("“\(service)” is not a UUID such as 180f")
    }
    if !characteristics.isEmpty || !changed.services.contains(where: { $0.uuid == uuid }) {
      changed.add(BluetoothService(uuid, characteristics: try characteristics.map(Self.characteristic)))
    }
    if advertise {
      changed.advertisement = BluetoothAdvertisement(
        localName: localName, services: Set(changed.services.map(\.uuid)))
    }
    do throws(MessageError) {
      // The daemon has the same rules; here a wrong value is a wrong argument.
      return try BluetoothPeripheral(changed.entries)
    } catch { throw ValidationError("\(error)") }
  }

  /// Reads a characteristic, such as `2a19:read,notify=4b`.
  private static func characteristic(_ text: String) throws -> BluetoothCharacteristic {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let names = parts[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard names.count == 2, let uuid = BluetoothUUID(String(names[0])) else {
      throw ValidationError("“\(text)” is not a UUID, a colon and operations, such as 2a19:read,notify")
    }
    var characteristic = BluetoothCharacteristic(uuid, properties: [])
    for name in names[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      if let property = BluetoothCharacteristic.Property(rawValue: name) {
        characteristic.properties.insert(property)
      } else if let permission = BluetoothCharacteristic.Permission(rawValue: name) {
        characteristic.permissions.insert(permission)
      } else {
        throw ValidationError(
          "“\(name)” is not one of read, write, write-without-response, notify, indicate, encrypt-read and encrypt-write"
        )
      }
    }
    if parts.count == 2 { characteristic.value = try Hexadecimal.bytes(String(parts[1])) }
    return characteristic
  }

  func run() throws {
    try TriggersConnection.change(to: "publish the service", json: json) { triggers throws(BusError) in
      let published = try triggers.call(TriggersInterface.bluetoothPeripherals)
      let known = MonitoredReport(published, of: application).items("peripherals").first {
        $0["identifier"]?.string == identifier
      }
      let peripheral =
        known.flatMap { try? BluetoothPeripheral($0) } ?? BluetoothPeripheral(identifier: identifier)
      guard let new = try? changed(peripheral) else {
        throw BusError(
          .tooMany, "the peripheral has too many services, or they are too large; withdraw it first")
      }
      try triggers.call(TriggersInterface.addBluetoothPeripheral, application, new.entries)
    }
  }
}

/// The command `usher bluetooth update`, which sets a value.
struct BluetoothUpdateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "update", abstract: "Set a value that other devices read.",
    usage: "usher bluetooth update <id> <name> <uuid> <bytes> [<options>]",
    discussion: HelpText.discussion(
      "The value is stored, and sent to the devices that have subscribed to it.",
      exit: [
        0: "success",
        1: "the user does not allow it, or it cannot be stored",
        64: "the arguments are wrong, or the peripheral has no such value",
        69: "the daemon cannot be reached",
      ],
      examples: ["Set the charge of a battery": "usher bluetooth update org.example.Notes lamp 2a19 4a"]))

  @Argument(application: "Name the application by its desktop-file ID.")
  var application: String

  @Argument(help: ArgumentHelp("Name the peripheral.", valueName: "name"))
  var identifier: String

  @Argument(help: ArgumentHelp("Name the value by its UUID.", valueName: "uuid"))
  var characteristic: String

  @Argument(help: ArgumentHelp("Set these bytes, in hexadecimal.", valueName: "bytes"))
  var value: String

  @Option(
    help: ArgumentHelp("Name the service, if several have the value.", valueName: "uuid"))
  var service: String?

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws { _ = try update() }

  private func update() throws -> BluetoothValueUpdate {
    var entries: [String: Variant] = [
      "identifier": .string(identifier), "characteristic": .string(characteristic),
      "value": .bytes(try Hexadecimal.bytes(value)),
    ]
    entries["service"] = service.map(Variant.string)
    do throws(MessageError) { return try BluetoothValueUpdate(entries) } catch {
      throw ValidationError("\(error)")
    }
  }

  func run() throws {
    let update = try update()
    try TriggersConnection.change(to: "set the value", json: json) { triggers throws(BusError) in
      try triggers.call(TriggersInterface.updateBluetoothValue, application, update.entries)
    }
  }
}

/// The command `usher bluetooth services`, which shows what is published.
struct BluetoothServicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "services", abstract: "List the services that applications offer to other devices.",
    discussion: HelpText.discussion(
      """
      Prints one line per value with its operations, its bytes in hexadecimal if they are stored, and whether a device has \
      subscribed to it. If BlueZ does not offer the services, the reason and the remedy follow.
      """,
      exit: [
        0: "success", 1: "the services cannot be read", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: ["List what is offered": "usher bluetooth services"]))

  @Argument(application: "List only what this application offers.")
  var application: String?

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let published = try TriggersConnection.ask(to: "list the services", json: json) {
      triggers throws(BusError) in
      try triggers.call(TriggersInterface.bluetoothPeripherals)
    }
    let report = MonitoredReport(published, of: application)
    let peripherals = report.items("peripherals")
    guard !json else { return report.printJSON(["peripherals": .dictionaries(peripherals)]) }
    if peripherals.isEmpty { Console.warn("no service is published") }
    for entries in peripherals {
      guard let peripheral = try? BluetoothPeripheral(entries) else { continue }
      let beginning = "\(entries["application"]?.string ?? "?")  \(peripheral.identifier)"
      let subscribed = Set(entries["subscribed"]?.strings ?? [])
      for id in peripheral.characteristics {
        guard let characteristic = peripheral[id] else { continue }
        var line = "\(beginning)  \(id.text)  \(characteristic.flags.joined(separator: ","))"
        if let value = characteristic.value { line += "  \(Hexadecimal.text(value))" }
        if subscribed.contains(id.text) { line += "  subscribed" }
        Console.print(line)
      }
      for service in peripheral.services where service.characteristics.isEmpty {
        Console.print("\(beginning)  \(service.uuid.text)")
      }
      if let advertisement = peripheral.advertisement {
        Console.print("\(beginning)  advertises \(advertisement.localName ?? "its services")")
      }
      if let error = entries["error"]?.string { Console.warn("\(beginning): BlueZ rejects it (\(error))") }
    }
    report.warn()
  }
}

/// The command `usher bluetooth unpublish`, which withdraws services.
struct BluetoothUnpublishCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unpublish", abstract: "Withdraw the services that an application offers.",
    usage: "usher bluetooth unpublish <id> [<name> ...] [<options>]",
    discussion: HelpText.discussion(
      "The application is not informed. A warning names unknown peripherals.",
      exit: [
        0: "success", 1: "the peripherals cannot be removed", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: [
        "Withdraw one peripheral": "usher bluetooth unpublish org.example.Notes lamp",
        "Withdraw everything of an application": "usher bluetooth unpublish org.example.Notes --all",
      ]))

  @Argument(application: "Name the application by its desktop-file ID.")
  var application: String

  @Argument(help: ArgumentHelp("Name the peripherals.", valueName: "name"))
  var identifiers: [String] = []

  @Flag(help: "Withdraw all peripherals of the application.")
  var all = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if identifiers.isEmpty != all {
      throw ValidationError("name the peripherals to withdraw, or use --all alone")
    }
  }

  func run() throws {
    var known = KnownIdentifiers(of: application)
    try TriggersConnection.change(to: "withdraw the services", json: json) { triggers throws(BusError) in
      if all {
        try triggers.call(TriggersInterface.removeAllBluetoothPeripherals, application)
      } else {
        let published = try triggers.call(TriggersInterface.bluetoothPeripherals)
        known.insert(MonitoredReport(published, of: application).items("peripherals"))
        try triggers.call(TriggersInterface.removeBluetoothPeripherals, application, identifiers)
      }
    }
    known.warn(of: identifiers, named: "peripheral", list: "bluetooth", "services", application)
  }
}

/// Bytes as hexadecimal digits.
private enum Hexadecimal {
  static func bytes(_ text: String) throws -> [UInt8] {
    let digits = Array(text.utf8)
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      let pair = String(decoding: digits[index..<min(index + 2, digits.count)], as: UTF8.self)
      guard pair.utf8.count == 2, pair.first?.isHexDigit == true, pair.last?.isHexDigit == true,
        let byte = UInt8(pair, radix: 16)
      else {
        throw ValidationError("the bytes are not hexadecimal, with two digits for each, such as 4b00")
      }
      bytes.append(byte)
    }
    return bytes
  }

  static func text(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
