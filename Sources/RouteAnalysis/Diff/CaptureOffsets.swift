// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// The positions of the captures of a variant.
struct CaptureOffsets {
  private let pattern: RoutePattern
  private let shape: PatternVariant

  init(_ pattern: RoutePattern, _ shape: PatternVariant) {
    self.pattern = pattern
    self.shape = shape
  }

  var names: [String] { pattern.captures.map(\.name) }

  /// Returns the position of a capture in requests that both this variant and `other` match.
  ///
  /// `other` may determine the number of labels and segments.
  func place(_ name: String, beside other: CaptureOffsets) -> CaptureOffset {
    guard let number = pattern.captures.firstIndex(where: { $0.name == name }) else { return .nowhere }
    let labels = labelCount ?? other.labelCount
    return path(number, count: segmentCount ?? other.segmentCount) ?? host(number, count: labels)
      ?? rest(number)
      ?? CaptureOffset(component: .nowhere, defaultValue: pattern.captures[number].defaultBytes)
  }

  /// The number of labels, if the variant determines it.
  private var labelCount: Int? {
    shape.opening == .host && shape.hostRest == nil ? shape.labels.count : nil
  }

  /// The number of segments, if the variant determines it.
  private var segmentCount: Int? {
    shape.segments.contains { pattern.isRest($0) } ? nil : shape.segments.count
  }

  private func path(_ number: Int, count: Int?) -> CaptureOffset? {
    guard let index = shape.segments.firstIndex(where: { $0.captures.contains(number) }) else { return nil }
    let isJoined = shape.opening == .joinedPath
    let rests = shape.segments.indices.filter { pattern.isRest(shape.segments[$0]) }
    func place(_ from: CaptureOffset.End, _ to: CaptureOffset.End) -> CaptureOffset {
      // If the number of segments is known, all positions are counted from the front, so that equal positions are equal values.
      func settled(_ end: CaptureOffset.End) -> CaptureOffset.End {
        if case .back(let back) = end, let count { .front(count - back) } else { end }
      }
      let component = CaptureOffset.Component.segments(
        from: settled(from), to: settled(to), isJoined: isJoined)
      return CaptureOffset(
        component: component, neighbours: neighbours(of: number, in: shape.segments[index]))
    }
    let after = shape.segments.count - index - 1
    guard let first = rests.first, let last = rests.last, index >= first else {
      return place(.front(index), .front(index + 1))
    }
    if index > last { return place(.back(after + 1), .back(after)) }
    if first == last { return place(.front(index), .back(after)) }
    let types = pattern.captures.map(\.type.language)
    return CaptureOffset(component: .between(segments: shape.segments, types: types, number: number))
  }

  private func host(_ number: Int, count: Int?) -> CaptureOffset? {
    if shape.hostCapture == number { return CaptureOffset(component: .labels(from: 0, to: count)) }
    if let rest = shape.hostRest, rest.capture == number {
      return CaptureOffset(component: .labels(from: shape.labels.count, to: count))
    }
    guard let index = shape.labels.firstIndex(where: { $0.captures.contains(number) }) else { return nil }
    let right = shape.labels.count - index - 1
    return CaptureOffset(
      component: .labels(from: right, to: right + 1),
      neighbours: neighbours(of: number, in: shape.labels[index]))
  }

  /// Returns the position of a capture in the user, the query or the fragment, which all variants of a pattern share.
  private func rest(_ number: Int) -> CaptureOffset? {
    if let user = shape.user, user.captures.contains(number) {
      return CaptureOffset(component: .user, neighbours: neighbours(of: number, in: user))
    }
    if let item = pattern.query.first(where: { $0.value?.captures.contains(number) == true }),
      let part = item.value
    {
      let isList = pattern.captures[number].extent == .list
      let component = CaptureOffset.Component.query(key: item.key, isList: isList, plus: pattern.options.plus)
      return mayBeAbsent(
        number, CaptureOffset(component: component, neighbours: neighbours(of: number, in: part)))
    }
    guard let fragment = pattern.fragment, fragment.captures.contains(number) else { return nil }
    return mayBeAbsent(
      number, CaptureOffset(component: .fragment, neighbours: neighbours(of: number, in: fragment)))
  }

  /// Returns the position with the type of an optional capture, because a text outside the type counts as absent.
  private func mayBeAbsent(_ number: Int, _ place: CaptureOffset) -> CaptureOffset {
    let capture = pattern.captures[number]
    guard capture.isOptional else { return place }
    var place = place
    (place.type, place.defaultValue) = (capture.type.language, capture.defaultBytes)
    return place
  }

  private func neighbours(of number: Int, in part: PatternPart) -> CaptureOffset.Neighbours? {
    guard part.pieces.count > 1, let index = part.pieces.firstIndex(of: .capture(number)) else { return nil }
    let pieces = part.pieces.map { piece -> CaptureOffset.Neighbours.Piece in
      switch piece {
      case .literal(let text): .text(text)
      case .choice(let texts): .choice(texts)
      case .anything: .capture(RouteType.string.language)
      case .host(let language, _): .capture(language)
      case .capture(let number): .capture(pattern.captures[number].type.language)
      }
    }
    return CaptureOffset.Neighbours(pieces: pieces, index: index, ignoresCase: pattern.options.ignoresCase)
  }
}
