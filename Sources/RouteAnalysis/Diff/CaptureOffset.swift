// SPDX-License-Identifier: Apache-2.0
import RouteTables
import RegularLanguages

/// The position in a URL from which a capture reads its text.
///
/// Two captures with equal positions have equal texts in every request that both variants match.
struct CaptureOffset: Hashable {
  enum Component: Hashable {
    /// The capture does not occur in the variant.
    case nowhere
    case user
    /// The labels from the index `from` up to `to`, counted from the right; `to` is `nil` for all remaining labels.
    case labels(from: Int, to: Int?)
    /// The segments between two positions.
    case segments(from: End, to: End, isJoined: Bool)
    /// A catch-all of two, or a segment between them; the position depends on the segments between the two.
    case between(segments: [PatternPart], types: [RegularLanguage], number: Int)
    case query(key: [UInt8], isList: Bool, plus: RouteOptions.Plus)
    case fragment
  }

  /// A position between segments, counted from the front or the back of the path.
  enum End: Hashable {
    case front(Int)
    case back(Int)
  }

  /// The pieces of the component that contains the capture, and the index of the capture among them.
  struct Neighbours: Hashable {
    enum Piece: Hashable {
      case text([UInt8])
      case choice([[[UInt8]]])
      case capture(RegularLanguage)
    }

    let pieces: [Piece]
    let index: Int
    let ignoresCase: Bool
  }

  let component: Component
  var neighbours: Neighbours?
  /// The texts for which the capture is present; `nil` if every text is accepted.
  var type: RegularLanguage?
  /// The bytes of the capture's value if it is absent.
  var defaultValue: [UInt8]?

  static let nowhere = CaptureOffset(component: .nowhere)
}
