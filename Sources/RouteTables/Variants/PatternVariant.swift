/// One way in which a pattern can match: how many labels and segments it has is settled, but for rests.
struct PatternVariant: Hashable, Sendable {
  /// What follows the scheme.
  enum Opening: Hashable, Sendable {
    case host
    case rootedPath
    case rootlessPath
    /// The path, whether slashes stand in front of it or not: `authority = "segment"`.
    case joinedPath
  }

  /// One or more labels in front of the others, or any host.
  struct RemainingHost: Hashable, Sendable {
    /// The number of the capture that takes them.
    let capture: Int?
    /// Whether no label at all will do.
    let mayBeEmpty: Bool
  }

  enum Port: Hashable, Sendable {
    case any
    /// `nil` is the scheme's own, or none.
    case number(UInt16?)
  }

  /// `nil` holds under any scheme and host.
  var scheme: String?
  var opening: Opening
  var user: PatternPart?
  var hostRest: RemainingHost?
  /// The labels after the rest, from the left.
  var labels: [PatternPart] = []
  /// The number of the capture that takes the whole host, where one does.
  var hostCapture: Int?
  /// Whether the labels are the numbers of an address.
  var isNumbers = false
  var port = Port.number(nil)
  /// The segments, rests among them.
  var segments: [PatternPart]
}

extension PatternVariant {
  /// The path as it is matched: what stands before the first rest, from the front; what stands after the last, from the
  /// end; and what stands between two.
  struct Path {
    var prefix: ArraySlice<PatternPart>
    var rest: Int?
    var anchor: ArraySlice<PatternPart> = []
    var secondRest: Int?
    var suffix: ArraySlice<PatternPart> = []
  }

  func path(of pattern: RoutePattern) -> Path {
    var path = Path(prefix: segments[...])
    let rests = segments.indices.filter { pattern.isRest(segments[$0]) }
    guard let first = rests.first, let last = rests.last else { return path }
    path.prefix = segments[..<first]
    path.rest = segments[first].wholeCapture
    path.suffix = segments[(last + 1)...]
    if last > first {
      path.anchor = segments[(first + 1)..<last]
      path.secondRest = segments[last].wholeCapture
    }
    return path
  }
}
