public import RouteTables

/// A route file that was read, and what of it is in force.
public struct ReadRouteFile: Hashable, Sendable {
  /// Which text of a file is in force.
  public enum Version: Hashable, Sendable {
    /// The file as it is, without errors.
    case current
    /// The last version without errors, because the file has some; it was the file's text from `changed` on.
    case earlier(changed: Int)
    /// What of the file has no errors: no version without any is known.
    case withErrors
    /// Nothing: the file cannot be read as a whole, and no version without errors is known.
    case none
  }

  /// The file's path.
  public let path: String
  /// Whose word it is.
  public let rank: PolicyLayer
  /// Which text of it is in force.
  public let version: Version
  /// Since when, in seconds since 1970: when the file was last changed.
  public let since: Int
}
