/// The shapes of two tables in one tree and one set of languages: those that take the same requests are one.
struct MergedTables {
  /// What a shape takes, without what its captures are called.
  private struct Key: Hashable {
    let scheme: String?
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
      (scheme, opening, port) = (requests.scheme, requests.opening, shape.shape.port)
      (user, host, path) = (requests.user, requests.host, requests.path)
      (tests, fragment, hasLiteralPlus) = (shape.tests, shape.fragment, shape.hasLiteralPlus)
      conditions = Dictionary(shape.conditions.map { ($0.name, $0.language) }) { first, _ in first }
    }
  }

  /// One of the two tables.
  struct Member {
    /// The number of each of its shapes in the union.
    fileprivate(set) var numbers: [Int]
    /// The place in its order at which it has what a number stands for; of several, the first, which wins.
    fileprivate(set) var places: [Int: Int] = [:]
  }

  private(set) var tree = RouteTrie()
  /// What is taken by the shapes, by number.
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

  /// Whether something that both tables have stands in another order.
  var isReordered: Bool {
    let common = old.places.filter { new.places[$0.key] != nil }.sorted { $0.value < $1.value }
    let places = common.compactMap { new.places[$0.key] }
    return zip(places, places.dropFirst()).contains { $0 > $1 }
  }

  private mutating func add(_ contest: PrecedenceOracle, _ member: Member) -> Member {
    var member = member
    for (place, number) in contest.shapes.order.enumerated() {
      let (shape, pattern) = contest.index.shape(at: place, of: contest.routes, &tree.languages)
      let requests = RequestSet(shape, pattern, &tree.languages)
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
