// SPDX-License-Identifier: Apache-2.0
/// A hint for a capture in the syntax of another router: the equivalent in the syntax of patterns.
///
/// A hint is given only if the parser accepts the suggested text.
struct ForeignSyntaxHint {
  private let text: String
  private let types: [RouteType]

  /// Returns an error with the suggested text if there is one, otherwise `error`; `start` is the offset of the brace.
  static func error(
    _ error: RouteTableError, in bytes: [UInt8], from start: Int, types: [RouteType]
  ) -> RouteTableError {
    switch error.reason {
    case .invalidName, .unknownType, .invalidLength, .unclosedCapture, .choiceOfOne: break
    default: return error
    }
    guard let text = inside(bytes, from: start) else { return error }
    if text == "$" {
      let sentence =
        "`{$}` is syntax of other routers for the end of a path: remove it, because a pattern always matches the whole path"
      return RouteTableError(.invalidCapture(sentence), at: start)
    }
    for way in ForeignSyntaxHint(text: text, types: types).ways {
      guard (try? PatternElementReader.read(way, types: types, explains: false)) != nil else { continue }
      return RouteTableError(.notationOfOthers("{\(text)}", here: way), at: start)
    }
    return error
  }

  /// Returns the text between the brace at `start` and the matching one; `nil` if there is none within 256 bytes.
  private static func inside(_ bytes: [UInt8], from start: Int) -> String? {
    var depth = 0
    for (index, byte) in bytes[start...].enumerated().prefix(256) {
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}") { depth -= 1 }
      if depth == 0 { return String(decoding: bytes[(start + 1)..<(start + index)], as: UTF8.self) }
    }
    return nil
  }

  /// The possible equivalents, most likely first.
  private var ways: [String] {
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    let joins = zip(words, words.dropFirst()).allSatisfy {
      !Self.isName($0.suffix(1)) || !Self.isName($1.prefix(1))
    }
    var ways = text.contains(" ") && joins ? ["{\(words.joined())}"] : []
    ways += rest + operators + lists
    if let colon = text.firstIndex(of: ":") {
      let name = String(text[..<colon])
      ways += typed(
        name.hasSuffix("?") ? String(name.dropLast()) : name, String(text[text.index(after: colon)...]),
        mark: name.hasSuffix("?") ? "?" : "")
    }
    return ways + bracketed("(", ")") + bracketed("<", ">")
  }

  /// The catch-all for `{*rest}`, `{**rest}`, `{+rest}`, `{...rest}`, `{rest**}`, `{rest+}`, with or without a name.
  private var rest: [String] {
    if text.hasPrefix(":"), Self.isName(text.dropFirst()) { return ["{\(text.dropFirst())}"] }
    for mark in ["**", "*", "+", "..."] {
      if text == mark { return ["{rest...}"] }
      if text.hasPrefix(mark) { return ["{\(text.dropFirst(mark.count))...}"] }
      if mark != "*", text.hasSuffix(mark) { return ["{\(text.dropLast(mark.count))...}"] }
    }
    return []
  }

  /// The equivalents of RFC 6570 operators and path-to-regexp groups.
  ///
  /// These are `{/id}`, `{/:id}`, `{?q,r}`, `{&q}`, `{#f}` and `{.ext}`.
  private var operators: [String] {
    guard let mark = text.first, let name = text.split(separator: mark).first else { return [] }
    let names = name.split(separator: ",").map { $0.hasPrefix(":") ? $0.dropFirst() : $0 }
    guard let first = names.first, names.allSatisfy(Self.isName) else { return [] }
    let items = names.map { "\($0)={\($0)?}" }.joined(separator: "&")
    switch mark {
    case "/": return [names.map { "/{\($0)?}" }.joined()]
    case "?", "&": return ["\(mark)\(items)"]
    case "#": return ["#{\(first)?}"]
    case ".": return [".{\(first)}"]
    default: return []
    }
  }

  /// The equivalents of `{a,b}` and `{a|b}`.
  private var lists: [String] {
    if text.contains("|"), !text.contains(":") { return ["{:\(text)}"] }
    let names = text.split(separator: ",")
    return names.count > 1 && names.allSatisfy(Self.isName)
      ? [names.map { "{\($0)}" }.joined(separator: ",")] : []
  }

  /// Returns the equivalents of a capture with a type in another syntax.
  ///
  /// Examples are `{id:\d+}`, `{id:guid}`, `{int:id}`, `{path:path}`, `{id:length(3)}`, `{kind:a|b/c}` and `{var:3}`.
  private func typed(_ name: String, _ type: String, mark: String) -> [String] {
    let own = (types + RouteType.builtIn).map(\.name)
    func way(_ name: String, _ word: String) -> [String] {
      if own.contains(word) { return ["{\(name):\(word)\(mark)}"] }
      return Self.synonyms[word.lowercased()].map { ["{\(name)\($0)\(mark)}"] } ?? []
    }
    var ways = way(name, type)
    if Self.isName(type[...]) { ways += way(type, name) }
    if !type.isEmpty, type.utf8.allSatisfy(\.isASCIIDigit) {
      ways.append("{\(name):string(1,\(type))\(mark)}")
    }
    for (word, before, after) in Self.functions where type.hasPrefix("\(word)(") && type.hasSuffix(")") {
      ways.append("{\(name):\(before)\(type.dropFirst(word.count + 1).dropLast())\(after)\(mark)}")
    }
    if type.contains("|"), type.contains("/"), !type.contains(where: { "()[]\\".contains($0) }) {
      ways.append("{:\(type)}")
    }
    return ways + expression(name, type, mark: mark)
  }

  /// Returns the equivalents of a regular expression without slashes around it, or with `^` and `$`.
  private func expression(_ name: String, _ text: String, mark: String) -> [String] {
    var text = text
    if text.hasPrefix("^") { text.removeFirst() }
    if text.hasSuffix("$") { text.removeLast() }
    if [".*", ".+", ".*?", ".+?", "*", "**"].contains(text) { return ["{\(name)...\(mark)}"] }
    if text == "[^/]+" || text == "[^/]*" { return ["{\(name)\(mark)}"] }
    let word = text.prefix { $0.isLetter || $0 == ":" }
    let isCall = !word.isEmpty && text.dropFirst(word.count).first == "("
    guard text.contains(where: { "[](){}.*+\\|?".contains($0) }), !text.hasPrefix("/"), !isCall else {
      return []
    }
    var escaped = ""
    for character in text {
      escaped += character == "/" && escaped.last != "\\" ? "\\/" : String(character)
    }
    let bare = escaped.hasSuffix("?") ? ["{\(name):/\(escaped.dropLast())/?}"] : []
    return bare + ["{\(name):/\(escaped)/\(mark)}"]
  }

  /// Returns the equivalents of `{id(\d+)}` and `{id<\d+>}`.
  private func bracketed(_ open: Character, _ close: Character) -> [String] {
    guard let begin = text.firstIndex(of: open), let end = text.lastIndex(of: close), begin < end else {
      return []
    }
    let mark = text[text.index(after: end)...]
    guard mark.isEmpty || mark == "?" else { return [] }
    let content = String(text[text.index(after: begin)..<end])
    return typed(String(text[..<begin]), content, mark: String(mark))
  }

  private static func isName(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, first.isASCIILetter || first == UInt8(ascii: "_") else { return false }
    return text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x5F || $0 == 0x2D }
  }

  /// The text after the name for the type names of other routers.
  private static let synonyms = [
    "guid": ":uuid", "integer": ":int", "long": ":int", "int64": ":int", "int32": ":int", "i64": ":int",
    "i32": ":int", "int": ":int", "number": ":int", "num": ":int", "signed": ":int", "uint64": ":uint",
    "uint32": ":uint", "u64": ":uint", "u32": ":uint", "unsigned": ":uint", "natural": ":uint",
    "digit": ":/[0-9]+/", "digits": ":/[0-9]+/", "float": #":/-?[0-9]+(\.[0-9]+)?/"#,
    "double": #":/-?[0-9]+(\.[0-9]+)?/"#, "decimal": #":/-?[0-9]+(\.[0-9]+)?/"#, "alpha": ":/[A-Za-z]+/",
    "alphanum": ":/[A-Za-z0-9]+/", "alnum": ":/[A-Za-z0-9]+/", "word": #":/\w+/"#, "boolean": ":bool",
    "xdigit": ":hex", "str": "", "text": "", "default": "", "path": "...", "any": "...", "wildcard": "...",
    "catchall": "...",
  ]

  /// The constraints that other routers write as functions, and the text before and after the argument here.
  private static let functions = [
    ("regex", "/", "/"), ("re", "/", "/"), ("matches", "/", "/"), ("length", "string(", ")"),
    ("minlength", "string(", ",)"), ("maxlength", "string(1,", ")"),
  ]
}
