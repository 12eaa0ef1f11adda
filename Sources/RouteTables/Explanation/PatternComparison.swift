/// A comparison of a URL with one variant: the mismatches and the ranges of the captures.
///
/// The variant matches if and only if there are no mismatches. The comparison stops early, so `mismatchCount` is exact only
/// up to `mostMisses`.
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
  private let mostMisses: Int

  private(set) var mismatches: [Mismatch] = []
  /// The number of mismatches; each missing or additional segment or label counts as one.
  private(set) var mismatchCount = 0
  private(set) var capturedRanges: [CapturedRange] = []
  /// Indicates whether everything before the path matches.
  private(set) var isAtPath = false

  init(
    _ reading: DecodedURL, _ pattern: RoutePattern, _ form: PatternVariant, _ conditions: [RouteCondition],
    _ context: [String: String], mostMisses: Int
  ) {
    self.reading = reading
    self.pattern = pattern
    self.form = form
    self.mostMisses = mostMisses
    compareOpening()
    isAtPath = mismatchCount == 0
    // With other slashes after the scheme, all later components are shifted, so that a comparison is meaningless.
    guard !opensOtherwise else { return }
    if isNear { comparePath() }
    if isNear { compareQuery() }
    if isNear { compareFragment() }
    for condition in conditions where isNear && !condition.language.contains(context[condition.name] ?? "") {
      miss(.request(condition.name), nil, .condition(condition))
    }
  }

  /// Indicates whether the slashes after the scheme do not match; then no later component was compared.
  var opensOtherwise: Bool { mismatches.last?.place == .opening }

  private var isNear: Bool { mismatchCount <= mostMisses }

  mutating func miss(
    _ place: URLComponent, _ range: Range<Int>?, _ expected: Expected, part: PatternPart? = nil,
    count: Int = 1
  ) {
    mismatchCount += count
    mismatches.append(Mismatch(place: place, range: range, part: part, expected: expected))
  }

  /// Compares a part with a component of the URL, and records the range of its captures.
  mutating func compare(
    _ part: PatternPart, _ piece: DecodedURL.Piece, _ place: URLComponent, _ component: PatternComponent
  ) {
    hold(part, piece.range)
    guard !pattern.takes(part, piece.text, component) else { return }
    miss(place, piece.range, .part(component), part: part)
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
      case .present: if own.isEmpty { miss(place, nil, .known(.present)) }
      case .absent: if let first = own.first { miss(place, first.range, .known(.nothing)) }
      case .value(let part): compare(part, own, place)
      }
    }
  }

  private mutating func compare(_ part: PatternPart, _ items: [DecodedURL.Item], _ place: URLComponent) {
    let isList = part.wholeCapture.map { pattern.captures[$0].extent == .list } ?? false
    let counting = isList ? items[...] : items.prefix(1)
    if pattern.isOptional(part) { return counting.forEach { hold(part, $0.value.range) } }
    if items.isEmpty { return miss(place, nil, .part(.query), part: part) }
    for item in counting {
      hold(part, item.value.range)
      guard !pattern.takes(part, item.value.text, .query) else { continue }
      return miss(place, item.value.range, .part(.query), part: part)
    }
  }

  private mutating func compareFragment() {
    guard let part = pattern.fragment else { return }
    guard !pattern.isOptional(part) else {
      if let fragment = reading.fragment { hold(part, fragment.range) }
      return
    }
    guard let fragment = reading.fragment else { return miss(.fragment, nil, .part(.fragment), part: part) }
    compare(part, fragment, .fragment, .fragment)
  }
}

extension RoutePattern {
  /// Returns whether a part matches a complete text in normal form.
  func takes(_ part: PatternPart, _ text: [UInt8], _ component: PatternComponent) -> Bool {
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
    let language = (try? language(of: part, in: component)) ?? nil
    return language?.contains(text) == true
      && (component != .host || RegularLanguage.hostLabel.contains(text))
  }
}
