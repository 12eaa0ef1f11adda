/// A line for a person, with words that a terminal sets off.
///
/// ```swift
/// Console.say("\("verdict:", as: .good) \(message)")
/// ```
struct StyledText: ExpressibleByStringInterpolation {
  /// What a colour underlines; the words say the same, for it is seen neither in a file nor by everybody.
  enum Emphasis: String {
    /// What a line is about.
    case heading = "1"
    /// It went well, or will.
    case good = "32"
    /// It did not, or is forbidden.
    case bad = "31"
    /// Nobody knows, or somebody has to say first.
    case open = "33"
  }

  private var runs: [(text: String, emphasis: Emphasis?)] = []

  init(stringLiteral text: String) { runs = [(text, nil)] }
  init(_ text: String, as emphasis: Emphasis? = nil) { runs = [(text, emphasis)] }
  init(stringInterpolation: Interpolation) { runs = stringInterpolation.runs }

  /// Collects the parts of a literal.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var runs: [(text: String, emphasis: Emphasis?)] = []

    init(literalCapacity: Int, interpolationCount: Int) {}
    mutating func appendLiteral(_ text: String) { runs.append((text, nil)) }
    mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      runs.append((value.description, nil))
    }
    mutating func appendInterpolation(_ value: some CustomStringConvertible, as emphasis: Emphasis?) {
      runs.append((value.description, emphasis))
    }
    mutating func appendInterpolation(_ text: StyledText) { runs += text.runs }
  }

  /// The words alone.
  var text: String { runs.map(\.text).joined() }

  /// The same in one line, whatever a name holds.
  var inOneLine: StyledText {
    var copy = self
    copy.runs = runs.map { ($0.text.replacing("\n", with: "\u{FFFD}"), $0.emphasis) }
    return copy
  }

  /// What is written: nothing in it steers the terminal but our own colours, and those where `isColoured`.
  func written(isColoured: Bool) -> String {
    runs.map { text, emphasis in
      let text = Console.visible(text)
      guard isColoured, let emphasis, !text.isEmpty else { return text }
      return "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m"
    }.joined()
  }
}
