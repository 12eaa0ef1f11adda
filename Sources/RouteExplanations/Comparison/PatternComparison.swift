// SPDX-License-Identifier: Apache-2.0
import RouteTables
import RegularLanguages

/// A comparison of a URL with one variant: the mismatches and the ranges of the captures.
///
/// The variant matches if and only if there are no mismatches. The comparison stops early, so `mismatchCount` is exact only
/// up to `maxMismatches`.
struct PatternComparison {
  /// A component that does not match.
  struct Mismatch {
    let place: URLComponent
    /// The byte range in the URL; `nil` if the component is missing, or is not part of the URL.
    let range: Range<Int>?
    /// The part of the pattern that does not match, if there is one.
    var part: PatternPart?
    let expected: Expected
  }

  /// The expectation of the pattern, which is converted to text only for an explanation.
  enum Expected {
    case part(PatternComponent)
    case known(ExpectedComponent)
    case condition(RouteCondition)
    /// The end of the path or host; `missing` is the next expected part, or `nil` if the URL has additional components.
    case end(missing: PatternPart?)
  }

  /// A byte range and the numbers of the captures in it.
  struct CapturedRange {
    let captures: [Int]
    let range: Range<Int>
  }

  let reading: DecodedURL
  let pattern: RoutePattern
  let form: PatternVariant
  private let maxMismatches: Int

  private(set) var mismatches: [Mismatch] = []
  /// The number of mismatches; each missing or additional segment or label counts as one.
  private(set) var mismatchCount = 0
  private(set) var capturedRanges: [CapturedRange] = []
  /// Indicates whether everything before the path matches.
  private(set) var isAtPath = false

  init(
    _ reading: DecodedURL, pattern: RoutePattern, form: PatternVariant, conditions: [RouteCondition],
    context: [String: String], maxMismatches: Int
  ) {
    self.reading = reading
    self.pattern = pattern
    self.form = form
    self.maxMismatches = maxMismatches
    compareOpening()
    isAtPath = mismatchCount == 0
    // With other slashes after the scheme, all later components are shifted, so that a comparison is meaningless.
    guard !opensOtherwise else { return }
    if isNear { comparePath() }
    if isNear { compareQuery() }
    if isNear { compareFragment() }
    for condition in conditions where isNear && !condition.language.contains(context[condition.name] ?? "") {
      addMismatch(at: .request(condition.name), range: nil, expected: .condition(condition))
    }
  }

  /// Indicates whether the slashes after the scheme do not match; then no later component was compared.
  var opensOtherwise: Bool { mismatches.last?.place == .opening }

  private var isNear: Bool { mismatchCount <= maxMismatches }

  mutating func addMismatch(
    at place: URLComponent, range: Range<Int>?, expected: Expected, part: PatternPart? = nil,
    count: Int = 1
  ) {
    mismatchCount += count
    mismatches.append(Mismatch(place: place, range: range, part: part, expected: expected))
  }

  /// Compares a part with a component of the URL, and records the range of its captures.
  mutating func compare(
    _ part: PatternPart, with piece: DecodedURL.Piece, at place: URLComponent, in component: PatternComponent
  ) {
    hold(part, piece.range)
    guard !pattern.takes(part, piece.text, in: component) else { return }
    addMismatch(at: place, range: piece.range, expected: .part(component), part: part)
  }

  mutating func hold(_ part: PatternPart, _ range: Range<Int>) { hold(part.captures, range) }

  mutating func hold(_ captures: [Int], _ range: Range<Int>) {
    if !captures.isEmpty { capturedRanges.append(CapturedRange(captures: captures, range: range)) }
  }

  // MARK: - Query and fragment

  private mutating func compareQuery() {
    guard !pattern.query.isEmpty else { return }
    let items = pattern.options.plus == .literal ? reading.literalItems : reading.items
    for item in pattern.query {
      let own = items.filter { $0.key.text == item.key }
      let place = URLComponent.query(String(decoding: item.key, as: UTF8.self))
      switch item.test {
      case .present: if own.isEmpty { addMismatch(at: place, range: nil, expected: .known(.present)) }
      case .absent:
        if let first = own.first { addMismatch(at: place, range: first.range, expected: .known(.nothing)) }
      case .value(let part): compare(part, with: own, at: place)
      }
    }
  }

  private mutating func compare(_ part: PatternPart, with items: [DecodedURL.Item], at place: URLComponent) {
    let isList = part.wholeCapture.map { pattern.captures[$0].extent == .list } ?? false
    let counting = isList ? items[...] : items.prefix(1)
    if pattern.isOptional(part) { return counting.forEach { hold(part, $0.value.range) } }
    if items.isEmpty { return addMismatch(at: place, range: nil, expected: .part(.query), part: part) }
    for item in counting {
      hold(part, item.value.range)
      guard !pattern.takes(part, item.value.text, in: .query) else { continue }
      return addMismatch(at: place, range: item.value.range, expected: .part(.query), part: part)
    }
  }

  private mutating func compareFragment() {
    guard let part = pattern.fragment else { return }
    guard !pattern.isOptional(part) else {
      if let fragment = reading.fragment { hold(part, fragment.range) }
      return
    }
    guard let fragment = reading.fragment else {
      return addMismatch(at: .fragment, range: nil, expected: .part(.fragment), part: part)
    }
    compare(part, with: fragment, at: .fragment, in: .fragment)
  }
}

extension RoutePattern {
  /// Returns whether a part matches a complete text in normal form.
  func takes(_ part: PatternPart, _ text: [UInt8], in component: PatternComponent) -> Bool {
    if let literal = part.literal {
      guard component == .path, options.ignoresCase else { return literal == text }
      return literal.map(\.foldedASCII) == text.map(\.foldedASCII)
    }
    if let language = part.hostLanguage { return language.contains(text) }
    if let number = part.wholeCapture {
      guard component.mayBeEmpty || !text.isEmpty else { return false }
      let language = captures[number].type.language
      if language == RouteType.string.language { return true }
      return language.contains(text) && (component != .host || RegularLanguage.hostLabel.contains(text))
    }
    // The parser rejected patterns whose automaton is too large, so an error cannot occur here.
    let language = try? language(of: part, in: component)
    return language?.contains(text) == true
      && (component != .host || RegularLanguage.hostLabel.contains(text))
  }
}
