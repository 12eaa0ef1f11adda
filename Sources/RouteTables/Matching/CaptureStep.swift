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

  @usableFromInline var shape = UInt32.max
  @usableFromInline var readsPlusAsSpace = true
  /// Start and end of each.
  @usableFromInline var captures: Captures = (0, 0, 0, 0, 0, 0, 0, 0)

  @usableFromInline typealias Captures = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  @inlinable
  init() {}
}

extension IndexLayout {
  /// Where the captures of a shape stand.
  static func steps(
    of shape: PatternShape, _ pattern: RoutePattern, _ languages: inout LanguageTable,
    _ keys: [[UInt8]: UInt32]
  ) -> [CaptureStep] {
    var steps = [CaptureStep](repeating: CaptureStep(), count: pattern.captures.count)
    guard !steps.isEmpty else { return [] }
    func number(_ value: Int) -> UInt32 { UInt32(truncatingIfNeeded: value) }
    if shape.opening == .host {
      for (place, part) in shape.labels.reversed().enumerated() {
        if let capture = part.wholeCapture {
          steps[capture] = CaptureStep(kind: .label, number: number(place))
        }
      }
    }
    let path = shape.path(of: pattern)
    for (place, part) in path.prefix.enumerated() {
      if let capture = part.wholeCapture {
        steps[capture] = CaptureStep(kind: .segment, number: number(place))
      }
    }
    for (place, part) in path.suffix.reversed().enumerated() {
      if let capture = part.wholeCapture {
        steps[capture] = CaptureStep(kind: .lastSegment, number: number(place))
      }
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
        kind: .fragment, isOptional: own.isOptional,
        language: number(languages.type(of: own, mayBeEmpty: true)))
    }
    return steps
  }
}

extension IndexView {
  /// Finds what the first captures of the winner took.
  @inline(__always)
  func tellCaptures(_ labelCount: Int, _ walk: inout RouteWalk, _ found: UnsafeMutablePointer<FoundShape>) {
    found.pointee.shape = walk.best
    let shape = shapes[Int(walk.best)]
    found.pointee.readsPlusAsSpace = walk.query.readsPlusAsSpace
    let count = min(Int(shape.captureCount), FoundShape.told)
    let ranges = (UnsafeMutableRawPointer(found) + Self.offset).assumingMemoryBound(to: UInt64.self)
    var place = 0
    while place < count {
      let step = captureSteps[Int(shape.captures) &+ place]
      if step.kind == .segment, !shape.isJoined {
        ranges[place] = packed(walk.tokens[walk.first &+ Int(step.number)])
      } else {
        ranges[place] = capture(step, shape.isJoined, labelCount, &walk)
      }
      place &+= 1
    }
  }

  /// Where the captures stand in what was found.
  private static var offset: Int { MemoryLayout<FoundShape>.offset(of: \.captures) ?? 8 }

  @inline(never)
  private func capture(_ step: CaptureStep, _ isJoined: Bool, _ labelCount: Int, _ walk: inout RouteWalk)
    -> UInt64
  {
    switch step.kind {
    case .label: return packed(walk.tokens[labelCount &- 1 &- Int(step.number)])
    case .lastSegment where !isJoined:
      return packed(walk.tokens[walk.first &+ walk.count &- 1 &- Int(step.number)])
    case .query:
      let range = walk.query.hasQuery ? walk.query.first(step.number, walk.url, self) : nil
      return value(step, range, walk.query.form, &walk)
    case .fragment: return value(step, walk.query.fragment.map { $0..<walk.url.count }, .path, &walk)
    case .elsewhere, .segment, .lastSegment: return FoundShape.elsewhere
    }
  }

  @inline(__always)
  private func packed(_ token: MatchToken) -> UInt64 { token.range }

  private func value(_ step: CaptureStep, _ range: Range<Int>?, _ form: TextForm, _ walk: inout RouteWalk)
    -> UInt64
  {
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
    let told = withView(
      { view -> (start: Int, count: Int) in
        let shape = view.shapes[Int(found.shape)]
        return (Int(shape.captures), min(Int(shape.captureCount), FoundShape.told))
      }, orElse: (start: 0, count: 0))
    guard let place = (0..<told.count).first(where: { captureNames[told.start + $0] == name }) else {
      return nil
    }
    let range = withUnsafeBytes(of: found.captures) { $0.load(fromByteOffset: place * 8, as: UInt64.self) }
    guard range < FoundShape.elsewhere else { return nil }
    let form: TextForm
    switch withView({ $0.captureSteps[told.start + place].kind }, orElse: .elsewhere) {
    case .label: form = .host
    case .query: form = found.readsPlusAsSpace ? .form : .path
    default: form = .path
    }
    return body(URLText(Int(range & 0xFFFF_FFFF)..<Int(range >> 32)), form)
  }
}
