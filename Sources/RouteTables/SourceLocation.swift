// SPDX-License-Identifier: Apache-2.0
/// A location in a file, such as `routes.toml:3:9`.
public struct SourceLocation: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The file name, as the code that opened the file passed it.
  public let file: String
  private let shortLine: Int32
  private let shortColumn: Int32

  /// The line, counted from 1.
  public var line: Int { Int(shortLine) }
  /// The column in Unicode scalars, counted from 1.
  public var column: Int { Int(shortColumn) }

  /// Creates a location in a file.
  public init(file: String, line: Int, column: Int = 1) {
    self.file = file
    shortLine = Int32(clamping: line)
    shortColumn = Int32(clamping: column)
  }

  /// The location as `file:line:column`, a format that editors and terminals recognize.
  public var description: String { "\(file):\(line):\(column)" }

  /// Returns whether the first location precedes the second, by file, line and column.
  public static func < (one: SourceLocation, other: SourceLocation) -> Bool {
    (one.file, one.line, one.column) < (other.file, other.line, other.column)
  }

  /// Returns the location `scalars` columns further on the line.
  func advanced(by scalars: Int) -> SourceLocation {
    SourceLocation(file: file, line: line, column: column + scalars)
  }
}
