// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A line of a table of routes: a pattern, and a URL that matches only this pattern.
public struct SampleRoute: Sendable {
  /// The pattern, with types in braces: `/repos/{owner}/{repo}/issues/{number:uint}`.
  public let pattern: String
  /// The URL.
  public let url: String

  /// Creates a route of a pattern and a URL.
  public init(pattern: String, url: String) {
    self.pattern = pattern
    self.url = url
  }

  /// The pattern without the types.
  public var untyped: String { pattern.replacing(#/:\w+}/#, with: "}") }

  /// Reads a file of routes; lines that begin with `#` are comments.
  public static func read(_ file: URL) throws -> [SampleRoute] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 2, !line.hasPrefix("#") else { return nil }
      return SampleRoute(pattern: String(words[0]), url: String(words[1]))
    }
  }
}
