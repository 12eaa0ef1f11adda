// SPDX-License-Identifier: Apache-2.0
package import RegularLanguages

/// One part of a pattern: a host label, a segment, a query value, the user or the fragment.
package struct PatternPart: Hashable, Sendable {
  package enum Piece: Hashable, Sendable {
    /// Decoded bytes, at least one.
    case literal([UInt8])
    /// The number of a capture.
    case capture(Int)
    /// A choice `{:a|b}`: the decoded texts of each alternative, split at the separators of the component.
    case choice([[[UInt8]]])
    /// Any text, including the empty one, without a capture.
    case anything
    /// One label of a host that a capture matches as a whole: its language, and the number of the capture.
    case host(RegularLanguage, capture: Int)

    /// The literal texts of the piece.
    var texts: [[UInt8]] {
      switch self {
      case .literal(let text): [text]
      case .choice(let alternatives): alternatives.flatMap { $0 }
      case .capture, .anything, .host: []
      }
    }
  }

  /// A part that matches any text.
  static let anything = PatternPart(pieces: [.anything])

  /// The adjacent pieces; a part without pieces matches the empty text.
  package var pieces: [Piece] = [] {
    didSet { language = nil }
  }
  /// The cached language of the whole part, derived from the pieces; `nil` if it has not been computed.
  var language: RegularLanguage?

  package init(pieces: [Piece] = []) { self.pieces = pieces }

  package static func == (first: PatternPart, second: PatternPart) -> Bool { first.pieces == second.pieces }

  package func hash(into hasher: inout Hasher) { hasher.combine(pieces) }

  /// The text of a part that matches only one literal text; `nil` for other parts.
  package var literal: [UInt8]? {
    if pieces.isEmpty { return [] }
    if pieces.count == 1, case .literal(let bytes) = pieces[0] { return bytes }
    return nil
  }

  /// The number of the capture that is the whole part; `nil` if there is none.
  package var wholeCapture: Int? {
    if pieces.count == 1, case .capture(let number) = pieces[0] { number } else { nil }
  }

  /// The language of the label if a capture matches the whole host; `nil` for other parts.
  package var hostLanguage: RegularLanguage? {
    if pieces.count == 1, case .host(let language, _) = pieces[0] { language } else { nil }
  }

  /// The numbers of the captures.
  package var captures: [Int] {
    pieces.compactMap { if case .capture(let number) = $0 { number } else { nil } }
  }

  /// Indicates whether a choice contains a separator, so that the part expands to several parts.
  var isSplit: Bool {
    pieces.contains { piece in
      if case .choice(let alternatives) = piece { alternatives.contains { $0.count > 1 } } else { false }
    }
  }

  static func literal(_ bytes: [UInt8]) -> PatternPart {
    PatternPart(pieces: bytes.isEmpty ? [] : [.literal(bytes)])
  }

  /// Appends literal bytes.
  mutating func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    if case .literal(let before)? = pieces.last {
      pieces[pieces.count - 1] = .literal(before + bytes)
    } else {
      pieces.append(.literal(bytes))
    }
  }
}
