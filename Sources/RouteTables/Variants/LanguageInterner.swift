// SPDX-License-Identifier: Apache-2.0
package import RegularLanguages

/// An interning table of languages, with caches of their relations; equal languages have one number.
package struct LanguageInterner: Sendable {
  package typealias Number = Int

  /// The number of the language of all texts, including the empty one.
  package static let anything: Number = 0
  /// The number of the language of all texts except the empty one.
  package static let anyText: Number = 1

  private(set) var languages: [RegularLanguage] = []
  private var numbers: [RegularLanguage: Number] = [:]
  /// The affixes of the languages that come from parts with affixes.
  private(set) var affixes: [Number: Affixes] = [:]
  private var foldings: [[UInt8]: Number] = [:]
  private var relations: [UInt64: RegularLanguage.Relation] = [:]
  private var widths: [Number: Double] = [:]
  private var samples: [Number: [[UInt8]]] = [:]

  /// A matcher of a query value, and the character as which it reads `+`.
  struct PlusInterpretation: Hashable {
    let place: ComponentMatcher
    let scalar: UInt8
  }

  /// A cache of the languages of texts as written, by interpretation of `+`.
  var plusReadings: [PlusInterpretation: Number] = [:]

  /// A language from which other languages were subtracted, in order.
  struct Remainder: Sendable {
    var without: [Number] = []
    let rest: RegularLanguage
  }

  /// A cache of the last remainder of each language.
  var remainders: [Number: Remainder] = [:]

  package init() {
    _ = intern(RouteType.string.language)
    _ = intern(.anyText)
  }

  mutating func intern(_ language: RegularLanguage) -> Number {
    if let number = numbers[language] { return number }
    numbers[language] = languages.count
    languages.append(language)
    return languages.count - 1
  }

  /// Returns the number of the language of a text without regard to the case of ASCII letters.
  mutating func intern(folded: [UInt8]) -> Number {
    if let number = foldings[folded] { return number }
    let text = String(decoding: folded, as: UTF8.self)
    // A text that exceeds the maximum number of states is interned as the empty language.
    let number = intern((try? RegularLanguage(.literal(text, folds: true))) ?? .none)
    foldings[folded] = number
    return number
  }

  /// Returns the number of a language without the empty text.
  mutating func withoutEmptyText(_ number: Number) -> Number {
    if number == Self.anything { return Self.anyText }
    return languages[number].contains([]) ? intern(languages[number].withoutEmptyText) : number
  }

  /// Records the affixes of a language.
  mutating func note(_ affixes: Affixes, of number: Number) { self.affixes[number] = affixes }

  package subscript(number: Number) -> RegularLanguage { languages[number] }

  /// Returns the relation of one language to another, which is cached.
  mutating func relation(_ first: Number, _ second: Number) -> RegularLanguage.Relation {
    if first == second { return .equal }
    if second == Self.anything { return .narrower }
    if first == Self.anything { return .wider }
    let key = UInt64(truncatingIfNeeded: first) << 32 | UInt64(truncatingIfNeeded: second)
    if let known = relations[key] { return known }
    let relation = languages[first].relation(to: languages[second])
    relations[key] = relation
    return relation
  }

  /// Returns the width of a language, a measure of how many texts it accepts, which is cached.
  mutating func width(_ number: Number) -> Double {
    if let known = widths[number] { return known }
    let width = languages[number].width
    widths[number] = width
    return width
  }

  /// Returns some texts of a language, shortest first, chosen so that other languages seldom accept all of them.
  mutating func samples(of number: Number) -> [[UInt8]] {
    if let known = samples[number] { return known }
    let language = languages[number]
    var texts: [[UInt8]] = []
    for text in [language.shortestText] + Self.rare.map({ language.commonText(with: $0) }) {
      if let text, !texts.contains(Array(text.utf8)) { texts.append(Array(text.utf8)) }
    }
    samples[number] = texts
    return texts
  }

  /// Adds a text as the first sample of a language, and limits the number of samples.
  mutating func learn(_ text: [UInt8], of number: Number) {
    samples[number] = [text] + samples(of: number).prefix(Self.mostSamples - 1)
  }

  private static let mostSamples = 16

  private static let rare = ["..+", "xyz[a-z]*", "[0-9]{5,}", ".*xq.*", ".{9,}"].map {
    RegularLanguage(builtIn: $0)
  }

  /// Returns whether the first language precedes the second in a total order in which narrower languages come first.
  mutating func precedes(_ first: Number, _ second: Number) -> Bool {
    if first == second { return false }
    let (one, other) = (width(first), width(second))
    if let isLess = Self.isLess(one, other) { return isLess }
    switch relation(first, second) {
    case .narrower: return true
    case .wider, .equal: return false
    case .crossing, .disjoint: return one == other ? first < second : one < other
    }
  }

  /// Returns whether one width is less than another; `nil` if they differ only by rounding.
  static func isLess(_ one: Double, _ other: Double) -> Bool? {
    abs(one - other) > 1e-9 * max(one, other) ? one < other : nil
  }
}
