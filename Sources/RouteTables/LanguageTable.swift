/// The languages of a table, each with a number; equal languages have one.
struct LanguageTable: Sendable {
  typealias Number = Int

  private(set) var languages: [RouteLanguage] = []
  private var numbers: [RouteLanguage: Number] = [:]
  private var relations: [[Number]: RouteLanguage.Relation] = [:]

  mutating func intern(_ language: RouteLanguage) -> Number {
    if let number = numbers[language] { return number }
    numbers[language] = languages.count
    languages.append(language)
    return languages.count - 1
  }

  subscript(number: Number) -> RouteLanguage { languages[number] }

  /// How one language lies to another; found out once.
  mutating func relation(_ first: Number, _ second: Number) -> RouteLanguage.Relation {
    if first == second { return .equal }
    if let known = relations[[first, second]] { return known }
    let relation = languages[first].relation(to: languages[second])
    relations[[first, second]] = relation
    return relation
  }
}
