/// A place in a file, as `routes.toml:3:9`: where a route, a pattern or a complaint stands.
public struct SourceLocation: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The file, as it was named by whoever opened it.
  public let file: String
  /// The line, counted from 1.
  public let line: Int
  /// The column in Unicode scalars, counted from 1.
  public let column: Int

  /// A place in a file.
  public init(file: String, line: Int, column: Int = 1) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// `file:line:column`, which editors and terminals understand.
  public var description: String { "\(file):\(line):\(column)" }

  /// By file, line and column.
  public static func < (one: SourceLocation, other: SourceLocation) -> Bool {
    (one.file, one.line, one.column) < (other.file, other.line, other.column)
  }

  /// The place that is `scalars` further on the same line.
  func advanced(by scalars: Int) -> SourceLocation {
    SourceLocation(file: file, line: line, column: column + scalars)
  }
}
