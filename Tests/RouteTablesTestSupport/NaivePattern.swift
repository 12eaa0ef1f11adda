// SPDX-License-Identifier: Apache-2.0
/// A pattern as values that never were text; the library parses its text.
struct NaivePattern: Sendable {
  enum Piece: Sendable {
    case text(String)
    case hole(String, NaiveType)
    case choice([String])
  }

  enum ComponentMatcher: Sendable {
    case one([Piece])
    case rest(String, NaiveType, isOptional: Bool)
    /// The forms `{x?}` and `{x=v}` at the end of a path.
    case optional(String, NaiveType, value: String?)
  }

  enum Test: Sendable {
    case present
    case absent
    case value([Piece])
    case list(String, NaiveType, isOptional: Bool)
    case optional(String, NaiveType, value: String?)
  }

  enum Port: Sendable, Equatable {
    case any
    case number(Int?)
  }

  var scheme: String?
  /// The schemes that a pattern without a scheme excludes.
  var excluded: [String] = []
  var hasHost = false
  var user: [Piece]?
  /// The prefix `*` or `*.`.
  var lead = ""
  var labels: [ComponentMatcher] = []
  var port = Port.number(nil)
  var isRooted = true
  var segments: [ComponentMatcher] = []
  var query: [(key: String, test: Test)] = []
  var fragment: Test?
  var ignoresCase = false
  var ignoresSlash = false
  var plusIsLiteral = false
  var isJoined = false

  var text: String {
    var text = scheme.map { $0 + ":" } ?? (isRooted ? "" : "*:")
    if !excluded.isEmpty { text = "{!\(excluded.joined(separator: "|"))}:" }
    if hasHost {
      text += "//"
      if let user { text += Self.text(user, "/?#%@") + "@" }
      text += lead + labels.map { Self.text($0, "%") }.joined(separator: ".")
      switch port {
      case .any: text += ":*"
      case .number(let number): text += number.map { ":\($0)" } ?? ""
      }
    }
    if isRooted || isJoined { text += "/" }
    text += segments.map { Self.text($0, "/?#%") }.joined(separator: "/")
    for (index, item) in query.enumerated() {
      text += index == 0 ? "?" : "&"
      if case .absent = item.test { text += "!" }
      text += Self.encode(item.key, "&=#%+!")
      if let value = Self.text(item.test) { text += "=" + value }
    }
    if let fragment { text += "#" + (Self.text(fragment) ?? "") }
    return text
  }

  private static func text(_ test: Test) -> String? {
    switch test {
    case .present, .absent: nil
    case .value(let pieces): text(pieces, "&#%+")
    case .list(let name, let type, let isOptional): "{\(name)\(type.text)*\(isOptional ? "?" : "")}"
    case .optional(let name, let type, let value): "{\(name)\(type.text)\(value.map { "=" + $0 } ?? "?")}"
    }
  }

  private static func text(_ place: ComponentMatcher, _ reserved: String) -> String {
    switch place {
    case .one(let pieces): text(pieces, reserved)
    case .rest(let name, let type, let isOptional): "{\(name)\(type.text)...\(isOptional ? "?" : "")}"
    case .optional(let name, let type, let value): "{\(name)\(type.text)\(value.map { "=" + $0 } ?? "?")}"
    }
  }

  static func text(_ pieces: [Piece], _ reserved: String) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): encode(text, reserved)
      case .hole(let name, let type): "{\(name)\(type.text)}"
      case .choice(let texts): "{:" + texts.joined(separator: "|") + "}"
      }
    }.joined()
  }

  private static func encode(_ text: String, _ reserved: String) -> String {
    text.unicodeScalars.map { scalar in
      guard scalar == " " || reserved.unicodeScalars.contains(scalar) else { return String(scalar) }
      let hex = String(scalar.value, radix: 16, uppercase: true)
      return "%" + (hex.count < 2 ? "0" : "") + hex
    }.joined()
  }
}
