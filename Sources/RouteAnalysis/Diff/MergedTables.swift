// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// The variants of two tables in one trie with common languages; variants that match the same requests are merged.
struct MergedTables {
  /// The requests that a variant matches, without the names of its captures.
  private struct Key: Hashable {
    let scheme: String?
    let excludedSchemes: [String]
    let opening: PatternVariant.Opening
    let user: ComponentMatcher?
    let host: ComponentSequence
    let port: PatternVariant.Port
    let path: ComponentSequence
    let tests: [RouteVariant.Test]
    let fragment: ComponentMatcher?
    let conditions: [String: LanguageInterner.Number]
    let hasLiteralPlus: Bool

    init(_ requests: RequestSet) {
      let shape = requests.shape
      (scheme, excludedSchemes) = (requests.scheme, shape.shape.excludedSchemes)
      (opening, port) = (requests.opening, shape.shape.port)
      (user, host, path) = (requests.user, requests.host, requests.path)
      (tests, fragment, hasLiteralPlus) = (shape.tests, shape.fragment, shape.hasLiteralPlus)
      conditions = Dictionary(shape.conditions.map { ($0.name, $0.language) }) { first, _ in first }
    }
  }

  /// The mapping between the variants of one of the two tables and the merged variants.
  struct Member {
    /// The number of the merged variant for each variant of the table.
    fileprivate(set) var numbers: [Int]
    /// The first position in the table's order of each merged variant, by its number; the first one wins.
    fileprivate(set) var places: [Int: Int] = [:]
  }

  private(set) var tree = RouteTrie()
  /// The sets of requests of the merged variants, by number.
  private(set) var classes: [RequestSet] = []
  private(set) var old: Member
  private(set) var new: Member
  private var numbers: [Key: Int] = [:]

  init(_ old: PrecedenceOracle, _ new: PrecedenceOracle) {
    self.old = Member(numbers: old.shapes.order.map { _ in 0 })
    self.new = Member(numbers: new.shapes.order.map { _ in 0 })
    tree.reserve(old.routes.count + new.routes.count)
    self.old = add(old, self.old)
    self.new = add(new, self.new)
  }

  /// Indicates whether two merged variants that both tables contain have different orders in them.
  var isReordered: Bool {
    let common = old.places.filter { new.places[$0.key] != nil }.sorted { $0.value < $1.value }
    let places = common.compactMap { new.places[$0.key] }
    return zip(places, places.dropFirst()).contains { $0 > $1 }
  }

  private mutating func add(_ contest: PrecedenceOracle, _ member: Member) -> Member {
    var member = member
    for (place, number) in contest.shapes.order.enumerated() {
      let (shape, pattern) = contest.index.shape(at: place, of: contest.routes, &tree.languages)
      let requests = RequestSet(shape, pattern: pattern, &tree.languages)
      let key = Key(requests)
      let common = numbers[key] ?? classes.count
      if common == classes.count {
        numbers[key] = common
        classes.append(requests)
        tree.insert(shape, of: pattern)
      }
      member.numbers[number] = common
      if member.places[common] == nil { member.places[common] = place }
    }
    return member
  }
}
