// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus
import Triggers

/// The command `usher notify add`, the default, which shows or stores a notification.
struct NotifyAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Show a notification, now or at a time, and print its identifier.",
    usage: "usher notify [add] <id> --title <text> [<options>]",
    discussion: HelpText.discussion(
      """
      Without a time, the notification is shown at once. A time without a date is the next occurrence of that time. A time without an \
      offset is local time in the system's time zone when the notification is due, unless --time-zone is given. With --region, it is shown when \
      the computer enters or leaves the region, but not for its position at the beginning (usher-region(1)). A notification with the identifier of an earlier one replaces it.
      """,
      exit: [
        0: "success", 1: "the notification was rejected, a limit is exceeded, or it cannot be stored",
        2: "the application is not installed", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: [
        "Remind in ten minutes": "usher notify org.example.Notes --title Tea --in 10m --identifier tea",
        "Remind at a time, with a button":
          "usher notify org.example.Notes --title Milk --at 18:00 --action show=Show",
        "Remind each Monday": "usher notify org.example.Notes --title Report --every monday --at 09:00",
        "Remind each December":
          "usher notify org.example.Notes --title Tree --calendar month=12 --repeats",
        "Remind at home":
          "usher notify org.example.Notes --title Milk --region 48,11 --radius 200",
      ]))

  @Argument(application: "Name the application by its desktop-file ID.")
  var application: String

  @Option(help: ArgumentHelp("Show this text as the first line.", valueName: "text"))
  var title: String?

  @Option(help: ArgumentHelp("Show this text below the title.", valueName: "text"))
  var subtitle: String?

  @Option(help: ArgumentHelp("Show this text, which may have several lines.", valueName: "text"))
  var body: String?

  @Option(
    help: ArgumentHelp(
      "Show it at this time: HH:MM, YYYY-MM-DD HH:MM, or RFC 3339 (2026-12-01T09:00:00Z).", valueName: "time")
  )
  var at: String?

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("Show it after this time, such as 10m or 1h30m.", valueName: "time"))
  var delay: String?

  @Option(
    help: ArgumentHelp(
      "Repeat it: after a time such as 1h; or on each day or weekday (day, monday, …) with --at HH:MM.",
      valueName: "time"))
  var every: String?

  @Option(
    help: ArgumentHelp(
      "Show it at the next time with these components: year, month, day, weekday (1 is Sunday), hour, minute, second.",
      valueName: "key=number,…"))
  var calendar: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Show it when the computer crosses the border of the region with this center, in degrees north and east; negative numbers are south and west.",
      valueName: "latitude,longitude"))
  var region: String?

  @Option(help: ArgumentHelp("Set the radius of --region, 1 to 1000000.", valueName: "metres"))
  var radius: Double?

  @Option(help: ArgumentHelp("Show it only for this change of --region.", valueName: "entry|exit"))
  var on: RegionChange?

  @Flag(help: "Repeat it at each time of --calendar, or at each change of --region.")
  var repeats = false

  @Option(
    help: ArgumentHelp("Interpret the time in this time zone, such as Europe/Berlin.", valueName: "zone"))
  var timeZone: String?

  @Option(help: ArgumentHelp("Set the identifier, instead of a random one.", valueName: "text"))
  var identifier: String?

  @Option(
    help: ArgumentHelp(
      "Add a button with this title. If the user clicks it, the application receives ID as action-identifier.",
      valueName: "id=title"))
  var action: [String] = []

  @Option(help: ArgumentHelp("Show the buttons of this category of the application.", valueName: "id"))
  var category: String?

  @Option(
    help: ArgumentHelp("Show this number on the icon of the application; 0 removes it.", valueName: "number"))
  var badge: UInt32?

  @Option(help: ArgumentHelp("Play this sound of the sound theme, or “default”.", valueName: "name"))
  var sound: String?

  @Option(
    help: ArgumentHelp(
      "Name the conversation to which the notification belongs; the application receives this identifier.",
      valueName: "text"))
  var thread: String?

  @Option(help: ArgumentHelp("Attach this JSON object for the application.", valueName: "json"))
  var userInfo: String?

  @Option(help: ArgumentHelp("Name the content that the notification is about.", valueName: "text"))
  var targetContentID: String?

  @Option(
    help: ArgumentHelp(
      "Add this request, a JSON object as org.usher.Triggers1.AddNotification expects it, instead of the options that describe a notification.",
      valueName: "json"))
  var request: String?

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if request != nil, !describingOptions.isEmpty {
      throw ValidationError(
        "--request excludes \(describingOptions.joined(separator: ", ")); write these values into its JSON object"
      )
    }
    if request == nil, title == nil, body == nil, badge == nil { throw Self.nothingToShow }
    if [at, delay, calendar, region].count(where: { $0 != nil }) > 1 {
      throw ValidationError("--at, --in, --calendar and --region exclude each other")
    }
    if region == nil, radius != nil || on != nil { throw ValidationError("--radius and --on need --region") }
    if region != nil, radius == nil { throw ValidationError("--region needs --radius") }
    if every != nil, delay != nil || calendar != nil || region != nil {
      throw ValidationError(
        "--every is used alone or with --at; for a calendar or a region, use --repeats")
    }
    if repeats, calendar == nil, region == nil {
      throw ValidationError("--repeats needs --calendar or --region; otherwise use --every")
    }
    if category != nil, !action.isEmpty {
      throw ValidationError("--action and --category exclude each other")
    }
    _ = try notification(identifier: "a")
  }

  func run() throws {
    let request = try notification(identifier: identifier ?? Self.newIdentifier())
    try TriggersConnection.ask(to: "add the notification", json: json) { triggers throws(BusError) in
      try triggers.call(TriggersInterface.addNotification, application, request.entries)
    }
    guard json else { return Console.print(request.identifier) }
    Console.emit(JSONText.line(["identifier": .string(request.identifier)]))
  }

  private static func newIdentifier() -> String {
    String(UInt64.random(in: .min ... .max), radix: 16)
  }
}

/// The request that the options of `usher notify add` describe; errors name the options.
extension NotifyAddCommand {
  static let nothingToShow = ValidationError("nothing to show; add --title, --body or --badge")

  /// The given options that describe the notification, which `--request` replaces.
  var describingOptions: [String] {
    let options = [
      ("--title", title != nil), ("--subtitle", subtitle != nil), ("--body", body != nil),
      ("--at", at != nil),
      ("--in", delay != nil), ("--every", every != nil), ("--calendar", calendar != nil),
      ("--region", region != nil), ("--radius", radius != nil), ("--on", on != nil),
      ("--repeats", repeats),
      ("--time-zone", timeZone != nil), ("--identifier", identifier != nil), ("--action", !action.isEmpty),
      ("--category", category != nil), ("--badge", badge != nil), ("--sound", sound != nil),
      ("--thread", thread != nil), ("--user-info", userInfo != nil),
      ("--target-content-id", targetContentID != nil),
    ]
    return options.filter(\.1).map(\.0)
  }

  /// Returns the request that the options describe.
  ///
  /// - Parameter identifier: the identifier of a request that is not given as JSON.
  func notification(identifier: String) throws(ValidationError) -> NotificationRequest {
    if let request {
      do throws(MessageError) {
        return try NotificationRequest(PropertyList(json: request, at: ""))
      } catch { throw ValidationError("--request: \(error)") }
    }
    var entries: [String: PropertyList] = [
      "identifier": .string(identifier), "content": .dictionary(try content()),
    ]
    entries["trigger"] = try region == nil ? trigger() : regionTrigger(identifier: identifier)
    do throws(MessageError) {
      return try NotificationRequest(.dictionary(entries))
    } catch { throw usageError(for: error) }
  }

  private func content() throws(ValidationError) -> [String: PropertyList] {
    var content: [String: PropertyList] = [:]
    content["title"] = title.map { .string($0) }
    content["subtitle"] = subtitle.map { .string($0) }
    content["body"] = body.map { .string($0) }
    content["badge"] = badge.map { .integer(Int64($0)) }
    content["sound"] = sound.map { .string($0) }
    content["thread-identifier"] = thread.map { .string($0) }
    content["category-identifier"] = category.map { .string($0) }
    content["target-content-id"] = targetContentID.map { .string($0) }
    if let userInfo {
      do throws(MessageError) {
        content["user-info"] = try PropertyList(json: userInfo, at: "--user-info")
      } catch { throw ValidationError("\(error)") }
    }
    if !action.isEmpty {
      var actions: [PropertyList] = []
      for text in action {
        let pair = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard pair.count == 2 else {
          throw ValidationError("--action: the value must be an ID, “=” and a title, such as done=Done")
        }
        guard !actions.contains(where: { $0["identifier"]?.string == pair[0] }) else {
          throw ValidationError(
            "--action: two actions have the identifier “\(pair[0])”; give each action another identifier")
        }
        actions.append(["identifier": .string(pair[0]), "title": .string(pair[1])])
      }
      content["actions"] = .array(actions)
    }
    return content
  }

  private func regionTrigger(identifier: String) throws(ValidationError) -> PropertyList? {
    guard let region, let radius else { return nil }
    guard timeZone == nil else {
      throw ValidationError("--time-zone needs --at with a time without an offset, or --calendar")
    }
    let circle = CircularRegion(
      identifier: identifier, center: try Coordinate(region, of: "--region"), radius: radius,
      notifyOnEntry: on != .exit, notifyOnExit: on != .entry)
    return .dictionary(NotificationTrigger.region(circle, repeats: repeats).propertyList)
  }

  private func trigger() throws(ValidationError) -> PropertyList? {
    let time = try time()
    guard let timeZone else { return time?.trigger }
    guard case .dictionary(var entries)? = time?.trigger, entries["kind"] == "calendar" else {
      throw ValidationError("--time-zone needs --at with a time without an offset, or --calendar")
    }
    entries["time-zone"] = .string(timeZone)
    return .dictionary(entries)
  }

  private func time() throws(ValidationError) -> NotificationTime? {
    func checked(_ time: NotificationTime?, of option: String, allowed: String) throws(ValidationError)
      -> NotificationTime
    {
      guard let time else { throw ValidationError("\(option): the value must be \(allowed)") }
      return time
    }
    if let delay {
      return try checked(
        NotificationTime(after: delay), of: "--in",
        allowed: "a duration greater than 0 and at most 100 years, such as 90s, 15m, 1h30m or 2d")
    }
    if let calendar {
      return try checked(
        NotificationTime(components: calendar, repeats: repeats), of: "--calendar",
        allowed: "components such as month=12,day=24,hour=18")
    }
    let weekday = every.flatMap { NotificationTime.weekdays.firstIndex(of: $0.lowercased()) }.map { $0 + 1 }
    guard let at else {
      guard let every else { return nil }
      guard weekday == nil, every != "day" else {
        throw ValidationError("--every \(every) needs --at HH:MM")
      }
      return try checked(
        NotificationTime(after: every, repeats: true), of: "--every",
        allowed: "a duration of 60s to 100 years, such as 1h; day; or a weekday")
    }
    guard every == nil || every == "day" || weekday != nil else {
      throw ValidationError("--every: with --at, the value must be day or a weekday, such as monday")
    }
    if every == nil, let date = DateTime(at), WallTime(date) == nil { throw Self.wrongDate }
    return try checked(
      NotificationTime(at: at, every: weekday, repeats: every != nil), of: "--at",
      allowed: every == nil
        ? "HH:MM, YYYY-MM-DD HH:MM, or a date of RFC 3339 such as 2026-12-01T09:00:00Z" : "HH:MM with --every"
    )
  }

  private static let wrongDate = ValidationError("--at: the date must be in the years 1970 to 9999 (UTC)")

  /// Returns the error of the option that set the invalid value of a request.
  private func usageError(for error: MessageError) -> ValidationError {
    let keys = error.path.split(separator: ".").map { String($0.prefix { $0 != "[" }) }
    let option: String
    switch (keys.first, keys.dropFirst().first) {
    case ("identifier", _): option = "--identifier"
    case ("content", "title") where error.reason == .missing: return Self.nothingToShow
    case ("content", "thread-identifier"): option = "--thread"
    case ("content", "category-identifier"): option = "--category"
    case ("content", "actions"): option = "--action"
    case ("content", let key?): option = "--\(key)"
    case ("trigger", "time-zone"): option = "--time-zone"
    case ("trigger", "date"): return Self.wrongDate
    case ("trigger", "region"): option = keys.last == "radius" ? "--radius" : "--region"
    case ("trigger", _):
      option = calendar != nil ? "--calendar" : delay != nil ? "--in" : at != nil ? "--at" : "--every"
    default: return ValidationError("\(MessageError(error.reason, at: "the notification"))")
    }
    // The key of a part of the value, such as the hour.
    if case .wrongValue(let allowed) = error.reason, let key = keys.last,
      keys.first == "trigger" && option != "--time-zone" || keys.count > 2
    {
      return ValidationError("\(option): the \(key) must be \(allowed)")
    }
    return ValidationError("\(MessageError(error.reason, at: option))")
  }
}
