public import RouteTables

/// The text of a route file with the name that complaints give it.
public struct RouteFileSource: Hashable, Sendable {
  /// The file's name, as complaints show it.
  public let name: String
  /// The file's text.
  public let text: String
  /// Whose word it is.
  public let rank: PolicyLayer
  /// The place of its folder among those of one rank; the lowest counts first.
  public let directory: Int
  /// What `final` counts for in it.
  var finality = RouteDirectory.Finality.granted
  /// When the file was changed last, in seconds since 1970; 0 where there is no file.
  var changed = 0

  /// A file's text.
  public init(name: String, text: String, rank: PolicyLayer = .user, directory: Int = 0) {
    self.name = name
    self.text = text
    self.rank = rank
    self.directory = directory
  }

  /// The same file with the text of an earlier version.
  func with(_ version: RouteFileVersion) -> RouteFileSource {
    var copy = RouteFileSource(name: name, text: version.text, rank: rank, directory: directory)
    (copy.finality, copy.changed) = (finality, version.changed)
    return copy
  }
}
