/// Looks for what a request may say of itself so that a route wins a URL.
///
/// A route that loses in one context may win in another, where what beats it does not hold. So who wins in a context is asked of the
/// index, and what that route asks of a request is left out from then on. Routes that ask the same of a request are one kind:
/// of those that match a URL, the first wins wherever any does.
struct ContextSearch<Action: Sendable> {
  enum Outcome {
    /// A route of the kind wins if the request says this.
    case wins(route: Int, RouteRequest)
    /// Whatever the request says, these win, the first that was found in front; none where no route of the kind matches.
    case loses(to: [Int])
    /// What the routes ask of a request is too large to compare; these win in some contexts.
    case undecided([Int])
  }

  /// Kinds: one that holds, and others that do not.
  private struct Question: Hashable {
    let kind: Int
    let others: [Int]
  }

  private let table: RouteTable<Action>
  /// The kind of each route.
  private(set) var kinds: [Int] = []
  /// How many kinds there are.
  let kindCount: Int
  /// Requests of each kind; what they are for is not looked at.
  private var classes: [Int: RequestSet] = [:]
  private var languages = LanguageInterner()
  private var known: [Question: WitnessSearch.Outcome] = [:]

  init(_ table: RouteTable<Action>) {
    self.table = table
    var numbers: [[String: RegularLanguage]: Int] = [:]
    for route in table.routes {
      let asked = Dictionary(route.conditions.map { ($0.name, $0.language) }) { first, _ in first }
      let number = numbers[asked] ?? numbers.count
      numbers[asked] = number
      kinds.append(number)
    }
    kindCount = numbers.count
    let (index, records) = (table.storage.index, table.routes.map(\.record))
    for form in index.forms.indices {
      let kind = kinds[index.route(of: form)]
      guard classes[kind] == nil else { continue }
      let (shape, pattern) = index.shape(at: form, of: records, &languages)
      classes[kind] = RequestSet(shape, pattern, &languages)
    }
  }

  /// Looks for a context in which a route of the kind wins a URL.
  mutating func winner(of url: String, kind: Int) throws(RouteTableError) -> Outcome {
    var rivals: [Int] = []
    while true {
      let others = rivals.map { kinds[$0] }
      switch context(of: Question(kind: kind, others: others)) {
      case .none: return .loses(to: rivals)
      case .undecided: return .undecided(rivals)
      case .found(let draft):
        guard let found = try table.find(url, when: draft.context) else { return .loses(to: rivals) }
        let (route, own) = (found.routeIndex, kinds[found.routeIndex])
        if own == kind { return .wins(route: route, RouteRequest(url: url, context: draft.context)) }
        // Who wins a request that it does not take, as far as can be told, cannot be left out.
        guard !others.contains(own) else { return .undecided(rivals) }
        rivals.append(route)
      }
    }
  }

  private mutating func context(of question: Question) -> WitnessSearch.Outcome {
    if let known = known[question] { return known }
    var search = WitnessSearch(
      inside: [question.kind].compactMap { classes[$0] },
      outside: question.others.compactMap { classes[$0] })
    let outcome = search.runForContext(&languages)
    known[question] = outcome
    return outcome
  }
}

extension RouteTable {
  /// A request for a URL that a route wins, with what must be said besides; `nil` where, as far as can be told, there is none.
  ///
  /// ```swift
  /// try table.request(for: "tel:+4412", wonBy: 0)?.context   // ["source": "org.example.Chat"]
  /// ```
  /// - Parameter route: the index of the route in ``routes``; `nil` comes back for what is none.
  /// - Throws: what `match` throws for a text that is no URL.
  public func request(for url: String, wonBy route: Int) throws(RouteTableError) -> RouteRequest? {
    guard routes.indices.contains(route), case .wins(_, let request) = try contest(for: url, route) else {
      return nil
    }
    return request
  }

  /// Whether a route wins a URL in some context, or who wins in its place.
  func contest(for url: String, _ route: Int) throws(RouteTableError) -> ContextSearch<Action>.Outcome {
    let context = routes[route].ownContext
    guard let found = try find(url, when: context) else { return .loses(to: []) }
    guard found.routeIndex != route else {
      return .wins(route: route, RouteRequest(url: url, context: context))
    }
    // Where nothing is asked of requests, all are alike.
    guard !conditionNames.isEmpty else { return .loses(to: [found.routeIndex]) }
    var search = ContextSearch(self)
    let outcome = try search.winner(of: url, kind: search.kinds[route])
    // One that asks the same, and comes first.
    if case .wins(let winner, _) = outcome, winner != route { return .loses(to: [winner]) }
    return outcome
  }
}

extension Route {
  /// A context in which the route's conditions hold.
  fileprivate var ownContext: [String: String] {
    var context: [String: String] = [:]
    for condition in conditions { context[condition.name] = condition.language.shortestText }
    return context
  }
}
