// SPDX-License-Identifier: Apache-2.0

/// The condition of a function of a Finicky configuration that only compares the application that contains the link, such as
/// `(url, { opener }) => opener?.bundleId === "com.example.Chat"`.
///
/// The function is not run: its text is parsed as a comparison, or several with `||`.
struct OpenerCondition {
  /// The value of a constant of the file.
  enum Constant {
    case text(String)
    case list([String])
  }

  /// The bundle identifiers or names of the applications, of which one must contain the link.
  let applications: [String]

  /// Reads a function; `nil` if it does anything else.
  ///
  /// - Parameter constant: Returns the value of a constant of the file; `nil` for any other name.
  init?(_ function: String, constant: @escaping (String) -> Constant?) {
    // The rest of a function that was cut off could change the condition.
    guard function.unicodeScalars.count < JavaScriptReader.maximumFunction,
      let tokens = Token.tokens(of: function), !tokens.contains(.name("async")),
      let (parameters, body) = Self.parts(tokens),
      case .applications(let found)? = OpenerReader(body, parameters: parameters, constant: constant).read(),
      !found.isEmpty
    else { return nil }
    applications = found
  }

  /// Indicates whether the text of a function names the application that contains the link, outside of quotation marks.
  static func isNamed(in function: String) -> Bool {
    var mark: Character?
    var code = ""
    for character in function {
      if character == mark {
        mark = nil
      } else if mark == nil, "\"'`".contains(character) {
        mark = character
      } else if mark == nil {
        code.append(character)
      }
    }
    return ["opener", "sourceBundleIdentifier", "sourceProcessPath"].contains(where: code.contains)
  }

  /// The names that the parameters of a function declare.
  fileprivate struct Parameters {
    /// The names of whole parameters, such as `options`.
    var whole: Set<String> = []
    /// The names of members, such as `opener` in `{ opener }`.
    var members: Set<String> = []

    init(_ tokens: ArraySlice<Token>) {
      var depth = 0
      for token in tokens {
        switch token {
        case .mark("{"): depth += 1
        case .mark("}"): depth -= 1
        case .name(let name): if depth > 0 { members.insert(name) } else { whole.insert(name) }
        case .text, .mark: break
        }
      }
    }

    func contains(_ name: String) -> Bool { whole.contains(name) || members.contains(name) }
  }

  /// Returns the parameters of a function, and the expression that it returns.
  private static func parts(_ tokens: [Token]) -> (parameters: Parameters, body: ArraySlice<Token>)? {
    let end: Int
    if let arrow = tokens.firstIndex(of: .mark("=>")) {
      end = arrow
    } else {
      guard let open = tokens.firstIndex(of: .mark("(")),
        let close = closing(of: open, in: tokens)
      else { return nil }
      end = close
    }
    var body = tokens[(end + 1)...]
    if body.last == .mark(";") { body.removeLast() }
    if body.first == .mark("{") {
      guard body.last == .mark("}"), body.dropFirst().first == .name("return") else { return nil }
      body = body.dropFirst(2).dropLast()
      if body.last == .mark(";") { body.removeLast() }
    }
    return (Parameters(tokens[..<end]), body)
  }

  private static func closing(of open: Int, in tokens: [Token]) -> Int? {
    var depth = 0
    for index in tokens.indices[open...] {
      if tokens[index] == .mark("(") { depth += 1 }
      if tokens[index] == .mark(")") { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  /// An element of the text of a function.
  fileprivate enum Token: Equatable {
    /// A name, or several with `.` or `?.` between them, written with `.`.
    case name(String)
    case text(String)
    case mark(String)

    /// Returns the elements of a function; `nil` if it contains others, such as numbers.
    static func tokens(of function: String) -> [Token]? {
      var rest = Array(function.unicodeScalars)[...]
      var tokens: [Token] = []
      func isName(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar == "$" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      }
      while let scalar = rest.first {
        if scalar.properties.isWhitespace {
          rest.removeFirst()
        } else if scalar == "\"" || scalar == "'" {
          let content = rest.dropFirst().prefix { $0 != scalar }
          guard !content.contains("\\"), !content.contains("\n"), content.endIndex < rest.endIndex else {
            return nil
          }
          tokens.append(.text(String(String.UnicodeScalarView(content))))
          rest = rest[content.endIndex...].dropFirst()
        } else if isName(scalar), !("0"..."9").contains(scalar) {
          var name = String.UnicodeScalarView()
          while let next = rest.first {
            if isName(next) {
              name.append(next)
              rest.removeFirst()
              continue
            }
            let chain = rest.starts(with: "?.".unicodeScalars) ? 2 : next == "." ? 1 : 0
            guard chain > 0, let first = rest.dropFirst(chain).first, isName(first) else { break }
            name.append(".")
            rest = rest.dropFirst(chain)
          }
          tokens.append(.name(String(name)))
        } else {
          let marks = [
            "===", "=>", "==", "||", "&&", "!!", "??", "(", ")", "{", "}", "[", "]", ",", ":", ";", ".",
          ]
          guard let mark = marks.first(where: { rest.starts(with: $0.unicodeScalars) }) else { return nil }
          tokens.append(.mark(mark))
          rest = rest.dropFirst(mark.unicodeScalars.count)
        }
      }
      return tokens
    }
  }
}

/// A parser for the expression of a function that compares the application.
private struct OpenerReader {
  private static let maximumDepth = 16

  /// The value of an expression.
  enum Value: Equatable {
    /// True for links of these applications.
    case applications([String])
    /// True if an application is known.
    case isKnown
    case constant(Bool)
  }

  private var tokens: ArraySlice<OpenerCondition.Token>
  private let parameters: OpenerCondition.Parameters
  private let constant: (String) -> OpenerCondition.Constant?
  private var depth = 0

  init(
    _ tokens: ArraySlice<OpenerCondition.Token>, parameters: OpenerCondition.Parameters,
    constant: @escaping (String) -> OpenerCondition.Constant?
  ) {
    self.tokens = tokens
    self.parameters = parameters
    self.constant = constant
  }

  /// Returns the value of the whole expression; `nil` if it is no comparison of the application.
  func read() -> Value? {
    var reader = self
    let value = reader.readAlternatives()
    return reader.tokens.isEmpty ? value : nil
  }

  private mutating func accept(_ mark: String) -> Bool {
    guard tokens.first == .mark(mark) else { return false }
    tokens.removeFirst()
    return true
  }

  private mutating func readAlternatives() -> Value? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth, var value = readConjunction() else { return nil }
    while accept("||") {
      guard let other = readConjunction() else { return nil }
      switch (value, other) {
      case (.applications(let some), .applications(let more)):
        value = .applications(some + more.filter { !some.contains($0) })
      case (_, .constant(false)): break
      case (.constant(false), _): value = other
      default: return nil
      }
    }
    return value
  }

  private mutating func readConjunction() -> Value? {
    guard var value = readOperand() else { return nil }
    while accept("&&") {
      guard let other = readOperand() else { return nil }
      switch (value, other) {
      case (.isKnown, _), (.constant(true), _): value = other
      case (.applications, .isKnown), (.applications, .constant(true)): break
      default: return nil
      }
    }
    return value
  }

  private mutating func readOperand() -> Value? {
    if accept("!!") { return readConverted() }
    if accept("(") { return readGroup() }
    if accept("[") { return readMembership() }
    guard let first = tokens.popFirst() else { return nil }
    switch first {
    case .name("true"): return .constant(true)
    case .name("false"): return .constant(false)
    case .name("Boolean"): return accept("(") ? readGroup() : nil
    case .name(let name) where isApplication(name):
      guard accept("===") || accept("==") else { return .isKnown }
      return readText().map { .applications([$0]) }
    case .name(let name) where isOpener(name): return .isKnown
    case .name(let name) where name.hasSuffix(".includes"):
      // `includes` of a text searches for a part of it.
      guard case .list(let texts)? = value(ofConstant: String(name.dropLast(".includes".count))) else {
        return nil
      }
      return readArgument() ? .applications(texts) : nil
    case .text(let text):
      guard accept("===") || accept("=="), case .name(let name)? = tokens.popFirst(), isApplication(name)
      else { return nil }
      return .applications([text])
    case .name, .mark: return nil
    }
  }

  /// Reads what `!!` converts, which ends before a comparison.
  private mutating func readConverted() -> Value? {
    if accept("!!") { return readConverted() }
    if accept("(") { return readGroup() }
    guard case .name(let name)? = tokens.popFirst(), isOpener(name) || isApplication(name),
      tokens.first != .mark("==="), tokens.first != .mark("==")
    else { return nil }
    return .isKnown
  }

  private mutating func readGroup() -> Value? {
    let value = readAlternatives()
    return accept(")") ? value : nil
  }

  /// Reads `"a", "b"].includes(opener.bundleId)`.
  private mutating func readMembership() -> Value? {
    var texts: [String] = []
    while !accept("]") {
      guard let text = readText() else { return nil }
      texts.append(text)
      guard accept(",") || tokens.first == .mark("]") else { return nil }
    }
    guard accept("."), tokens.popFirst() == .name("includes") else { return nil }
    return readArgument() ? .applications(texts) : nil
  }

  /// Reads `(opener.bundleId)`, also with `?? ""`.
  private mutating func readArgument() -> Bool {
    guard accept("("), case .name(let name)? = tokens.popFirst(), isApplication(name) else { return false }
    if accept("??"), tokens.popFirst() != .text("") { return false }
    return accept(")")
  }

  private mutating func readText() -> String? {
    switch tokens.popFirst() {
    case .text(let text): return text
    case .name(let name):
      guard case .text(let text)? = value(ofConstant: name) else { return nil }
      return text
    case .mark, nil: return nil
    }
  }

  private func value(ofConstant name: String) -> OpenerCondition.Constant? {
    // A parameter of the name hides the constant.
    parameters.contains(name) ? nil : constant(name)
  }

  /// Returns whether a name stands for the bundle identifier or the name of the application.
  private func isApplication(_ name: String) -> Bool {
    let parts = name.split(separator: ".").map(String.init)
    switch parts.last {
    case "sourceBundleIdentifier": return isMember(parts)
    case "bundleId" where parts.count == 1: return parameters.members.contains("bundleId")
    case "bundleId", "name": return isOpener(parts.dropLast().joined(separator: "."))
    default: return false
    }
  }

  /// Returns whether a name stands for the application, such as `opener` and `options.opener`.
  private func isOpener(_ name: String) -> Bool {
    let parts = name.split(separator: ".").map(String.init)
    return parts.last == "opener" && isMember(parts)
  }

  /// Returns whether a name is a member of a parameter, by itself or behind the parameter's name.
  private func isMember(_ parts: [String]) -> Bool {
    switch parts.count {
    case 1: parameters.members.contains(parts[0])
    case 2: parameters.whole.contains(parts[0])
    default: false
    }
  }
}
