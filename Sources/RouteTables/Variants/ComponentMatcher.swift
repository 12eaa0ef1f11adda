/// What one place of a shape takes: a label, a segment, a value.
enum ComponentMatcher: Hashable, Sendable {
  /// Only this text.
  case literal([UInt8])
  /// This text in any case of its ASCII letters; written here in small ones.
  case folded([UInt8])
  /// The texts of a language of the table.
  case language(LanguageInterner.Number)
}

extension RoutePattern {
  /// What captures and choices take that stand side by side; `nil` for a literal and for a whole capture.
  func language(
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
    return try RegularLanguage(.sequence(sequence))
  }
}

extension LanguageInterner {
  /// What the part takes as a whole.
  mutating func place(_ part: PatternPart, of pattern: RoutePattern, in component: PatternComponent)
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
    // The pattern has been read: what was too large was refused then.
    let language = (try? pattern.language(of: part, in: component)) ?? nil
    let number = component == .host ? hostLabel(language ?? .none) : intern(language ?? .none)
    if let affixes = pattern.affixes(of: part, in: component) { note(affixes, of: number) }
    return place(number)
  }

  /// A language of one text is that text.
  private func place(_ number: Number) -> ComponentMatcher {
    self[number].onlyText.map { .literal(Array($0.utf8)) } ?? .language(number)
  }

  /// The number of the language of a capture.
  mutating func type(of capture: RouteCapture, mayBeEmpty: Bool) -> Number {
    if capture.type.language == RouteType.string.language { return mayBeEmpty ? Self.anything : Self.anyText }
    return intern(mayBeEmpty ? capture.type.language : capture.type.language.withoutEmptyText)
  }

  /// The number of the language of a capture in the host: no label has what its type may have beyond that.
  mutating func hostLabel(of capture: RouteCapture) -> Number {
    let number = type(of: capture, mayBeEmpty: false)
    return number == Self.anyText ? number : hostLabel(self[number])
  }

  private mutating func hostLabel(_ language: RegularLanguage) -> Number {
    intern((try? language.intersection(.hostLabel)) ?? language)
  }

  /// How what one place takes lies to what another takes.
  mutating func relation(_ first: ComponentMatcher, _ second: ComponentMatcher) -> RegularLanguage.Relation {
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

  /// Whether the first comes before the second, as what is narrower must: an order of all places.
  mutating func precedes(_ first: ComponentMatcher, _ second: ComponentMatcher) -> Bool {
    switch (first, second) {
    case (.literal(let one), .literal(let other)): return one.lexicographicallyPrecedes(other)
    case (.literal, _): return true
    case (_, .literal): return false
    case (.language(let one), .language(let other)): return precedes(one, other)
    // Folded texts, too, stand where their width has them: in an order of their own they would come between languages otherwise.
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
  /// The labels of hosts, in small letters: `UInt8.isForbiddenInHost`.
  static let hostLabel = RegularLanguage(builtIn: #"[^\x01-\x20#%\/:<>?@\[\\\]\^|\x7F.A-Z]*"#)

  /// Whether the whole text is in the language.
  func contains(_ text: [UInt8]) -> Bool {
    var run = Run(self)
    for byte in text { run.append(byte) }
    return run.isAccepted
  }

  /// The text of a language that has only one.
  var onlyText: String? {
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
