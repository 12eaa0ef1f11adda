/// A place where a URL, or the request that it comes with, does not fit a route, and what the route expects there.
public struct RouteMismatch: Hashable, Sendable {
  /// Where it fails.
  public let place: URLComponent
  /// The bytes of the URL that fail, from 0; `nil` where nothing stands there, and for what is no part of the URL.
  public let range: Range<Int>?
  /// What stands there, as it is written in the URL or said of the request, secrets left out; `nil` if nothing does.
  public let found: String?
  /// What the route expects there.
  public let expected: ExpectedComponent
  /// Whether just a slash at the end of the path is missing, or too much.
  public let isTrailingSlash: Bool
}

extension PatternComparison {
  /// What does not fit, in order, as it is told.
  func faults(_ mask: SecretMask, _ context: [String: String]) -> [RouteMismatch] {
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
  /// What a part expects.
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
  /// What is asked for, as it was written or as an example.
  var words: [String] {
    if !written.isEmpty { return written }
    return language.texts(upTo: 8) ?? language.shortestText.map { [$0] } ?? []
  }
}

extension String {
  /// The text, and of a long one its beginning.
  var shortened: String {
    unicodeScalars.count <= 80 ? self : String(String.UnicodeScalarView(unicodeScalars.prefix(79))) + "…"
  }
}
