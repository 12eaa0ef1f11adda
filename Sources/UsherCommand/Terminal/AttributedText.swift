// SPDX-License-Identifier: Apache-2.0
import RemoteProtocol

/// A sentence in which names and texts from files are marked as code.
struct AttributedText: ExpressibleByStringInterpolation, Hashable {
  fileprivate struct Run: Hashable {
    let text: String
    let isCode: Bool
  }

  private var runs: [Run] = []

  init(stringLiteral text: String) { runs = [Run(text: text, isCode: false)] }
  init(stringInterpolation: Interpolation) { runs = stringInterpolation.runs }

  /// A collector of the parts of a literal; `code` marks text from outside.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var runs: [Run] = []

    init(literalCapacity: Int, interpolationCount: Int) {}
    mutating func appendLiteral(_ text: String) { runs.append(Run(text: text, isCode: false)) }
    mutating func appendInterpolation(code text: String) { runs.append(Run(text: text, isCode: true)) }
    mutating func appendInterpolation(_ text: AttributedText) { runs += text.runs }
    mutating func appendInterpolation(_ number: Int) { appendLiteral("\(number)") }
  }

  /// The sentence with code between grave accents.
  var plain: String { runs.map { $0.isCode ? "`\($0.text)`" : $0.text }.joined() }

  /// The sentence as a cell of a Markdown table, in which code is never interpreted as Markdown.
  ///
  /// GitHub Flavored Markdown, sections 4.10 and 6.3.
  var markdown: String { runs.map { $0.isCode ? Self.codeSpan($0.text) : $0.text }.joined() }

  private static func codeSpan(_ text: String) -> String {
    guard !text.isEmpty else { return "(nothing)" }
    let text = text.visibleInOneLine
    // A code span ends at the number of accents with which it begins, so that it needs more than the text contains.
    var (longest, run) = (0, 0)
    for character in text.unicodeScalars {
      run = character == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    let needsSpace = text.hasPrefix("`") || text.hasSuffix("`") || text.hasPrefix(" ") && text.hasSuffix(" ")
    let space = needsSpace ? " " : ""
    return fence + space + text.unicodeScalars.map { $0 == "|" ? #"\|"# : String($0) }.joined() + space
      + fence
  }
}

extension [AttributedText] {
  /// Concatenates the texts with a separator.
  func joined(by separator: AttributedText) -> AttributedText {
    guard let first else { return "" }
    return dropFirst().reduce(first) { "\($0)\(separator)\($1)" }
  }
}
