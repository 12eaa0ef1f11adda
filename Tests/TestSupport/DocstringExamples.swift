// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The examples in the doc comments of one source file.
public struct DocstringExamples {
  /// The lines of the `swift` blocks, without white space; a trailing `// value` is written as `==value`.
  public let lines: [String]

  /// Reads the doc comments of a file, whose path is relative to the repository.
  public init(of path: String) throws {
    let comments = try Self.text(path).split(separator: "\n").map { $0.drop { $0 == " " } }
      .filter { $0.hasPrefix("///") }.map { $0.dropFirst(3).trimmingCharacters(in: .whitespaces) }
    var isCode = false
    var lines: [String] = []
    for comment in comments {
      if comment.hasPrefix("```") { isCode = comment == "```swift" } else if isCode { lines.append(comment) }
    }
    self.lines = lines.compactMap(Self.statement)
  }

  /// Returns the lines that do not occur in a file with compiled code.
  public func lines(missingIn path: String) throws -> [String] {
    let code = Self.unspaced(try Self.text(path))
    return lines.filter { !code.contains($0) }
  }

  /// Returns the code of a line, compared with its trailing comment if it has one; `nil` for a comment.
  private static func statement(_ line: String) -> String? {
    guard !line.hasPrefix("//") else { return nil }
    guard let comment = line.range(of: " // ", options: .backwards) else { return unspaced(line) }
    return unspaced(line[..<comment.lowerBound] + "==" + line[comment.upperBound...])
  }

  private static func unspaced(_ text: some StringProtocol) -> String {
    String(text).filter { !$0.isWhitespace }
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(BuiltProducts.repository)/\(path)", encoding: .utf8)
  }
}
