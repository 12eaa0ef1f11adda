internal import Glibc

/// A route file as it was when it had no errors.
public struct RouteFileVersion: Hashable, Sendable {
  /// The file, and whose word it is.
  public let file: RouteDirectory
  /// Its text.
  public let text: String
  /// When the file was changed to this text, in seconds since 1970.
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

  /// The sentence that this version is used in the place of the file, which has had errors since then.
  func isUsed(since: Int) -> String {
    "using the version of \(file.path) of \(Self.date(changed)), since \(Self.date(since)), until this is corrected"
  }

  /// A moment as complaints show it, in UTC.
  static func date(_ seconds: Int) -> String {
    var (time, parts) = (time_t(seconds), tm())
    gmtime_r(&time, &parts)
    func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = "\(parts.tm_year + 1900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
    return day + " \(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec)) UTC"
  }
}
