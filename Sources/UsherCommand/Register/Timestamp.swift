// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Timestamps as they are written into entries and displayed.
enum Timestamp {
  /// The current time in the form of RFC 3339, such as `2026-11-21T14:00:00Z`.
  static var now: String { text(of: time(nil)) }

  /// Returns the modification time of a file; `nil` if it does not exist.
  static func ofChange(to path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return text(of: status.st_mtim.tv_sec)
  }

  /// A cache of modification times, because one list may decide a thousand schemes.
  struct Changes {
    private var known: [String: String?] = [:]

    mutating func moment(of path: String) -> String? {
      if let moment = known[path] { return moment }
      let moment = Timestamp.ofChange(to: path)
      known[path] = .some(moment)
      return moment
    }
  }

  /// Returns a time of the system clock in microseconds as text with milliseconds.
  static func text(ofMicroseconds time: Int64) -> String {
    let fraction = String(time / 1_000 % 1_000 + 1_000).dropFirst()
    return text(of: time_t(time / 1_000_000)).replacing("Z", with: ".\(fraction)Z")
  }

  /// Returns a time of the system clock as text.
  static func text(of time: time_t) -> String {
    var time = time
    var parts = tm()
    gmtime_r(&time, &parts)
    return text(of: parts, separator: "T") + "Z"
  }

  /// Returns a time of the system clock in microseconds as day and time of day, such as `2026-11-24 09:30:12`, in the local time zone.
  static func localText(ofMicroseconds time: Int64) -> String {
    var time = time_t(time / 1_000_000)
    var parts = tm()
    localtime_r(&time, &parts)
    return text(of: parts, separator: " ")
  }

  private static func text(of parts: tm, separator: String) -> String {
    func digits(_ number: Int32, _ count: Int = 2, after start: Int = 0) -> String {
      // The year of a file's time may be beyond an `Int32`.
      let text = String(start + Int(number))
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let day = [digits(parts.tm_year, 4, after: 1_900), digits(parts.tm_mon, after: 1), digits(parts.tm_mday)]
    let clock = [digits(parts.tm_hour), digits(parts.tm_min), digits(parts.tm_sec)]
    return day.joined(separator: "-") + separator + clock.joined(separator: ":")
  }
}
