/// The languages of a table, each with a number; equal languages have one.
struct LanguageInterner: Sendable {
  typealias Number = Int

  /// Any text, be it empty.
  static let anything: Number = 0
  /// Any text but the empty one.
  static let anyText: Number = 1

  private(set) var languages: [RegularLanguage] = []
  private var numbers: [RegularLanguage: Number] = [:]
  /// The texts that those of a language begin and end with, where that was written so.
  private(set) var affixes: [Number: Affixes] = [:]
  private var foldings: [[UInt8]: Number] = [:]
  private var relations: [UInt64: RegularLanguage.Relation] = [:]
  private var widths: [Number: Double] = [:]
  private var samples: [Number: [[UInt8]]] = [:]

  /// A place of a query, and what a `+` is read as there.
  struct PlusInterpretation: Hashable {
    let place: ComponentMatcher
    let scalar: UInt8
  }

  /// The languages of such places in terms of texts as they are written.
  var plusReadings: [PlusInterpretation: Number] = [:]

  /// What is left of a language without some others, in their order.
  struct Remainder: Sendable {
    var without: [Number] = []
    let rest: RegularLanguage
  }

  /// What was left of a language the last time that was asked.
  var remainders: [Number: Remainder] = [:]

  init() {
    _ = intern(RouteType.string.language)
    _ = intern(.anyText)
  }

  mutating func intern(_ language: RegularLanguage) -> Number {
    if let number = numbers[language] { return number }
    numbers[language] = languages.count
    languages.append(language)
    return languages.count - 1
  }

  /// The number of the language of a text in any case of its ASCII letters.
  mutating func intern(folded: [UInt8]) -> Number {
    if let number = foldings[folded] { return number }
    let text = String(decoding: folded, as: UTF8.self)
    // A text of more characters than there may be states is compared with no language.
    let number = intern((try? RegularLanguage(.literal(text, folds: true))) ?? .none)
    foldings[folded] = number
    return number
  }

  /// Says what the texts of a language begin and end with.
  mutating func note(_ affixes: Affixes, of number: Number) { self.affixes[number] = affixes }

  subscript(number: Number) -> RegularLanguage { languages[number] }

  /// How one language lies to another; found out once.
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

  /// How much a language takes.
  mutating func width(_ number: Number) -> Double {
    if let known = widths[number] { return known }
    let width = languages[number].width
    widths[number] = width
    return width
  }

  /// Some texts of a language, the shortest in front: enough that one is seldom in other languages, too.
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

  /// Keeps a text of a language as one of its samples, in front: no more than a few.
  mutating func learn(_ text: [UInt8], of number: Number) {
    samples[number] = [text] + samples(of: number).prefix(Self.mostSamples - 1)
  }

  private static let mostSamples = 16

  private static let rare = ["..+", "xyz[a-z]*", "[0-9]{5,}", ".*xq.*", ".{9,}"].map {
    RegularLanguage(builtIn: $0)
  }

  /// Whether the first comes before the second, as what is narrower must: an order of all languages.
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

  /// Whether one width is less than another, `nil` where they differ by no more than rounding.
  static func isLess(_ one: Double, _ other: Double) -> Bool? {
    abs(one - other) > 1e-9 * max(one, other) ? one < other : nil
  }
}
