public import RouteTables

/// One thing that is wrong with a route file, and where.
public struct RouteFileDiagnostic: Error, Hashable, Sendable, CustomStringConvertible {
  /// What sort of thing it is.
  public enum Kind: Hashable, Sendable {
    /// There is no such file or folder.
    case missing
    /// The file is there and cannot be read.
    case unreadable
    /// The file is not TOML.
    case syntax
    /// A key or a value is not what a route file has.
    case shape
    /// A pattern is not one.
    case pattern
    /// Two routes claim the same URLs, or have one name; both are set aside.
    case conflict
    /// A test that stands in the file failed.
    case test
  }

  /// What sort of thing is wrong.
  public let kind: Kind
  /// Where.
  public let location: SourceLocation
  /// What is wrong and what to do, without the place.
  public let message: String

  /// `file:line:column: ` and the sentence.
  public var description: String { "\(location): \(message)" }

  init(_ kind: Kind, _ location: SourceLocation, _ message: String) {
    self.kind = kind
    self.location = location
    self.message = message
  }
}

extension [RouteFileDiagnostic] {
  /// In the order of the files, and of the lines in each.
  func inOrder() -> [RouteFileDiagnostic] {
    sorted { ($0.location, $0.message) < ($1.location, $1.message) }
  }
}
