// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus
import Triggers

/// The command `usher notify`, which manages the notifications of applications.
struct NotifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notify",
    abstract: "Show a notification of an application, now or at a time.",
    discussion: HelpText.discussion(
      """
      When the user acts on a notification, Usher sends its application a request with the reason local-notification, and starts the \
      application if necessary. Notifications are stored until they are due, also across logout and reboot.
      """,
      exit: [
        0: "success", 1: "the subcommand failed; its help lists the reasons",
        2: "add, settings: the application is not installed", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: [
        "Show a notification": "usher notify org.example.Notes --title Milk",
        "List the notifications of an application": "usher notify list org.example.Notes",
        "Remove them": "usher notify cancel org.example.Notes --all",
      ]),
    subcommands: [
      NotifyAddCommand.self, NotifyListCommand.self, NotifyCancelCommand.self, NotifySettingsCommand.self,
    ],
    defaultSubcommand: NotifyAddCommand.self)
}

/// The command `usher notify list`, which shows pending and delivered notifications.
struct NotifyListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the notifications of an application that are stored or shown.",
    discussion: HelpText.discussion(
      """
      Prints one line per notification: the pending ones, the next one first and those with a region last, and the delivered ones, the \
      newest first. If a notification with a region cannot become due, the reason and the remedy follow.
      """,
      exit: [
        0: "success", 1: "the notifications cannot be read", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: ["List the notifications of an application": "usher notify list org.example.Notes"]))

  @Argument(application: "Name the application by its desktop-file ID.")
  var application: String

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let (pending, delivered, service) = try TriggersConnection.ask(
      to: "list the notifications", json: json
    ) { triggers throws(BusError) in
      let pending = try triggers.call(TriggersInterface.pendingNotifications, application)
      var service: [String: Variant] = [:]
      // The location service matters only for regions.
      if !json, pending.contains(where: { $0["state"] != nil }) {
        service = try triggers.call(TriggersInterface.monitoredLocations)
      }
      return (
        pending,
        try triggers.call(TriggersInterface.deliveredNotifications, application),
        service["message"]?.string
      )
    }
    guard !json else {
      return Console.emit(
        JSONText.line(["pending": .dictionaries(pending), "delivered": .dictionaries(delivered)]))
    }
    if pending.isEmpty && delivered.isEmpty { Console.warn("no notification is stored or shown") }
    Console.print(
      pending.map { Self.line("due", at: $0["next-date"], $0) }
        + delivered.map { Self.line("shown", at: $0["date"], $0["request"]?.entries ?? [:]) })
    for message in Set(pending.compactMap { $0["message"]?.string } + [service].compactMap(\.self)).sorted() {
      Console.warn(message)
    }
  }

  private static func line(_ state: String, at date: Variant?, _ request: [String: Variant]) -> StyledText {
    let time = date?.integer.map { Timestamp.text(of: Int($0 / 1_000)) } ?? crossing(request) ?? "?"
    let content = request["content"]?.entries ?? [:]
    let title = content["title"]?.string ?? content["body"]?.string ?? ""
    let again = request["trigger"]?.entries?["repeats"]?.boolean == true ? ", repeated" : ""
    return "\(request["identifier"]?.string ?? "?")  \(state) \(time)\(again)  \(title)"
  }

  /// Returns the crossing for which a notification waits, and the position of the computer, such as `on entry (outside)`.
  private static func crossing(_ request: [String: Variant]) -> String? {
    guard let entries = request["trigger"]?.entries?["region"]?.entries,
      let region = try? CircularRegion(entries)
    else { return nil }
    let change =
      region.notifyOnEntry ? region.notifyOnExit ? "entry and exit" : "entry" : "exit"
    return "on \(change) (\(request["state"]?.string ?? "unknown"))"
  }
}

/// The command `usher notify cancel`, which removes notifications.
struct NotifyCancelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "Remove notifications of an application that are stored or shown.",
    discussion: HelpText.discussion(
      "The application receives nothing for a notification that is removed in this way. A warning names unknown identifiers.",
      exit: [
        0: "success", 1: "the notifications cannot be removed", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: [
        "Remove one notification": "usher notify cancel org.example.Notes tea",
        "Remove all notifications of an application": "usher notify cancel org.example.Notes --all",
      ]))

  @Argument(application: "Name the application by its desktop-file ID.")
  var application: String

  @Argument(help: ArgumentHelp("Name the notifications.", valueName: "identifier"))
  var identifiers: [String] = []

  @Flag(help: "Remove all notifications of the application.")
  var all = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if identifiers.isEmpty != all {
      throw ValidationError("name the notifications to remove, or use --all alone")
    }
  }

  func run() throws {
    var known = KnownIdentifiers(of: application)
    try TriggersConnection.change(to: "remove the notifications", json: json) { triggers throws(BusError) in
      if all {
        try triggers.call(TriggersInterface.removeAllPendingNotifications, application)
        try triggers.call(TriggersInterface.removeAllDeliveredNotifications, application)
      } else {
        known.insert(try triggers.call(TriggersInterface.pendingNotifications, application))
        let delivered = try triggers.call(TriggersInterface.deliveredNotifications, application)
        known.insert(delivered.compactMap { $0["request"]?.entries })
        try triggers.call(TriggersInterface.removePendingNotifications, application, identifiers)
        try triggers.call(TriggersInterface.removeDeliveredNotifications, application, identifiers)
      }
    }
    known.warn(of: identifiers, named: "notification", list: "notify", "list", application)
  }
}

/// The command `usher notify settings`, which shows what the user allows and the notification server can do.
struct NotifySettingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings",
    abstract: "Show whether an application may show notifications, and what the desktop can do.",
    discussion: HelpText.discussion(
      "Prints one line per setting. The keys are those of org.usher.Triggers1.NotificationSettings.",
      exit: [
        0: "success", 1: "the settings cannot be read", 2: "the application is not installed",
        64: "the arguments are wrong", 69: "the daemon cannot be reached",
      ],
      examples: ["Show the settings of an application": "usher notify settings org.example.Notes"]))

  @Argument(application: "Name the application by its desktop-file ID.")
  var application: String

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let settings = try TriggersConnection.ask(to: "read the settings", json: json) {
      triggers throws(BusError) in
      try triggers.call(TriggersInterface.notificationSettings, application)
    }
    guard !json else { return Console.emit(JSONText.line(settings)) }
    for (key, value) in settings.sorted(by: { $0.key < $1.key }) {
      Console.print("\(key)  \(value.string ?? (value.boolean == true ? "yes" : "no"))")
    }
  }
}
