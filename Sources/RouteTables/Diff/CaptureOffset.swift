/// Where a capture takes its text from: two captures with equal places have equal texts, in every request that both shapes take.
struct CaptureOffset: Hashable {
  enum Component: Hashable {
    /// It is not there.
    case nowhere
    case user
    /// Labels, counted from the right; `nil` to the first.
    case labels(from: Int, to: Int?)
    /// Segments from one end to another.
    case segments(from: End, to: End, isJoined: Bool)
    /// Where a path has two rests: how far each goes depends on what stands between them.
    case between(segments: [PatternPart], types: [RegularLanguage], number: Int)
    case query(key: [UInt8], isList: Bool, plus: RouteOptions.Plus)
    case fragment
  }

  /// A place between segments.
  enum End: Hashable {
    case front(Int)
    case back(Int)
  }

  /// What stands side by side with it in its place.
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
  /// Which texts it takes, where others read as absent.
  var type: RegularLanguage?
  /// What it is where it is absent.
  var defaultValue: String?

  static let nowhere = CaptureOffset(component: .nowhere)
}
