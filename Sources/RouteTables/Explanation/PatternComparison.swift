/// Compares a URL with one shape, place by place: what does not fit, and where the captures stand.
///
/// The shape matches exactly if nothing misses. What is far off is given up: `mismatchCount` is right up to `mostMisses`.
struct PatternComparison {
  /// A place that does not fit.
  struct Mismatch {
    let place: URLComponent
    /// Where it stands in the URL; `nil` where nothing stands there.
    let range: Range<Int>?
    /// What stands in the pattern there, where that is a part of it.
    var part: PatternPart?
    let expected: Expected
  }

  /// What was expected, without a word of it written yet.
  enum Expected {
    case part(PatternComponent)
    case known(ExpectedComponent)
    case condition(RouteCondition)
    /// `nil` where something stands that has no place.
    case end(missing: PatternPart?)
  }

  /// Where captures stand.
  struct CapturedRange {
    let captures: [Int]
    let range: Range<Int>
  }

  let reading: DecodedURL
  let pattern: RoutePattern
  let form: PatternVariant
  private let mostMisses: Int

  private(set) var mismatches: [Mismatch] = []
  /// How many places do not fit; each segment and each label that is missing or too much is one.
  private(set) var mismatchCount = 0
  private(set) var capturedRanges: [CapturedRange] = []
  /// Whether what stands in front of the path fits.
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
    // With other slashes in front all else stands elsewhere.
    guard !opensOtherwise else { return }
    if isNear { comparePath() }
    if isNear { compareQuery() }
    if isNear { compareFragment() }
    for condition in conditions where isNear && !condition.language.contains(context[condition.name] ?? "") {
      miss(.request(condition.name), nil, .condition(condition))
    }
  }

  /// Whether other slashes stand behind the scheme than the pattern has: then nothing else was compared.
  var opensOtherwise: Bool { mismatches.last?.place == .opening }

  private var isNear: Bool { mismatchCount <= mostMisses }

  mutating func miss(
    _ place: URLComponent, _ range: Range<Int>?, _ expected: Expected, part: PatternPart? = nil,
    count: Int = 1
  ) {
    mismatchCount += count
    mismatches.append(Mismatch(place: place, range: range, part: part, expected: expected))
  }

  /// Compares a part with what stands in its place, and notes where its captures stand.
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
  /// Whether the part takes a text in normal form as a whole.
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
    // The pattern has been read: what was too large was refused then.
    let language = (try? language(of: part, in: component)) ?? nil
    return language?.contains(text) == true
      && (component != .host || RegularLanguage.hostLabel.contains(text))
  }
}
