// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// A reader of adjacent captures in one segment, in which earlier captures are greedy.
struct PartReader {
  private let pieces: [PatternPart.Piece]
  private let pattern: RoutePattern
  private let folds: Bool

  init(_ part: PatternPart, _ pattern: RoutePattern, folds: Bool) {
    pieces = part.pieces
    self.pattern = pattern
    self.folds = folds
  }

  /// Returns the texts and numbers of the captures; the result is empty if the pieces do not match `text`.
  func read(_ text: String) -> [(capture: Int, text: String)] {
    let scalars = Array(text.unicodeScalars)
    // `ends[i][offset]`: pieces `i...` match everything from `offset` to the end of the text.
    var ends = [[Bool]](repeating: [], count: pieces.count + 1)
    ends[pieces.count] = scalars.indices.map { _ in false } + [true]
    for index in pieces.indices.reversed() {
      ends[index] = starts(of: pieces[index], scalars, before: ends[index + 1])
    }
    var found: [(capture: Int, text: String)] = []
    var place = 0
    for (index, piece) in pieces.enumerated() {
      guard let end = longest(piece, scalars, from: place, before: ends[index + 1]) else { return [] }
      if case .capture(let number) = piece {
        var own = String.UnicodeScalarView()
        own.append(contentsOf: scalars[place..<end])
        found.append((number, String(own)))
      }
      place = end
    }
    return found
  }

  /// Returns the texts that a literal or a choice matches; empty for a capture.
  private func texts(_ piece: PatternPart.Piece) -> [[Unicode.Scalar]] {
    switch piece {
    case .literal(let bytes): [Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)]
    case .choice(let alternatives):
      alternatives.map { Array(String(decoding: $0.first ?? [], as: UTF8.self).unicodeScalars) }
    case .capture, .anything, .host: []
    }
  }

  private func stands(_ text: [Unicode.Scalar], in scalars: [Unicode.Scalar], at place: Int) -> Bool {
    guard place + text.count <= scalars.count else { return false }
    return zip(text, scalars[place...]).allSatisfy { one, other in
      one == other || (folds && one.isASCII && other.isASCII && fold(one) == fold(other))
    }
  }

  private func fold(_ scalar: Unicode.Scalar) -> UInt8 { UInt8(truncatingIfNeeded: scalar.value).foldedASCII }

  private func automaton(_ number: Int) -> DeterministicAutomaton {
    pattern.captures[number].type.language.withoutEmptyText.automaton
  }

  /// Returns for each offset whether the piece matches from there up to one of `ends`.
  private func starts(of piece: PatternPart.Piece, _ scalars: [Unicode.Scalar], before ends: [Bool]) -> [Bool]
  {
    guard case .capture(let number) = piece else {
      let texts = texts(piece)
      return ends.indices.map { place in
        texts.contains { stands($0, in: scalars, at: place) && ends[place + $0.count] }
      }
    }
    let automaton = automaton(number)
    var starts = [Bool](repeating: false, count: ends.count)
    // The states that lead from an offset to one of the ends, computed from the last offset backwards.
    var states = automaton.isAccepting.map { $0 && ends[scalars.count] }
    starts[scalars.count] = states[1]
    for place in scalars.indices.reversed() {
      let letter = automaton.classes.number(of: scalars[place].value)
      states = states.indices.map { state in
        states[automaton.next(state, letter)] || (automaton.isAccepting[state] && ends[place])
      }
      starts[place] = states[1]
    }
    return starts
  }

  /// Returns the end of the longest match of the piece at `place` that ends at one of `ends`; `nil` if there is no match.
  private func longest(
    _ piece: PatternPart.Piece, _ scalars: [Unicode.Scalar], from place: Int, before ends: [Bool]
  ) -> Int? {
    guard case .capture(let number) = piece else {
      return texts(piece).filter { stands($0, in: scalars, at: place) && ends[place + $0.count] }
        .map { place + $0.count }.max()
    }
    let automaton = automaton(number)
    var state = 1
    var end: Int?
    for index in place..<scalars.count {
      state = automaton.next(state, automaton.classes.number(of: scalars[index].value))
      if state == 0 { break }
      if automaton.isAccepting[state], ends[index + 1] { end = index + 1 }
    }
    return end
  }
}
