// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// A search for condition values with which a route wins a given URL.
///
/// A route that loses in one context may win in another, in which the conditions of the winning route do not hold. The
/// search therefore asks the index which route wins in a context, and then excludes all contexts that match the conditions
/// of that route. Routes with equal conditions are of one kind: of those that match a URL, the first wins wherever one of
/// them does.
package struct ContextSearch<Action: Sendable> {
  package enum Outcome {
    /// A route of the kind wins in the context of the request.
    case wins(route: Int, RouteRequest)
    /// These routes win in every context, in the order in which they were found; empty if no route of the kind matches.
    case loses(to: [Int])
    /// The conditions are too large to compare; these routes win in some contexts.
    case undecided([Int])
  }

  /// A kind whose conditions must hold, and other kinds whose conditions must not.
  private struct Question: Hashable {
    let kind: Int
    let others: [Int]
  }

  private let table: RouteTable<Action>
  /// The kind of each route, by index.
  package private(set) var kinds: [Int] = []
  /// The number of kinds.
  package let kindCount: Int
  /// A request set for each kind, of which only the conditions are used.
  private var classes: [Int: RequestSet] = [:]
  private var languages = LanguageInterner()
  private var known: [Question: WitnessSearch.Outcome] = [:]

  package init(_ table: RouteTable<Action>) {
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
    for form in 0..<index.variantCount {
      let kind = kinds[index.route(of: form)]
      guard classes[kind] == nil else { continue }
      let (shape, pattern) = index.shape(at: form, of: records, &languages)
      classes[kind] = RequestSet(shape, pattern: pattern, &languages)
    }
  }

  /// Searches for a context in which a route of the kind wins a URL.
  package mutating func winner(of url: String, kind: Int) throws(RouteTableError) -> Outcome {
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
        // The winner was already excluded but wins nevertheless, so excluding it again would not help.
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
  /// Returns a request for a URL that a route wins, with the required condition values; `nil` if none was found.
  ///
  /// ```swift
  /// try table.request(for: "tel:+4412", wonBy: 0)?.context   // ["source": "org.example.Chat"]
  /// ```
  /// - Parameter route: The index of the route in ``routes``; for any other number the result is `nil`.
  /// - Throws: The error of `match` if the text is not a URL.
  public func request(for url: String, wonBy route: Int) throws(RouteTableError) -> RouteRequest? {
    guard routes.indices.contains(route), case .wins(_, let request) = try contest(for: url, route) else {
      return nil
    }
    return request
  }

  /// Returns a context in which a route wins a URL, or the routes that win instead.
  func contest(for url: String, _ route: Int) throws(RouteTableError) -> ContextSearch<Action>.Outcome {
    let context = routes[route].ownContext
    guard let found = try find(url, when: context) else { return .loses(to: []) }
    guard found.routeIndex != route else {
      return .wins(route: route, RouteRequest(url: url, context: context))
    }
    // Without conditions in the table, all contexts are equivalent.
    guard !conditionNames.isEmpty else { return .loses(to: [found.routeIndex]) }
    var search = ContextSearch(self)
    let outcome = try search.winner(of: url, kind: search.kinds[route])
    // The winner has equal conditions and comes first.
    if case .wins(let winner, _) = outcome, winner != route { return .loses(to: [winner]) }
    return outcome
  }
}

extension Route {
  /// A context in which the conditions of the route hold.
  fileprivate var ownContext: [String: String] {
    var context: [String: String] = [:]
    for condition in conditions { context[condition.name] = condition.language.shortestText }
    return context
  }
}
