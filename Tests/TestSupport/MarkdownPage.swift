import Foundation

/// A page of the documentation, with what tests compare of it with the code.
public struct MarkdownPage: Sendable {
  /// A fenced block.
  public struct Block: Sendable {
    /// What stands behind the fence: `swift`.
    public let language: String
    /// Its lines.
    public let lines: [String]
    /// Where the first of them stands in the page, counted from 1.
    public let line: Int

    /// Its lines as one text, each ended.
    public var text: String { lines.map { $0 + "\n" }.joined() }

    /// Whether the block stands in `code`, whatever the space between.
    public func isPart(of code: String) -> Bool { unspaced(code).contains(unspaced(text)) }
  }

  /// A row of a table.
  public struct Row: Sendable {
    /// Where it stands in the page, counted from 1.
    public let line: Int
    /// What stands under each heading.
    public let cells: [String: String]
  }

  /// The page, from the top of the repository.
  public let path: String
  /// All of it.
  public let text: String
  /// Its fenced blocks, in order.
  public private(set) var blocks: [Block] = []
  /// The rows of its tables, in order.
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

  /// The pages of a library's catalogue, in the order of their names.
  public static func catalogue(of module: String) throws -> [MarkdownPage] {
    let directory = "Sources/\(module)/\(module).docc"
    return try FileManager.default.contentsOfDirectory(atPath: "\(BuiltProducts.repository)/\(directory)")
      .filter { $0.hasSuffix(".md") }.sorted().map { try MarkdownPage("\(directory)/\($0)") }
  }

  /// The page's name, without folder and `.md`.
  public var name: String { URL(filePath: path).deletingPathExtension().lastPathComponent }

  /// The blocks of a language.
  public func blocks(_ language: String) -> [Block] { blocks.filter { $0.language == language } }

  /// What stands in code in a text, in order.
  public static func code(in text: String) -> [String] {
    text.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  }

  /// A bar that is none between cells stands behind a backslash.
  private static func cells(_ line: String) -> [String] {
    line.replacingOccurrences(of: "\\|", with: "\u{0}").split(separator: "|").map {
      $0.replacingOccurrences(of: "\u{0}", with: "|").trimmingCharacters(in: .whitespaces)
    }
  }
}

private func unspaced(_ text: String) -> String { text.filter { !$0.isWhitespace } }
