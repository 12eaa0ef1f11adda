/// Where a capture's text stands in the URLs that a shape matches.
struct CaptureStep: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    /// Nowhere that a number could say: a part, a rest, a list, or not in this shape.
    case elsewhere
    /// A label, counted from the right.
    case label
    /// A segment, counted from the left.
    case segment
    /// A segment, counted from the right.
    case lastSegment
    /// The first value of a key.
    case query
    case fragment
  }

  var kind = Kind.elsewhere
  /// Whether a text outside the language reads as absent.
  var isOptional = false
  /// Which one, or the number of the key.
  var number: UInt32 = 0
  var language: UInt32 = 0
}

/// The shape that won, and where its first captures stand.
@usableFromInline
struct FoundShape: Sendable {
  /// How many captures are told; the others are looked for when they are asked for.
  @usableFromInline static let told = 8
  static let absent = UInt64.max
  static let elsewhere = UInt64.max - 1

  @usableFromInline var shape: UInt32
  @usableFromInline var readsPlusAsSpace = true
  /// Start and end of each.
  @usableFromInline var captures = InlineArray<8, UInt64>(repeating: 0)

  init(_ shape: UInt32) { self.shape = shape }
}

extension IndexLayout {
  /// Where the captures of a shape stand.
  static func steps(
    of shape: PatternShape, _ pattern: RoutePattern, _ languages: inout LanguageTable, _ keys: [[UInt8]: UInt32]
  ) -> [CaptureStep] {
    var steps = [CaptureStep](repeating: CaptureStep(), count: pattern.captures.count)
    guard !steps.isEmpty else { return [] }
    func number(_ value: Int) -> UInt32 { UInt32(truncatingIfNeeded: value) }
    if shape.opening == .host {
      for (place, part) in shape.labels.reversed().enumerated() {
        if let capture = part.wholeCapture { steps[capture] = CaptureStep(kind: .label, number: number(place)) }
      }
    }
    let path = shape.path(of: pattern)
    for (place, part) in path.prefix.enumerated() {
      if let capture = part.wholeCapture { steps[capture] = CaptureStep(kind: .segment, number: number(place)) }
    }
    for (place, part) in path.suffix.reversed().enumerated() {
      if let capture = part.wholeCapture { steps[capture] = CaptureStep(kind: .lastSegment, number: number(place)) }
    }
    for item in pattern.query {
      guard let capture = item.value?.wholeCapture, pattern.captures[capture].extent == .single,
        pattern.options.plus == .automatic, let key = keys[item.key]
      else { continue }
      let own = pattern.captures[capture]
      steps[capture] = CaptureStep(
        kind: .query, isOptional: own.isOptional, number: key,
        language: number(languages.type(of: own, mayBeEmpty: true)))
    }
    if let capture = pattern.fragment?.wholeCapture {
      let own = pattern.captures[capture]
      steps[capture] = CaptureStep(
        kind: .fragment, isOptional: own.isOptional, language: number(languages.type(of: own, mayBeEmpty: true)))
    }
    return steps
  }
}

extension RouteIndex {
  /// Finds what the first captures of the winner took.
  @inline(__always)
  func captures(of number: UInt32, _ scan: borrowing URLScan, _ walk: inout RouteWalk) -> FoundShape {
    var found = FoundShape(number)
    let shape = shapes[Int(number)]
    guard shape.captureCount > 0 else { return found }
    found.readsPlusAsSpace = scan.readsPlusAsSpace
    let isJoined = shape.isJoined
    for place in 0..<min(Int(shape.captureCount), FoundShape.told) {
      let step = captureSteps[Int(shape.captures) &+ place]
      var range = FoundShape.elsewhere
      switch step.kind {
      case .elsewhere: break
      case .label: range = packed(walk.tokens[scan.labelCount &- 1 &- Int(step.number)])
      case .segment: if !isJoined { range = packed(walk.tokens[walk.first &+ Int(step.number)]) }
      case .lastSegment: if !isJoined { range = packed(walk.tokens[walk.first &+ walk.count &- 1 &- Int(step.number)]) }
      case .query:
        range = value(step, walk.query.hasQuery ? walk.query.first(step.number, walk.url, self) : nil, walk.query.form, &walk)
      case .fragment: range = value(step, walk.query.fragment.map { $0..<walk.url.count }, .path, &walk)
      }
      found.captures[place] = range
    }
    return found
  }

  @inline(__always)
  private func packed(_ token: MatchToken) -> UInt64 { UInt64(token.end) << 32 | UInt64(token.start) }

  private func value(_ step: CaptureStep, _ range: Range<Int>?, _ form: TextForm, _ walk: inout RouteWalk) -> UInt64 {
    guard let range else { return FoundShape.absent }
    if step.isOptional, step.language != 0,
      !takes(range.lowerBound, range.upperBound, of: walk.url, form, step.language)
    {
      return FoundShape.absent
    }
    return UInt64(truncatingIfNeeded: range.upperBound) << 32 | UInt64(truncatingIfNeeded: range.lowerBound)
  }
}

extension RouteIndex {
  /// Hands on where the text of a capture stands; `nil` if that is not told, or the capture is absent.
  func withText<Result>(
    of name: String, _ found: FoundShape, _ body: (URLText, TextForm) -> Result
  ) -> Result? {
    let shape = shapes[Int(found.shape)]
    for place in 0..<min(Int(shape.captureCount), FoundShape.told) {
      let step = captureSteps[Int(shape.captures) + place]
      guard captureNames[Int(shape.captures) + place] == name else { continue }
      let range = found.captures[place]
      guard range < FoundShape.elsewhere else { return nil }
      let form: TextForm
      switch step.kind {
      case .label: form = .host
      case .query: form = found.readsPlusAsSpace ? .form : .path
      default: form = .path
      }
      return body(URLText(Int(range & 0xFFFF_FFFF)..<Int(range >> 32)), form)
    }
    return nil
  }
}
