/// Why a program is started or signalled; an open set, of which `url` is the first.
public struct LaunchReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The word in the envelope.
  public let rawValue: String
  /// A reason by its word.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// A URL was opened; what an envelope without `reason` means.
  public static let url = LaunchReason(rawValue: "url")
  /// The application was asked to start or to come to the front, or to perform a desktop action; no URL.
  public static let activate = LaunchReason(rawValue: "activate")
  /// The word in the envelope.
  public var description: String { rawValue }
}
