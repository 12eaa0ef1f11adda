/// A sentence with names and texts of files in it, which are set off wherever it is read.
struct AttributedText: ExpressibleByStringInterpolation, Hashable {
  fileprivate struct Run: Hashable {
    let text: String
    let isCode: Bool
  }

  private var runs: [Run] = []

  init(stringLiteral text: String) { runs = [Run(text: text, isCode: false)] }
  init(stringInterpolation: Interpolation) { runs = stringInterpolation.runs }

  /// Collects the parts of a literal; `code` is what is not ours.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var runs: [Run] = []

    init(literalCapacity: Int, interpolationCount: Int) {}
    mutating func appendLiteral(_ text: String) { runs.append(Run(text: text, isCode: false)) }
    mutating func appendInterpolation(code text: String) { runs.append(Run(text: text, isCode: true)) }
    mutating func appendInterpolation(_ text: AttributedText) { runs += text.runs }
    mutating func appendInterpolation(_ number: Int) { appendLiteral("\(number)") }
  }

  /// The sentence with what is not ours between grave accents.
  var plain: String { runs.map { $0.isCode ? "`\($0.text)`" : $0.text }.joined() }

  /// The sentence as a cell of a table in Markdown: nothing in what is not ours is read as Markdown.
  ///
  /// GitHub Flavored Markdown, sections 4.10 and 6.3.
  var markdown: String { runs.map { $0.isCode ? Self.codeSpan($0.text) : $0.text }.joined() }

  private static func codeSpan(_ text: String) -> String {
    guard !text.isEmpty else { return "(nothing)" }
    let text = Console.visible(text).replacing("\n", with: "\u{FFFD}")
    // A span ends at as many accents as it begins with.
    var (longest, run) = (0, 0)
    for character in text.unicodeScalars {
      run = character == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    let needsSpace = text.hasPrefix("`") || text.hasSuffix("`") || text.hasPrefix(" ") && text.hasSuffix(" ")
    let space = needsSpace ? " " : ""
    return fence + space + text.replacing("|", with: #"\|"#) + space + fence
  }
}

extension [AttributedText] {
  /// One after the other.
  func joined(by separator: AttributedText) -> AttributedText {
    guard let first else { return "" }
    return dropFirst().reduce(first) { "\($0)\(separator)\($1)" }
  }
}
