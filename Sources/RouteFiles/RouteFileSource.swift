public import RouteTables

/// The text of a route file with the name that complaints give it.
public struct RouteFileSource: Hashable, Sendable {
  /// The file's name, as complaints show it.
  public let name: String
  /// The file's text.
  public let text: String
  /// Whose word it is.
  public let rank: RouteRank
  /// The place of its folder among those of one rank; the lowest counts first.
  public let folder: Int

  /// A file's text.
  public init(name: String, text: String, rank: RouteRank = .user, folder: Int = 0) {
    self.name = name
    self.text = text
    self.rank = rank
    self.folder = folder
  }
}
