// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus
import Triggers

/// The command `usher bluetooth`, which manages the Bluetooth devices for which applications are started.
struct BluetoothCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bluetooth",
    abstract: "Start applications for Bluetooth devices, and offer services to devices.",
    discussion: HelpText.discussion(
      """
      When a monitored device changes, Usher sends the application a request with the reason bluetooth-centrals and the name of the \
      central, and starts the application if necessary. BlueZ reports the devices while an application monitors some, and only then. \
      An application can also publish services, which other devices read and write: Usher answers from stored values, and starts the \
      application when a device writes or subscribes, with the reason bluetooth-peripherals. \
      What is monitored and published is stored, also across logout and reboot. Usher connects no device.
      """,
      exit: [
        0: "success", 1: "the subcommand failed; its help lists the reasons",
        2: "add: the application is not installed", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: [
        "Start an application when a device connects":
          "usher bluetooth add org.example.Notes headset --device 00:1A:7D:DA:71:13",
        "List what is monitored": "usher bluetooth list",
        "End the monitoring": "usher bluetooth remove org.example.Notes --all",
        "Offer a service":
          "usher bluetooth publish org.example.Notes lamp 180f 2a19:read,notify=4b",
      ]),
    subcommands: [
      BluetoothAddCommand.self, BluetoothListCommand.self, BluetoothRemoveCommand.self,
      BluetoothPublishCommand.self, BluetoothUpdateCommand.self, BluetoothServicesCommand.self,
      BluetoothUnpublishCommand.self,
    ])
}

/// The command `usher bluetooth add`, which monitors devices and services.
struct BluetoothAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Monitor devices, or services that devices advertise.",
    usage: "usher bluetooth add <id> <central> [<options>]",
    discussion: HelpText.discussion(
      """
      The application receives a request when a device connects and when it disconnects; the state at the beginning is no event. With \
      --service, it receives one when a device that advertises or offers the service comes into range, and for each device again \
      after five minutes at the earliest. The computer then searches for devices all the time, which costs energy. The command \
      replaces a central with its name. bluetoothctl devices lists the addresses of known devices.
      """,
      exit: [
        0: "success",
        1: "the user does not allow it, a limit is exceeded, or it cannot be stored",
        2: "the application is not installed", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: [
        "Monitor a device": "usher bluetooth add org.example.Notes headset --device 00:1A:7D:DA:71:13",
        "Monitor devices that measure the heart rate":
          "usher bluetooth add org.example.Notes heart-rate --service 180d",
      ]))

  @Argument(application: "Name the application by its desktop-file ID.")
  var application: String

  @Argument(help: ArgumentHelp("Give the central this name.", valueName: "central"))
  var identifier: String

  @Option(help: ArgumentHelp("Monitor this device; may be repeated.", valueName: "address"))
  var device: [String] = []

  @Option(
    help: ArgumentHelp(
      "Monitor devices with this service, by its UUID of 16, 32 or 128 bits; may be repeated.",
      valueName: "uuid"))
  var service: [String] = []

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard !device.isEmpty || !service.isEmpty else {
      throw ValidationError("name a device with --device, or a service with --service")
    }
    _ = try central()
  }

  private func central() throws -> BluetoothCentral {
    let entries: [String: Variant] = [
      "identifier": .string(identifier), "devices": .strings(device), "services": .strings(service),
    ]
    do throws(MessageError) {
      // The daemon has the same rules; here a wrong value is a wrong argument.
      return try BluetoothCentral(entries)
    } catch { throw ValidationError("\(error)") }
  }

  func run() throws {
    let central = try central()
    try TriggersConnection.change(to: "monitor the devices", json: json) { triggers throws(BusError) in
      try triggers.call(TriggersInterface.addBluetoothCentral, application, central.entries)
    }
  }
}

/// The command `usher bluetooth list`, which shows what is monitored.
struct BluetoothListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the monitored devices and services.",
    discussion: HelpText.discussion(
      """
      Prints one line per central and device with whether the device is connected, and one per service. If BlueZ reports no devices, \
      the reason and the remedy follow.
      """,
      exit: [
        0: "success", 1: "the devices cannot be read", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: ["List what is monitored": "usher bluetooth list"]))

  @Argument(application: "List only what this application monitors.")
  var application: String?

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let monitored = try TriggersConnection.ask(to: "list the devices", json: json) {
      triggers throws(BusError) in
      try triggers.call(TriggersInterface.bluetoothCentrals)
    }
    let report = MonitoredReport(monitored, of: application)
    let centrals = report.items("centrals")
    guard !json else { return report.printJSON(["centrals": .dictionaries(centrals)]) }
    if centrals.isEmpty { Console.warn("no device is monitored") }
    for entries in centrals {
      guard let central = try? BluetoothCentral(entries) else { continue }
      let beginning = "\(entries["application"]?.string ?? "?")  \(central.identifier)"
      let states = ["connected", "disconnected"].map { ($0, Set(entries[$0]?.strings ?? [])) }
      for device in central.devices.sorted() {
        let state = states.first { $0.1.contains(device.text) }?.0 ?? "unknown"
        Console.print("\(beginning)  \(device.text)  \(state)")
      }
      for service in central.services.sorted() { Console.print("\(beginning)  service \(service.text)") }
    }
    report.warn()
  }
}

/// The command `usher bluetooth remove`, which ends the monitoring.
struct BluetoothRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "End the monitoring of devices and services.",
    usage: "usher bluetooth remove <id> [<central> ...] [<options>]",
    discussion: HelpText.discussion(
      "The application is not informed. A warning names unknown centrals.",
      exit: [
        0: "success", 1: "the centrals cannot be removed", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: [
        "Remove one central": "usher bluetooth remove org.example.Notes headset",
        "Remove everything of an application": "usher bluetooth remove org.example.Notes --all",
      ]))

  @Argument(application: "Name the application by its desktop-file ID.")
  var application: String

  @Argument(help: ArgumentHelp("Name the centrals.", valueName: "central"))
  var identifiers: [String] = []

  @Flag(help: "Remove all centrals of the application.")
  var all = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if identifiers.isEmpty != all {
      throw ValidationError("name the centrals to remove, or use --all alone")
    }
  }

  func run() throws {
    var known = KnownIdentifiers(of: application)
    try TriggersConnection.change(to: "end the monitoring", json: json) { triggers throws(BusError) in
      if all {
        try triggers.call(TriggersInterface.removeAllBluetoothCentrals, application)
      } else {
        let monitored = try triggers.call(TriggersInterface.bluetoothCentrals)
        known.insert(MonitoredReport(monitored, of: application).items("centrals"))
        try triggers.call(TriggersInterface.removeBluetoothCentrals, application, identifiers)
      }
    }
    known.warn(of: identifiers, named: "central", list: "bluetooth", "list", application)
  }
}
