// SPDX-License-Identifier: Apache-2.0
import RemoteProtocol
import RouteTables

/// A reader for the data in a JavaScript, TypeScript or JSON file.
///
/// It runs no code. It reads the value that the file exports, and the constants that this value names. Functions and other code are skipped and
/// reported as such.
struct JavaScriptReader {
  private static let maximumDepth = 64
  /// The maximum length of the text of a function; the rest is cut off.
  static let maximumFunction = 4_096

  private let scalars: [Unicode.Scalar]
  private let file: String
  private let lineStarts: [Int]
  private var position = 0
  private var depth = 0
  /// The constants of the file.
  private(set) var constants: [String: JavaScriptNode] = [:]
  /// The exported value; `nil` if the file exports none.
  private(set) var exported: JavaScriptNode?
  /// Indicates whether the file uses `module.exports`.
  private(set) var isCommonJS = false

  /// Reads the text of a file.
  init(_ text: String, file: String) throws(ImportError) {
    let all = Array(text.unicodeScalars)
    scalars = all
    self.file = file
    lineStarts = [0] + all.indices.filter { all[$0] == "\n" }.map { $0 + 1 }
    try readProgram()
  }

  // MARK: Program

  private mutating func readProgram() throws(ImportError) {
    skipTrivia()
    if current == "{" {
      // JSON: Finicky's own file of rules.
      exported = try readValue()
      return
    }
    while current != nil {
      if acceptWord("export") {
        skipTrivia()
        if acceptWord("default") {
          exported = try readValue()
          continue
        }
      }
      if acceptWord("module.exports") {
        skipTrivia()
        if accept("=") {
          exported = try readValue()
          isCommonJS = true
          continue
        }
      }
      if acceptWord("const") || acceptWord("let") || acceptWord("var") {
        skipTrivia()
        let name = readName()
        skipTrivia()
        if accept(":") { skip { $0 == "=" || $0 == ";" } }
        if !name.isEmpty, accept("=") {
          constants[name] = try readValue()
          skipTrivia()
          continue
        }
      }
      skipStatement()
      skipTrivia()
    }
  }

  private mutating func skipStatement() {
    let start = position
    skip { $0 == ";" || $0 == "\n" }
    if current != nil { position += 1 }
    if position == start { position += 1 }
  }

  // MARK: Values

  /// Reads a value, up to the separator behind it.
  private mutating func readValue() throws(ImportError) -> JavaScriptNode {
    skipTrivia()
    let start = position
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw failure("the values nest too deeply") }
    let content = try readContent()
    let end = position
    let hasLineBreak = skipTrivia()
    if acceptWord("as") || acceptWord("satisfies") {
      skip { ",;)]}\n".unicodeScalars.contains($0) }
    } else if let next = current, !",;)]}".unicodeScalars.contains(next), !(hasLineBreak && isNameStart(next))
    {
      let isArrow = Self.isArrow(scalars[position...])
      skip { ",;)]}".unicodeScalars.contains($0) }
      return node(isArrow ? function(from: start) : .code, from: start, to: position)
    }
    return node(content, from: start, to: end)
  }

  private static func isArrow(_ rest: ArraySlice<Unicode.Scalar>) -> Bool {
    rest.starts(with: "=>".unicodeScalars)
  }

  private mutating func readContent() throws(ImportError) -> JavaScriptNode.Content {
    guard let scalar = current else { throw failure("a value is missing at the end of the file") }
    switch scalar {
    case "\"", "'": return .string(try readString(scalar))
    case "`":
      let text = try readString(scalar)
      return text.contains("${") ? .code : .string(text)
    case "/":
      let (pattern, flags) = try readExpression()
      return .expression(pattern: pattern, flags: flags)
    case "[": return .array(try readList("]"))
    case "{": return .object(try readObject())
    case "(":
      skipBalanced()
      return .code
    case "-", "0"..."9":
      let start = position
      while let scalar = current, "-+.eExXabcdefABCDEF0123456789_n".unicodeScalars.contains(scalar) {
        _ = scalar; position += 1
      }
      return .number(String(String.UnicodeScalarView(scalars[start..<position])))
    case ".":
      guard acceptText("...") else { break }
      return .spread(try readValue())
    default: break
    }
    let begin = position
    let name = readName(withDots: true)
    switch name {
    case "": throw failure("`\(scalar)` is not the start of a value")
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "null", "undefined": return .null
    case "function", "async", "class":
      skip { ",;)]}".unicodeScalars.contains($0) }
      return function(from: begin)
    case "new", "await", "typeof", "require":
      skip { ",;)]}".unicodeScalars.contains($0) }
      return .code
    default: break
    }
    skipTrivia()
    guard current == "(" else { return .reference(name) }
    let before = position
    if let arguments = try? readList(")") { return .call(name, arguments) }
    position = before
    skipBalanced()
    return .code
  }

  private mutating func readList(_ end: Unicode.Scalar) throws(ImportError) -> [JavaScriptNode] {
    position += 1
    var values: [JavaScriptNode] = []
    while true {
      skipTrivia()
      if accept(end) { return values }
      if accept(",") { continue }
      values.append(try readValue())
      skipTrivia()
      guard current == "," || current == end else { throw failure("`,` or `\(end)` is missing") }
    }
  }

  private mutating func readObject() throws(ImportError) -> [JavaScriptNode.Member] {
    position += 1
    var members: [JavaScriptNode.Member] = []
    while true {
      skipTrivia()
      if accept("}") { return members }
      if accept(",") { continue }
      let start = position
      guard let scalar = current else { throw failure("`}` is missing at the end of the file") }
      if acceptText("...") {
        let value = try readValue()
        members.append(JavaScriptNode.Member(key: "...", value: value))
        continue
      }
      let key: String
      switch scalar {
      case "\"", "'": key = try readString(scalar)
      case "[":
        skipBalanced()
        key = "[…]"
      default: key = readName()
      }
      guard !key.isEmpty else { throw failure("`\(scalar)` is not the start of a key") }
      skipTrivia()
      if accept(":") {
        members.append(JavaScriptNode.Member(key: key, value: try readValue()))
      } else if current == "," || current == "}" {
        members.append(
          JavaScriptNode.Member(key: key, value: node(.reference(key), from: start, to: position)))
      } else {
        // A method.
        skip { ",}".unicodeScalars.contains($0) }
        members.append(
          JavaScriptNode.Member(key: key, value: node(function(from: start), from: start, to: position)))
      }
      skipTrivia()
      guard current == "," || current == "}" else { throw failure("`,` or `}` is missing") }
    }
  }

  private mutating func readString(_ mark: Unicode.Scalar) throws(ImportError) -> String {
    position += 1
    var text = String.UnicodeScalarView()
    while let scalar = current, scalar != mark {
      position += 1
      guard scalar == "\\" else {
        if scalar == "\n", mark != "`" { throw failure("a text is not closed in its line") }
        text.append(scalar)
        continue
      }
      guard let escaped = current else { break }
      position += 1
      switch escaped {
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "r": text.append("\r")
      case "\n": break
      case "x": text.append(readHexadecimal(2))
      case "u":
        if accept("{") {
          text.append(readHexadecimal(6))
          _ = accept("}")
        } else {
          text.append(readHexadecimal(4))
        }
      default: text.append(escaped)
      }
    }
    guard accept(mark) else { throw failure("a text is not closed") }
    return String(text)
  }

  private mutating func readHexadecimal(_ digits: Int) -> Unicode.Scalar {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let digit = current.flatMap({ $0.isASCII ? Character($0).hexDigitValue : nil }) else { break }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private mutating func readExpression() throws(ImportError) -> (pattern: String, flags: String) {
    position += 1
    var text = String.UnicodeScalarView()
    var isInClass = false
    while let scalar = current, scalar != "/" || isInClass {
      guard scalar != "\n" else { break }
      position += 1
      text.append(scalar)
      if scalar == "\\", let escaped = current {
        text.append(escaped)
        position += 1
      } else if scalar == "[" {
        isInClass = true
      } else if scalar == "]" {
        isInClass = false
      }
    }
    guard accept("/") else { throw failure("a regular expression is not closed") }
    return (String(text), readName())
  }

  // MARK: Lexical elements

  private var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar == "$" || scalar.properties.isAlphabetic
  }

  private mutating func readName(withDots: Bool = false) -> String {
    var name = String.UnicodeScalarView()
    while let scalar = current,
      isNameStart(scalar) || !name.isEmpty && (("0"..."9").contains(scalar) || withDots && scalar == ".")
    {
      name.append(scalar)
      position += 1
    }
    return String(name)
  }

  private mutating func accept(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    position += 1
    return true
  }

  private mutating func acceptText(_ text: String) -> Bool {
    guard scalars[position...].starts(with: text.unicodeScalars) else { return false }
    position += text.unicodeScalars.count
    return true
  }

  private mutating func acceptWord(_ word: String) -> Bool {
    let end = position + word.unicodeScalars.count
    guard scalars[position...].starts(with: word.unicodeScalars),
      end >= scalars.count || !(isNameStart(scalars[end]) || ("0"..."9").contains(scalars[end]))
    else { return false }
    position = end
    return true
  }

  /// Skips white space and comments, and returns whether there was a line break.
  @discardableResult
  private mutating func skipTrivia() -> Bool {
    var hasLineBreak = false
    while let scalar = current {
      if scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
        hasLineBreak = hasLineBreak || scalar == "\n"
        position += 1
      } else if !skipComment() {
        break
      }
    }
    return hasLineBreak
  }

  private mutating func skipComment() -> Bool {
    guard current == "/", position + 1 < scalars.count else { return false }
    switch scalars[position + 1] {
    case "/":
      while let scalar = current, scalar != "\n" { _ = scalar; position += 1 }
      return true
    case "*":
      position += 2
      while current != nil, !acceptText("*/") { position += 1 }
      return true
    default: return false
    }
  }

  /// Skips code up to a scalar outside brackets, texts and comments for which `isEnd` is true.
  private mutating func skip(until isEnd: (Unicode.Scalar) -> Bool) {
    var previous: Unicode.Scalar = "("
    while let scalar = current {
      if skipComment() { continue }
      if isEnd(scalar) { return }
      switch scalar {
      case "(", "[", "{":
        skipBalanced()
        previous = ")"
        continue
      case ")", "]", "}": return
      case "\"", "'", "`": if (try? readString(scalar)) == nil, current != nil { position += 1 }
      case "/" where "(,=:[!&|?{};>\n".unicodeScalars.contains(previous):
        if (try? readExpression()) == nil, current != nil { position += 1 }
      default: position += 1
      }
      if !scalar.properties.isWhitespace || scalar == "\n" { previous = scalar }
    }
  }

  /// Skips a bracket and everything up to its partner.
  private mutating func skipBalanced() {
    depth += 1
    defer { depth -= 1 }
    position += 1
    guard depth <= Self.maximumDepth else {
      position = scalars.count
      return
    }
    skip { _ in false }
    if current != nil { position += 1 }
  }

  /// Returns the function whose text ends at the current position.
  private func function(from start: Int) -> JavaScriptNode.Content {
    .function(String(String.UnicodeScalarView(scalars[start..<position].prefix(Self.maximumFunction))))
  }

  private func node(_ content: JavaScriptNode.Content, from start: Int, to end: Int) -> JavaScriptNode {
    // Lines that are comments are no part of the value.
    let lines = scalars[start..<end].split(separator: "\n").filter { line in
      !line.drop { $0.properties.isWhitespace }.starts(with: "//".unicodeScalars)
    }
    return JavaScriptNode(
      content: content, location: location(of: start),
      text: lines.map { String(String.UnicodeScalarView($0)) }.joined(separator: "\n").inOneShortLine)
  }

  private func location(of index: Int) -> SourceLocation {
    // The last line that begins at or before the index.
    var (low, high) = (0, lineStarts.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if lineStarts[middle] <= index { low = middle } else { high = middle }
    }
    return SourceLocation(file: file, line: low + 1, column: index - lineStarts[low] + 1)
  }

  private func failure(_ reason: String) -> ImportError {
    .invalidFile(at: location(of: min(position, scalars.count)), reason: reason)
  }
}

extension String {
  /// The text in one line of at most 120 characters, without control characters.
  var inOneShortLine: String {
    let line = inOneLine
    return line.count > 120 ? line.prefix(119) + "…" : line
  }

  /// The text in one line, without control characters and changes of direction, so that it cannot end a comment or hide a part of it.
  var inOneLine: String {
    let words = split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    return String(String.UnicodeScalarView(words.unicodeScalars.filter { !$0.changesDisplay }))
  }
}
