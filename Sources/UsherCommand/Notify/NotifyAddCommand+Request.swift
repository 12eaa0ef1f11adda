// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import Triggers

/// The request that the options of `usher notify add` describe; errors name the options.
extension NotifyAddCommand {
  static let nothingToShow = ValidationError("nothing to show; add --title, --body or --badge")

  /// The given options that describe the notification, which `--request` replaces.
  var describingOptions: [String] {
    let options = [
      ("--title", title != nil), ("--subtitle", subtitle != nil), ("--body", body != nil),
      ("--at", at != nil),
      ("--in", delay != nil), ("--every", every != nil), ("--calendar", calendar != nil),
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
    entries["trigger"] = try trigger()
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
        actions.append(["identifier": .string(pair[0]), "title": .string(pair[1])])
      }
      content["actions"] = .array(actions)
    }
    return content
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
        NotificationTime(after: delay), of: "--in", allowed: "a duration such as 90s, 15m, 1h30m or 2d")
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
        allowed: "a duration such as 1h, day, or a weekday")
    }
    guard every == nil || every == "day" || weekday != nil else {
      throw ValidationError("--every: with --at, the value must be day or a weekday, such as monday")
    }
    return try checked(
      NotificationTime(at: at, every: weekday, repeats: every != nil), of: "--at",
      allowed: every == nil
        ? "HH:MM, YYYY-MM-DD HH:MM, or a date of RFC 3339 such as 2026-12-01T09:00:00Z" : "HH:MM with --every"
    )
  }

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
    case ("trigger", "date"): return ValidationError("--at: the year must be 1970 to 9999")
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
