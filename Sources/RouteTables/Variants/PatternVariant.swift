// SPDX-License-Identifier: Apache-2.0
/// A pattern with each optional part present or absent, so that only catch-alls match a variable number of parts.
package struct PatternVariant: Hashable, Sendable {
  /// The form of the text after the scheme.
  package enum Opening: Hashable, Sendable {
    case host
    case rootedPath
    case rootlessPath
    /// A path with or without leading slashes, and a host as its first segment: `authority = "segment"`.
    case joinedPath
  }

  /// One or more labels before the others, or any host.
  package struct RemainingHost: Hashable, Sendable {
    /// The number of the capture of these labels; `nil` if there is none.
    package let capture: Int?
    /// Indicates whether the labels may be absent.
    package let mayBeEmpty: Bool
  }

  package enum Port: Hashable, Sendable {
    case any
    /// This port; `nil` is the scheme's default port, or no port.
    case number(UInt16?)
  }

  /// The scheme; `nil` if the variant matches under any scheme and, if it is rooted, any host.
  package var scheme: String?
  /// The schemes under which a variant without `scheme` does not match, sorted.
  package var excludedSchemes: [String] = []
  package var opening: Opening
  package var user: PatternPart?
  package var hostRest: RemainingHost?
  /// The labels after the remaining host, from the left.
  package var labels: [PatternPart] = []
  /// The number of the capture that matches the whole host; `nil` if there is none.
  package var hostCapture: Int?
  /// Indicates whether the labels are the numbers of an IPv4 address that is not one label.
  var isNumbers = false
  package var port = Port.number(nil)
  /// The segments, including catch-alls.
  package var segments: [PatternPart]
}

extension PatternVariant {
  /// The path, divided at its catch-alls.
  ///
  /// `prefix` precedes the first catch-all and is matched from the start, `suffix` follows the last and is matched from the
  /// end, and `anchor` is between two catch-alls.
  package struct Path {
    package var prefix: ArraySlice<PatternPart>
    package var rest: Int?
    package var anchor: ArraySlice<PatternPart> = []
    package var secondRest: Int?
    package var suffix: ArraySlice<PatternPart> = []
  }

  package func path(of pattern: RoutePattern) -> Path {
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
