// SPDX-License-Identifier: Apache-2.0
import RouteTables
import RegularLanguages

/// A component of a URL, or a condition of its request, that does not match a route, and the expectation of the route.
public struct RouteMismatch: Hashable, Sendable {
  /// The component that does not match.
  public let place: URLComponent
  /// The byte range in the URL, from 0; `nil` if the component is missing or is a condition.
  public let range: Range<Int>?
  /// The text in the URL, or the value of the condition, without secrets; `nil` if there is none.
  public let found: String?
  /// The expectation of the route.
  public let expected: ExpectedComponent
  /// Indicates whether only a trailing slash of the path is missing or superfluous.
  public let isTrailingSlash: Bool
}

extension PatternComparison {
  /// Returns the mismatches in order, with texts for an explanation.
  func mismatches(_ mask: SecretMask, _ context: [String: String]) -> [RouteMismatch] {
    mismatches.map { mismatch in
      var found = mismatch.range.map { mask.shown($0, of: reading.url).shortened }
      if case .request(let name) = mismatch.place { found = context[name].flatMap { $0.isEmpty ? nil : $0 } }
      return RouteMismatch(
        place: mismatch.place, range: mismatch.range, found: found, expected: expectation(of: mismatch),
        isTrailingSlash: mismatch.place == .path && isOffByTrailingSlash)
    }
  }

  private func expectation(of mismatch: Mismatch) -> ExpectedComponent {
    switch mismatch.expected {
    case .known(let expected): expected
    case .condition(let condition): .condition(condition.words)
    case .end(let missing):
      missing.map { pattern.expectation(of: $0, mismatch.place == .host ? .host : .path) } ?? .nothing
    case .part(let component): pattern.expectation(of: mismatch.part ?? PatternPart(), component)
    }
  }
}

extension RoutePattern {
  /// Returns the expectation of a part.
  func expectation(of part: PatternPart, _ component: PatternComponent) -> ExpectedComponent {
    if let literal = part.literal { return .literal(String(decoding: literal, as: UTF8.self)) }
    if let number = part.wholeCapture { return .capture(captures[number]) }
    if case .host(_, let number)? = part.pieces.first { return .capture(captures[number]) }
    if part.pieces.count == 1, case .choice(let alternatives)? = part.pieces.first {
      return .oneOf(alternatives.map { String(decoding: $0.first ?? [], as: UTF8.self) })
    }
    return .part(text(of: part, component))
  }
}

extension RouteCondition {
  /// The accepted values as written in the route, or the texts of the language, or an example.
  var words: [String] {
    if !written.isEmpty { return written }
    return language.texts(upTo: 8) ?? language.shortestText.map { [$0] } ?? []
  }
}

extension String {
  /// The text, cut to 80 scalars with `…` at the end if it is longer.
  var shortened: String {
    unicodeScalars.count <= 80 ? self : String(String.UnicodeScalarView(unicodeScalars.prefix(79))) + "…"
  }
}
