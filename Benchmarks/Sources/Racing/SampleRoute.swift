public import Foundation

/// A line of a table of routes: a pattern, and one URL that is of it and of no other.
public struct SampleRoute: Sendable {
  /// The pattern, in braces, with types: `/repos/{owner}/{repo}/issues/{number:uint}`.
  public let pattern: String
  /// The URL.
  public let url: String

  /// Of these two.
  public init(pattern: String, url: String) {
    self.pattern = pattern
    self.url = url
  }

  /// The pattern without the types.
  public var untyped: String { pattern.replacing(#/:\w+}/#, with: "}") }

  /// Reads a file of them; a line that begins with `#` says something to people.
  public static func read(_ file: URL) throws -> [SampleRoute] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 2, !line.hasPrefix("#") else { return nil }
      return SampleRoute(pattern: String(words[0]), url: String(words[1]))
    }
  }
}
