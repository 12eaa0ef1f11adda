// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// A text with `*`, which Finicky compares with the complete URL.
struct FinickyWildcard: Hashable, Sendable {
  let text: String
  let version: FinickyVersion

  // MARK: Evaluation

  /// Returns whether the wildcard matches a URL, by the steps that Finicky documents.
  ///
  /// This evaluator compares the texts directly. It shares nothing with the conversion to patterns, whose result it checks.
  func matches(_ url: String) -> Bool {
    switch version {
    case .three:
      // Without a scheme, http and https are compared. Upper and lower case are the same.
      guard !text.isEmpty else { return url.isEmpty }
      let (url, text) = (url.lowercased(), text.lowercased())
      if text.hasPrefix("http://") || text.hasPrefix("https://") {
        return Self.compare(text, url, escapes: false)
      }
      return ["http://", "https://"].contains { Self.compare($0 + text, url, escapes: false) }
    case .four:
      guard !text.isEmpty else { return false }
      guard text.contains("*") else { return text == url }
      if text.hasPrefix("*") { return Self.compare(text, url, escapes: true) }
      if Self.scheme(of: text) != nil {
        return Self.compare(text.hasSuffix("//") ? text + "*" : text, url, escapes: true)
      }
      let scalars = url.unicodeScalars
      return Self.prefixes.contains { prefix in
        scalars.starts(with: prefix.unicodeScalars)
          && Self.compare(text, String(scalars.dropFirst(prefix.utf8.count)), escapes: true)
      }
    }
  }

  /// The texts that may precede a wildcard without a scheme in Finicky 4.
  private static let prefixes = ["https:", "http:", "ftp:", "mailto:", "file:", "tel:", "sms:", "data:", ""]
    .flatMap { [$0 + "//", $0] }

  private static func scheme(of text: String) -> Substring? {
    let name = text.unicodeScalars.prefix {
      ScalarSet(of: "_").contains($0) || $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0)
    }
    let rest = text.unicodeScalars[name.endIndex...]
    return !name.isEmpty && rest.first == ":" ? Substring(name) : nil
  }

  private static func compare(_ pattern: String, _ text: String, escapes: Bool) -> Bool {
    var tokens: [Unicode.Scalar?] = []
    var pattern = Array(pattern.unicodeScalars)[...]
    while let scalar = pattern.popFirst() {
      if escapes, scalar == "\\", pattern.first == "*" {
        pattern.removeFirst()
        tokens.append("*")
      } else {
        tokens.append(scalar == "*" ? nil : scalar)
      }
    }
    // The latest `*` takes one scalar more after each mismatch; an earlier one need not, because the text between them matched.
    let scalars = Array(text.unicodeScalars)
    var (token, position) = (0, 0)
    var retry: (token: Int, position: Int)?
    while position < scalars.count {
      if token < tokens.count, tokens[token] == nil {
        token += 1
        retry = (token, position)
      } else if token < tokens.count, tokens[token] == scalars[position] {
        token += 1
        position += 1
      } else if let last = retry {
        position = last.position + 1
        (token, retry) = (last.token, (last.token, position))
      } else {
        return false
      }
    }
    return tokens[token...].allSatisfy { $0 == nil }
  }

  // MARK: Conversion

  /// The expression that matches the same web URLs.
  ///
  /// Finicky 3 compares the URL as it was passed, Finicky 4 as a parser writes it. A wildcard of Finicky 3 that ends behind the
  /// host therefore means the URL with an empty path, which Usher compares as `/`.
  var expression: TextExpression {
    let schemes = TextExpression.choice([.literal("https://"), .literal("http://")])
    switch version {
    case .three:
      let hasScheme = text.hasPrefix("http://") || text.hasPrefix("https://")
      let host = hasScheme ? text.drop { $0 != "/" }.dropFirst(2) : text[...]
      let endsWithHost = !host.contains("/") && !host.hasSuffix("*")
      return .sequence(
        [.start] + (hasScheme ? [] : [schemes]) + parts(folds: true, escapes: false)
          + (endsWithHost ? [.literal("/")] : []) + [.end])
    case .four:
      let start: [TextExpression] =
        text.contains("*") && !text.hasPrefix("*") && Self.scheme(of: text) == nil
        ? [.choice([.literal("https://"), .literal("http://"), .sequence([])])] : []
      let end: [TextExpression] =
        text.contains("*") && text.hasSuffix("//") && Self.scheme(of: text) != nil ? [.anyText] : []
      return .sequence([.start] + start + parts(folds: false, escapes: text.contains("*")) + end + [.end])
    }
  }

  private func parts(folds: Bool, escapes: Bool) -> [TextExpression] {
    var parts: [TextExpression] = []
    var rest = Array(text.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      if escapes, scalar == "\\", rest.first == "*" {
        rest.removeFirst()
        parts.append(.set(ScalarSet(only: "*")))
      } else if scalar == "*" {
        if parts.last != .anyText { parts.append(.anyText) }
      } else {
        parts.append(.set(ScalarSet(only: scalar).folded(if: folds)))
      }
    }
    return parts
  }
}

/// The version of Finicky whose rules a configuration follows.
enum FinickyVersion: Int, Hashable, Sendable {
  case three = 3
  case four = 4
}
