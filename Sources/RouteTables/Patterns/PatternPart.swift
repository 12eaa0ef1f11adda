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

  /// The pieces; nearly every part is one literal or one capture, for which there is no array.
  private enum Content: Sendable {
    case nothing
    case literal([UInt8])
    case capture(UInt8)
    /// Other pieces, with the cached language of the whole part.
    indirect case pieces([Piece], RegularLanguage?)
  }

  /// A part that matches any text.
  static let anything = PatternPart(pieces: [.anything])

  private var content = Content.nothing

  /// The adjacent pieces; a part without pieces matches the empty text.
  package var pieces: [Piece] {
    get {
      switch content {
      case .nothing: []
      case .literal(let bytes): [.literal(bytes)]
      case .capture(let number): [.capture(Int(number))]
      case .pieces(let pieces, _): pieces
      }
    }
    set {
      switch newValue.first {
      case nil: content = .nothing
      case .literal(let bytes) where newValue.count == 1: content = .literal(bytes)
      // `RouteLimits.captures` keeps numbers this small.
      case .capture(let number) where newValue.count == 1:
        content = .capture(UInt8(truncatingIfNeeded: number))
      default: content = .pieces(newValue, nil)
      }
    }
  }

  /// The cached language of the whole part, derived from the pieces; `nil` if it has not been computed.
  ///
  /// The languages of one literal and of one capture are not cached.
  var language: RegularLanguage? {
    get { if case .pieces(_, let language) = content { language } else { nil } }
    set { if case .pieces(let pieces, _) = content { content = .pieces(pieces, newValue) } }
  }

  package init(pieces: [Piece] = []) { if !pieces.isEmpty { self.pieces = pieces } }

  package static func == (first: PatternPart, second: PatternPart) -> Bool {
    switch (first.content, second.content) {
    case (.nothing, .nothing): true
    case (.literal(let one), .literal(let other)): one == other
    case (.capture(let one), .capture(let other)): one == other
    case (.pieces(let one, _), .pieces(let other, _)): one == other
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(pieces) }

  /// The text of a part that matches only one literal text; `nil` for other parts.
  package var literal: [UInt8]? {
    switch content {
    case .nothing: []
    case .literal(let bytes): bytes
    case .capture, .pieces: nil
    }
  }

  /// The number of the capture that is the whole part; `nil` if there is none.
  // It is not inlined, because the optimizer of Swift 6.3.1 crashes where it is in the part of an optional (CopyPropagation).
  @inline(never)
  package var wholeCapture: Int? { if case .capture(let number) = content { Int(number) } else { nil } }

  /// The language of the label if a capture matches the whole host; `nil` for other parts.
  package var hostLanguage: RegularLanguage? {
    if case .pieces(let pieces, _) = content, pieces.count == 1, case .host(let language, _) = pieces[0] {
      language
    } else {
      nil
    }
  }

  /// The numbers of the captures.
  package var captures: [Int] {
    switch content {
    case .nothing, .literal: []
    case .capture(let number): [Int(number)]
    case .pieces(let pieces, _):
      pieces.compactMap { if case .capture(let number) = $0 { number } else { nil } }
    }
  }

  /// Returns whether a literal text of the part, or of a choice in it, satisfies a condition.
  func hasText(where isMatch: ([UInt8]) -> Bool) -> Bool {
    switch content {
    case .nothing, .capture: false
    case .literal(let text): isMatch(text)
    case .pieces(let pieces, _): pieces.contains { $0.texts.contains(where: isMatch) }
    }
  }

  /// Indicates whether a choice contains a separator, so that the part expands to several parts.
  var isSplit: Bool {
    guard case .pieces(let pieces, _) = content else { return false }
    return pieces.contains { piece in
      if case .choice(let alternatives) = piece { alternatives.contains { $0.count > 1 } } else { false }
    }
  }

  static func literal(_ bytes: [UInt8]) -> PatternPart {
    var part = PatternPart()
    if !bytes.isEmpty { part.content = .literal(bytes) }
    return part
  }

  /// Appends a capture.
  mutating func append(capture number: Int) {
    if case .nothing = content {
      content = .capture(UInt8(truncatingIfNeeded: number))
    } else {
      pieces.append(.capture(number))
    }
  }

  /// Appends literal bytes.
  mutating func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    switch content {
    case .nothing: content = .literal(bytes)
    case .literal(let before): content = .literal(before + bytes)
    case .capture, .pieces:
      if case .literal(let before)? = pieces.last {
        pieces[pieces.count - 1] = .literal(before + bytes)
      } else {
        pieces.append(.literal(bytes))
      }
    }
  }
}
