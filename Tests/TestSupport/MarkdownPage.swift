// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A page of the documentation, parsed for comparisons with the code.
public struct MarkdownPage: Sendable {
  /// A fenced block.
  public struct Block: Sendable {
    /// The language of the block, such as `swift`.
    public let language: String
    /// The lines of the block.
    public let lines: [String]
    /// The line number of the first line in the page, from 1.
    public let line: Int

    /// The lines as one text, each with a terminator.
    public var text: String { lines.map { $0 + "\n" }.joined() }

    /// Returns `true` if `code` contains the block, ignoring white space.
    public func isPart(of code: String) -> Bool { unspaced(code).contains(unspaced(text)) }
  }

  /// A row of a table.
  public struct Row: Sendable {
    /// The line number in the page, from 1.
    public let line: Int
    /// The cells by their column headings.
    public let cells: [String: String]
  }

  /// The path of the page, relative to the root of the repository.
  public let path: String
  /// The complete text.
  public let text: String
  /// The fenced blocks, in order.
  public private(set) var blocks: [Block] = []
  /// The rows of the tables, in order.
  public private(set) var rows: [Row] = []

  /// Reads a page of the repository.
  public init(_ path: String) throws {
    self.path = path
    text = try String(contentsOfFile: "\(BuiltProducts.repository)/\(path)", encoding: .utf8)
    var open: (language: String, line: Int)?
    var lines: [String] = []
    var headings: [String]?
    for (number, line) in zip(1..., text.components(separatedBy: "\n")) {
      if line.hasPrefix("```") {
        if let block = open { blocks.append(Block(language: block.language, lines: lines, line: block.line)) }
        open = open == nil ? (String(line.dropFirst(3)), number + 1) : nil
        lines = []
      } else if open != nil {
        lines.append(line)
      } else if !line.hasPrefix("|") {
        headings = nil
      } else if let headings {
        let cells = Dictionary(zip(headings, Self.cells(line)), uniquingKeysWith: { first, _ in first })
        if !line.hasPrefix("|-") { rows.append(Row(line: number, cells: cells)) }
      } else {
        headings = Self.cells(line)
      }
    }
  }

  /// Returns the pages of a library's catalogue, sorted by name.
  public static func catalogue(of module: String) throws -> [MarkdownPage] {
    let directory = "Sources/\(module)/\(module).docc"
    return try FileManager.default.contentsOfDirectory(atPath: "\(BuiltProducts.repository)/\(directory)")
      .filter { $0.hasSuffix(".md") }.sorted().map { try MarkdownPage("\(directory)/\($0)") }
  }

  /// The name of the page, without directory and `.md`.
  public var name: String { URL(filePath: path).deletingPathExtension().lastPathComponent }

  /// Returns the blocks of a language.
  public func blocks(_ language: String) -> [Block] { blocks.filter { $0.language == language } }

  /// Returns the code spans of a text, in order.
  public static func code(in text: String) -> [String] {
    text.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  }

  /// A backslash precedes a vertical bar that does not separate cells.
  private static func cells(_ line: String) -> [String] {
    line.replacingOccurrences(of: "\\|", with: "\u{0}").split(separator: "|").map {
      $0.replacingOccurrences(of: "\u{0}", with: "|").trimmingCharacters(in: .whitespaces)
    }
  }
}

private func unspaced(_ text: String) -> String { text.filter { !$0.isWhitespace } }
