// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A version of a route file without errors.
public struct RouteFileVersion: Hashable, Sendable {
  /// The file, with its policy layer.
  public let file: RouteDirectory
  /// The text of the version.
  public let text: String
  /// The time at which the file was changed to this text, in seconds since 1970.
  public let changed: Int

  init(_ source: RouteFileSource) {
    self.init(
      file: RouteDirectory(path: source.name, rank: source.rank), text: source.text, changed: source.changed)
  }

  init(file: RouteDirectory, text: String, changed: Int) {
    self.file = file
    self.text = text
    self.changed = changed
  }

  /// Returns the message that this version is used instead of the file, which has had errors since `since`.
  func isUsed(since: Int) -> String {
    "since \(Self.date(since)), the broker uses the version of \(file.path) from \(Self.date(changed)), until this error is corrected"
  }

  /// Returns a time in UTC in the format of diagnostics.
  static func date(_ seconds: Int) -> String {
    var (time, parts) = (time_t(seconds), tm())
    gmtime_r(&time, &parts)
    func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = "\(parts.tm_year + 1900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
    return day + " \(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec)) UTC"
  }
}
