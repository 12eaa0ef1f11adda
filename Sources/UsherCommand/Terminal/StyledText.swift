// SPDX-License-Identifier: Apache-2.0
import RemoteProtocol

/// A line of output with words that a terminal highlights.
///
/// ```swift
/// Console.print("\("verdict:", as: .good) \(message)")
/// ```
struct StyledText: ExpressibleByStringInterpolation {
  /// The meaning of a highlight, which the words repeat, because colors are not visible in a file or to all users.
  enum Emphasis: String {
    /// The subject of a line.
    case heading = "1"
    /// Success.
    case good = "32"
    /// Failure or rejection.
    case bad = "31"
    /// An unknown or undecided outcome.
    case open = "33"
  }

  private var runs: [(text: String, emphasis: Emphasis?)] = []

  init(stringLiteral text: String) { runs = [(text, nil)] }
  init(_ text: String, as emphasis: Emphasis? = nil) { runs = [(text, emphasis)] }
  init(stringInterpolation: Interpolation) { runs = stringInterpolation.runs }

  /// A collector of the parts of a literal.
  ///
  /// A value cannot begin a line of its own, such as a `try:` line, because it may come from a link.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var runs: [(text: String, emphasis: Emphasis?)] = []

    init(literalCapacity: Int, interpolationCount: Int) {}
    mutating func appendLiteral(_ text: String) { runs.append((text, nil)) }
    mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      appendInterpolation(value, as: nil)
    }
    mutating func appendInterpolation(_ value: some CustomStringConvertible, as emphasis: Emphasis?) {
      runs.append((value.description.withoutLineBreaks, emphasis))
    }
    mutating func appendInterpolation(_ text: StyledText) { runs += text.runs }
  }

  /// The text without styles.
  var text: String { runs.map(\.text).joined() }

  /// The text with line breaks replaced, so that it is one line.
  var inOneLine: StyledText {
    var copy = self
    copy.runs = runs.map { ($0.text.withoutLineBreaks, $0.emphasis) }
    return copy
  }

  /// Returns the text for output, in which only the styles control the terminal, and only if `isColoured`.
  func written(isColoured: Bool) -> String {
    runs.map { text, emphasis in
      let text = text.visible
      guard isColoured, let emphasis, !text.isEmpty else { return text }
      return "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m"
    }.joined()
  }
}
