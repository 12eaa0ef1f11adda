/// One place of a pattern: a host label, a segment, a value, the fragment.
struct PatternPart: Hashable, Sendable {
  enum Piece: Hashable, Sendable {
    /// Decoded bytes, at least one.
    case literal([UInt8])
    /// The number of a capture.
    case capture(Int)
    /// `{:a|b}`: the decoded texts of each alternative, cut where it holds a separator of its component.
    case choice([[[UInt8]]])
    /// Any text, the empty one included, which no capture binds.
    case anything
    /// A label of a host that a capture takes whole, and the number of the capture.
    case host(RegularLanguage, capture: Int)

    /// The texts that the pattern writes out.
    var texts: [[UInt8]] {
      switch self {
      case .literal(let text): [text]
      case .choice(let alternatives): alternatives.flatMap { $0 }
      case .capture, .anything, .host: []
      }
    }
  }

  /// The place that any text fits.
  static let anything = PatternPart(pieces: [.anything])

  /// What stands side by side; nothing at all is the empty text.
  var pieces: [Piece] = [] {
    didSet { language = nil }
  }
  /// What the place takes as a whole, where that was found out: it follows from the rest.
  var language: RegularLanguage?

  init(pieces: [Piece] = []) { self.pieces = pieces }

  static func == (first: PatternPart, second: PatternPart) -> Bool { first.pieces == second.pieces }

  func hash(into hasher: inout Hasher) { hasher.combine(pieces) }

  /// The text, where there is nothing but one.
  var literal: [UInt8]? {
    if pieces.isEmpty { return [] }
    if pieces.count == 1, case .literal(let bytes) = pieces[0] { return bytes }
    return nil
  }

  /// The number of the capture that is the whole place.
  var wholeCapture: Int? {
    if pieces.count == 1, case .capture(let number) = pieces[0] { number } else { nil }
  }

  /// The texts of the whole place, where a capture takes the whole host.
  var hostLanguage: RegularLanguage? {
    if pieces.count == 1, case .host(let language, _) = pieces[0] { language } else { nil }
  }

  /// The numbers of the captures.
  var captures: [Int] {
    pieces.compactMap { if case .capture(let number) = $0 { number } else { nil } }
  }

  /// Whether a choice holds a separator, so that there is more than one place in it.
  var isSplit: Bool {
    pieces.contains { piece in
      if case .choice(let alternatives) = piece { alternatives.contains { $0.count > 1 } } else { false }
    }
  }

  static func literal(_ bytes: [UInt8]) -> PatternPart {
    PatternPart(pieces: bytes.isEmpty ? [] : [.literal(bytes)])
  }

  /// Adds bytes after what there is.
  mutating func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    if case .literal(let before)? = pieces.last {
      pieces[pieces.count - 1] = .literal(before + bytes)
    } else {
      pieces.append(.literal(bytes))
    }
  }
}
