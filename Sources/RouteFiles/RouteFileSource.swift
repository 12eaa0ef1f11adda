/// The text of a route file with the name that complaints give it.
public struct RouteFileSource: Hashable, Sendable {
  /// The file's name, as complaints show it.
  public let name: String
  /// The file's text.
  public let text: String

  /// A file's text.
  public init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}
