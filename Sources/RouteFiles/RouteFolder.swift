public import RouteTables

/// A folder of route files, or a file, and whose word it is.
public struct RouteFolder: Hashable, Sendable {
  /// The folder's path, or the file's.
  public let path: String
  /// Whose word the files are; `final` counts in the administrator's alone.
  public let rank: RouteRank

  /// A folder, or a file, of `rank`.
  public init(path: String, rank: RouteRank) {
    self.path = path
    self.rank = rank
  }
}
