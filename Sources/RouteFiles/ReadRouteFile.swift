// SPDX-License-Identifier: Apache-2.0
public import RouteTables

/// A route file that was read, and its effective version.
public struct ReadRouteFile: Hashable, Sendable {
  /// The version of a file that is in effect.
  public enum Version: Hashable, Sendable {
    /// The current file, which has no errors.
    case current
    /// The last version without errors, because the file has errors; it was the file's text since `changed`.
    case earlier(changed: Int)
    /// The parts of the file without errors, because no version without errors is known.
    case withErrors
    /// None: the file as a whole cannot be read, and no version without errors is known.
    case none
  }

  /// The file's path.
  public let path: String
  /// The policy layer of its routes.
  public let rank: PolicyLayer
  /// The version that is in effect.
  public let version: Version
  /// The last change of the file's content, owner or mode, in seconds since 1970.
  public let since: Int
}
