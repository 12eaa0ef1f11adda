// SPDX-License-Identifier: Apache-2.0
extension IndexEncoder {
  /// Returns the locations of the captures in a variant, in the order of `pattern.captures`.
  static func steps(
    of shape: PatternVariant, pattern: RoutePattern, _ languages: inout LanguageInterner,
    keys: [[UInt8]: UInt32]
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
    if let rest = path.rest, path.secondRest == nil {
      steps[rest] = CaptureStep(
        kind: .segments, number: number(path.prefix.count), last: number(path.suffix.count))
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

extension RouteIndexView {
  /// Writes the winning route and the ranges of its first captures to `found`.
  @inline(__always)
  func writeCaptures(labelCount: Int, _ walk: inout MatchState, to found: UnsafeMutablePointer<FoundRoute>) {
    let shape = shapes + Int(walk.best)
    found.pointee.shape = walk.best
    found.pointee.route = shape.pointee.route
    found.pointee.captureCount = shape.pointee.captureCount
    let ranges = (UnsafeMutableRawPointer(found) + Self.offset).assumingMemoryBound(to: UInt64.self)
    let count = Int(shape.pointee.segmentCount)
    let segments = walk.tokens + walk.first
    var numbers = shape.pointee.segments
    var place = 0
    while place < count {
      ranges[place] = segments[Int(truncatingIfNeeded: numbers & 0xFF)].captured
      numbers &>>= 8
      place &+= 1
    }
    if place < Int(shape.pointee.captureCount) {
      writeOtherCaptures(from: place, labelCount: labelCount, &walk, to: found, ranges: ranges)
    }
  }

  @inline(never)
  private func writeOtherCaptures(
    from first: Int, labelCount: Int, _ walk: inout MatchState, to found: UnsafeMutablePointer<FoundRoute>,
    ranges: UnsafeMutablePointer<UInt64>
  ) {
    let shape = shapes + Int(walk.best)
    let steps = captureSteps + Int(shape.pointee.captures)
    let end = min(Int(shape.pointee.captureCount), FoundRoute.reported)
    var place = first
    while place < end {
      ranges[place] = capture(steps + place, isJoined: shape.pointee.isJoined, labelCount: labelCount, &walk)
      place &+= 1
    }
  }

  /// The byte offset of the capture ranges in a `FoundRoute`.
  private static var offset: Int { MemoryLayout<FoundRoute>.offset(of: \.captures) ?? 16 }

  @inline(__always)
  private func capture(
    _ step: UnsafePointer<CaptureStep>, isJoined: Bool, labelCount: Int, _ walk: inout MatchState
  ) -> UInt64 {
    switch step.pointee.kind {
    case .label:
      return walk.tokens[labelCount &- 1 &- Int(step.pointee.number)].captured | CapturedText.Form.host
    case .segment where !isJoined: return walk.tokens[walk.first &+ Int(step.pointee.number)].captured
    case .lastSegment where !isJoined:
      return walk.tokens[walk.first &+ walk.count &- 1 &- Int(step.pointee.number)].captured
    case .segments where !isJoined: return segments(step, walk)
    case .query:
      return value(
        step, range: walk.query.first(step.pointee.number, of: walk.url, index: self), form: walk.query.form,
        of: walk.url)
    case .fragment:
      return value(step, range: walk.query.fragment.map { $0..<walk.url.count }, form: .path, of: walk.url)
    case .elsewhere, .segment, .lastSegment, .segments: return FoundRoute.elsewhere
    }
  }

  /// Returns the text of the segments of a catch-all with the slashes between them.
  private func segments(_ step: UnsafePointer<CaptureStep>, _ walk: MatchState) -> UInt64 {
    let first = walk.tokens + walk.first + Int(step.pointee.number)
    let count = walk.count - Int(step.pointee.number) - Int(step.pointee.last)
    var isEncoded: UInt64 = 0
    for place in 0..<count {
      if !first[place].isPlain { isEncoded = CapturedText.Form.encoded }
      // Where dot segments were resolved, the segments are not adjacent in the URL.
      if place > 0, first[place].start != first[place - 1].end + 1 { return FoundRoute.elsewhere }
    }
    return isEncoded | Self.bits(first[0].start..<first[count - 1].end)
  }

  @inline(__always)
  private static func bits(_ range: Range<Int>) -> UInt64 {
    UInt64(truncatingIfNeeded: range.upperBound) &<< 32 | UInt64(truncatingIfNeeded: range.lowerBound)
  }

  @inline(__always)
  private func value(
    _ step: UnsafePointer<CaptureStep>, range: Range<Int>?, form: Normalization, of url: URLBytes
  ) -> UInt64 {
    guard let range else { return FoundRoute.absent }
    if step.pointee.isOptional, step.pointee.language != 0,
      !takes(
        from: range.lowerBound, to: range.upperBound, of: url, form: form, language: step.pointee.language)
    {
      return FoundRoute.absent
    }
    let mark = form.readsPlusAsSpace ? CapturedText.Form.plus : 0
    let isPlain = range.allSatisfy {
      url.base[$0] != UInt8(ascii: "%") && (mark == 0 || url.base[$0] != UInt8(ascii: "+"))
    }
    return Self.bits(range) | mark | (isPlain ? 0 : CapturedText.Form.encoded)
  }
}

extension RouteIndex {
  /// Returns the text of a capture; `nil` if `found` has no range for it, or if it is absent.
  func text(of name: String, _ found: FoundRoute) -> CapturedText? {
    let reported = withView(
      { view -> (start: Int, count: Int) in
        let shape = view.shapes[Int(found.shape)]
        return (Int(shape.captures), min(Int(shape.captureCount), FoundRoute.reported))
      }, orElse: (start: 0, count: 0))
    guard let place = (0..<reported.count).first(where: { captureNames[reported.start + $0] == name }) else {
      return nil
    }
    return found.text(ofCapture: place)
  }
}
