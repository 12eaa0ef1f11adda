// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus
import Triggers

/// The command `usher region`, which manages the regions for which applications are started.
struct RegionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "region",
    abstract: "Start applications when the computer enters or leaves a region.",
    discussion: HelpText.discussion(
      """
      When the location changes, Usher sends an application that monitors it a request with the reason location, and starts the \
      application if necessary. GeoClue measures the location while an application monitors it, and only then. What is monitored is \
      stored, also across logout and reboot.
      """,
      exit: [
        0: "success", 1: "the subcommand failed; its help lists the reasons",
        2: "add: the application is not installed", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: [
        "Start an application at home":
          "usher region add org.example.Notes home --at 48.137,11.575 --radius 200",
        "List what is monitored": "usher region list",
        "End the monitoring": "usher region remove org.example.Notes --all",
      ]),
    subcommands: [RegionAddCommand.self, RegionListCommand.self, RegionRemoveCommand.self])
}

/// The command `usher region add`, which monitors a region or significant changes.
struct RegionAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Monitor a region, or significant changes of the location.",
    usage: "usher region add <id> [<identifier>] [<options>]",
    discussion: HelpText.discussion(
      """
      The application receives a request when the computer enters the region, and when it leaves it; the state at the beginning is \
      no event. A measurement whose circle of accuracy reaches over the border decides nothing, so the radius should exceed the accuracy of \
      the source: some metres for a satellite receiver, some hundred metres for wireless networks. The command replaces a region with \
      its identifier. With --significant-changes, the application receives each location that is at least 500 metres and five minutes \
      away from the last one.
      """,
      exit: [
        0: "success",
        1: "the user does not allow it, a limit is exceeded, or it cannot be stored",
        2: "the application is not installed", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: [
        "Monitor a region": "usher region add org.example.Notes home --at 48.137,11.575 --radius 200",
        "Monitor only entries":
          "usher region add org.example.Notes home --at 48,11 --radius 200 --on entry",
        "Monitor significant changes": "usher region add org.example.Notes --significant-changes",
      ]))

  @Argument(application: "Name the application by its desktop-file ID.")
  var application: String

  @Argument(help: ArgumentHelp("Give the region this name.", valueName: "identifier"))
  var identifier: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Set the center of the region, in degrees north and east; negative numbers are south and west.",
      valueName: "latitude,longitude"))
  var at: String?

  @Option(help: ArgumentHelp("Set the radius of the region, 1 to 1000000.", valueName: "metres"))
  var radius: Double?

  @Option(help: ArgumentHelp("Inform the application only of this change.", valueName: "entry|exit"))
  var on: RegionChange?

  @Flag(help: "Monitor significant changes instead of a region.")
  var significantChanges = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if significantChanges {
      guard identifier == nil, at == nil, radius == nil, on == nil else {
        throw ValidationError("use --significant-changes without an identifier, --at, --radius and --on")
      }
      return
    }
    guard identifier != nil, at != nil, radius != nil else {
      throw ValidationError("give an identifier, --at and --radius, or use --significant-changes")
    }
    _ = try region()
  }

  /// The region of the arguments; `nil` for significant changes.
  private func region() throws -> CircularRegion? {
    guard let identifier, let at, let radius else { return nil }
    let region = CircularRegion(
      identifier: identifier, center: try Coordinate(at, of: "--at"), radius: radius,
      notifyOnEntry: on != .exit, notifyOnExit: on != .entry)
    do throws(MessageError) {
      // The daemon has the same rules; here a wrong value is a wrong argument.
      return try CircularRegion(region.entries)
    } catch { throw ValidationError("\(error)") }
  }

  func run() throws {
    let region = try region()
    try TriggersConnection.change(to: "monitor the location", json: json) { triggers throws(BusError) in
      if let region {
        try triggers.call(TriggersInterface.addRegion, application, region.entries)
      } else {
        try triggers.call(TriggersInterface.startSignificantLocationChanges, application)
      }
    }
  }
}

/// The command `usher region list`, which shows what is monitored.
struct RegionListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the regions and the applications that monitor significant changes.",
    discussion: HelpText.discussion(
      """
      Prints one line per region, with its center, its radius in metres, and whether the computer is inside. If the location \
      service reports no locations, the reason and the remedy follow.
      """,
      exit: [
        0: "success", 1: "the regions cannot be read", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: ["List what is monitored": "usher region list"]))

  @Argument(application: "List only what this application monitors.")
  var application: String?

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let monitored = try TriggersConnection.ask(to: "list the regions", json: json) {
      triggers throws(BusError) in
      try triggers.call(TriggersInterface.monitoredLocations)
    }
    let report = MonitoredReport(monitored, of: application)
    let regions = report.items("regions")
    let changes = report.applications("significant-changes")
    guard !json else {
      return report.printJSON([
        "regions": .dictionaries(regions), "significant-changes": .strings(changes),
      ])
    }
    if regions.isEmpty, changes.isEmpty { Console.warn("no location is monitored") }
    for entries in regions {
      guard let region = try? CircularRegion(entries) else { continue }
      let on = region.notifyOnEntry ? region.notifyOnExit ? "" : "  entry" : "  exit"
      Console.print(
        "\(entries["application"]?.string ?? "?")  \(region.identifier)  \(region.center.latitude),\(region.center.longitude)  \(region.radius)  \(entries["state"]?.string ?? "?")\(on)"
      )
    }
    for application in changes { Console.print("\(application)  significant changes") }
    for message in Set(regions.compactMap { $0["message"]?.string }).sorted() { Console.warn(message) }
    report.warn()
  }
}

/// The command `usher region remove`, which ends the monitoring.
struct RegionRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "End the monitoring of regions, or of significant changes.",
    usage: "usher region remove <id> [<identifier> ...] [<options>]",
    discussion: HelpText.discussion(
      "The application is not informed. A warning names unknown identifiers.",
      exit: [
        0: "success", 1: "the regions cannot be removed", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: [
        "Remove one region": "usher region remove org.example.Notes home",
        "Remove everything of an application": "usher region remove org.example.Notes --all",
      ]))

  @Argument(application: "Name the application by its desktop-file ID.")
  var application: String

  @Argument(help: ArgumentHelp("Name the regions.", valueName: "identifier"))
  var identifiers: [String] = []

  @Flag(help: "End the monitoring of significant changes.")
  var significantChanges = false

  @Flag(help: "Remove all regions, and end the monitoring of significant changes.")
  var all = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if (identifiers.isEmpty && !significantChanges) != all {
      throw ValidationError("name the regions to remove or use --significant-changes, or use --all alone")
    }
  }

  func run() throws {
    var known = KnownIdentifiers(of: application)
    try TriggersConnection.change(to: "end the monitoring", json: json) { triggers throws(BusError) in
      if all {
        try triggers.call(TriggersInterface.removeAllRegions, application)
      } else if !identifiers.isEmpty {
        let monitored = try triggers.call(TriggersInterface.monitoredLocations)
        known.insert(MonitoredReport(monitored, of: application).items("regions"))
        try triggers.call(TriggersInterface.removeRegions, application, identifiers)
      }
      guard all || significantChanges else { return }
      try triggers.call(TriggersInterface.stopSignificantLocationChanges, application)
    }
    known.warn(of: identifiers, named: "region", list: "region", "list", application)
  }
}
