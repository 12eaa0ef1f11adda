// SPDX-License-Identifier: Apache-2.0
package import RegularLanguages

/// A matcher of one component of a variant: a host label, a segment or a value.
package enum ComponentMatcher: Hashable, Sendable {
  /// Exactly this text.
  case literal([UInt8])
  /// This text, given in lower case, compared without regard to the case of ASCII letters.
  case folded([UInt8])
  /// The texts of an interned language.
  case language(LanguageInterner.Number)
}

extension RoutePattern {
  /// Returns the language of adjacent captures and choices; `nil` for a literal and for a whole capture.
  package func language(
    of part: PatternPart, in component: PatternComponent
  ) throws(RouteTableError) -> RegularLanguage? {
    if let language = part.language ?? part.hostLanguage { return language }
    guard part.literal == nil, part.wholeCapture == nil else { return nil }
    let folds = component == .path && options.ignoresCase
    var sequence: [RegularExpression] = []
    for piece in part.pieces {
      switch piece {
      case .literal(let bytes):
        sequence.append(.literal(String(decoding: bytes, as: UTF8.self), folds: folds))
      case .capture(let number): sequence.append(.language(captures[number].type.language.withoutEmptyText))
      case .anything: sequence.append(.language(RouteType.string.language))
      case .host(let language, _): sequence.append(.language(language))
      case .choice(let alternatives):
        sequence.append(
          .choice(
            alternatives.map { .literal(String(decoding: $0.first ?? [], as: UTF8.self), folds: folds) }))
      }
    }
    do { return try RegularLanguage(.sequence(sequence)) } catch { throw RouteTableError(error) }
  }
}

extension LanguageInterner {
  /// Returns the matcher of a whole part.
  package mutating func place(_ part: PatternPart, of pattern: RoutePattern, in component: PatternComponent)
    -> ComponentMatcher
  {
    if let literal = part.literal {
      guard component == .path, pattern.options.ignoresCase, literal.contains(where: \.isASCIILetter) else {
        return .literal(literal)
      }
      return .folded(literal.map(\.foldedASCII))
    }
    if let number = part.wholeCapture {
      let capture = pattern.captures[number]
      let language =
        component == .host ? hostLabel(of: capture) : type(of: capture, mayBeEmpty: component.mayBeEmpty)
      return place(language)
    }
    if let language = part.hostLanguage {
      let number = intern(language)
      return place(number)
    }
    // The parser rejected patterns whose automaton is too large, so an error cannot occur here.
    let language = try? pattern.language(of: part, in: component)
    let number = component == .host ? hostLabel(language ?? .none) : intern(language ?? .none)
    if let affixes = pattern.affixes(of: part, in: component) { note(affixes, of: number) }
    return place(number)
  }

  /// Returns the matcher of a language, a literal if the language has only one text.
  private func place(_ number: Number) -> ComponentMatcher {
    guard number > Self.anyText, let text = self[number].onlyText else { return .language(number) }
    return .literal(Array(text.utf8))
  }

  /// Returns the number of the language of a capture.
  package mutating func type(of capture: RouteCapture, mayBeEmpty: Bool) -> Number {
    if capture.type.language == RouteType.string.language { return mayBeEmpty ? Self.anything : Self.anyText }
    return intern(mayBeEmpty ? capture.type.language : capture.type.language.withoutEmptyText)
  }

  /// Returns the number of the language of a capture in the host, restricted to valid host labels.
  package mutating func hostLabel(of capture: RouteCapture) -> Number {
    let number = type(of: capture, mayBeEmpty: false)
    return number == Self.anyText ? number : hostLabel(self[number])
  }

  private mutating func hostLabel(_ language: RegularLanguage) -> Number {
    intern((try? language.intersection(.hostLabel)) ?? language)
  }

  /// Returns the relation of the texts of one matcher to those of another.
  package mutating func relation(_ first: ComponentMatcher, _ second: ComponentMatcher)
    -> RegularLanguage.Relation
  {
    switch (first, second) {
    case (.literal(let one), .literal(let other)), (.folded(let one), .folded(let other)):
      return one == other ? .equal : .disjoint
    case (.literal(let text), .folded(let folded)):
      return text.map(\.foldedASCII) == folded ? .narrower : .disjoint
    case (.folded(let folded), .literal(let text)):
      return text.map(\.foldedASCII) == folded ? .wider : .disjoint
    case (.literal(let text), .language(let number)):
      return self[number].contains(text) ? .narrower : .disjoint
    case (.language(let number), .literal(let text)):
      return self[number].contains(text) ? .wider : .disjoint
    case (.language(let one), .language(let other)): return relation(one, other)
    case (.folded(let text), .language(let other)): return relation(intern(folded: text), other)
    case (.language(let one), .folded(let text)): return relation(one, intern(folded: text))
    }
  }

  /// Returns whether the first matcher precedes the second in a total order in which narrower matchers come first.
  package mutating func precedes(_ first: ComponentMatcher, _ second: ComponentMatcher) -> Bool {
    switch (first, second) {
    case (.literal(let one), .literal(let other)): return one.lexicographicallyPrecedes(other)
    case (.literal, _): return true
    case (_, .literal): return false
    case (.language(let one), .language(let other)): return precedes(one, other)
    // Case-insensitive texts are ordered by width like languages, because a separate order would not be transitive.
    case (.folded(let one), .folded(let other)):
      let widths = (RegularLanguage.width(ofFolded: one), RegularLanguage.width(ofFolded: other))
      return Self.isLess(widths.0, widths.1) ?? one.lexicographicallyPrecedes(other)
    case (.folded(let text), .language(let other)):
      return Self.isLess(RegularLanguage.width(ofFolded: text), width(other))
        ?? (relation(first, second) != .wider && relation(first, second) != .equal)
    case (.language, .folded):
      return !precedes(second, first) && relation(first, second) != .equal
    }
  }
}

extension RegularLanguage {
  /// The host labels, in lower case, without the bytes of `UInt8.isForbiddenInHost`.
  package static let hostLabel = RegularLanguage(builtIn: #"[^\x01-\x20#%\/:<>?@\[\\\]\^|\x7F.A-Z]*"#)

  /// The text of a language with exactly one text; `nil` for other languages.
  package var onlyText: String? {
    var scalars = String.UnicodeScalarView()
    var state = 1
    for _ in 0..<automaton.stateCount {
      var next: (state: Int, scalar: UInt32)?
      for run in automaton.classes.runs {
        let target = automaton.next(state, Int(run.number))
        guard target != 0 else { continue }
        guard next == nil, run.range.count == 1 else { return nil }
        next = (target, run.range.lowerBound)
      }
      guard let step = next else { return automaton.isAccepting[state] ? String(scalars) : nil }
      guard !automaton.isAccepting[state], let scalar = Unicode.Scalar(step.scalar) else { return nil }
      scalars.append(scalar)
      state = step.state
    }
    return nil
  }
}
