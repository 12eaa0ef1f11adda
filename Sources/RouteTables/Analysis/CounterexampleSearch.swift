/// A search that learns what is in the way: each request that is found is shown to a judge, and the classes that it names are
/// left out from then on.
///
/// So a request that is won by a certain shape is found by looking at the few others that win instead, not at all that could.
struct CounterexampleSearch {
  /// How often a judge may say no.
  static let rounds = 64
  /// How many steps all searches may take together.
  private static let budget = 4 * WitnessSearch.budget

  /// The numbers of the classes that were in the way.
  private(set) var blockers: [Int] = []

  /// Looks for a request inside the classes for which `blocker` names no class, with its number.
  mutating func run(
    inside included: [RequestSet], _ languages: inout LanguageInterner,
    blocker: (RouteRequest, inout LanguageInterner) -> (number: Int, requests: RequestSet)?
  ) -> WitnessSearch.Outcome {
    var excluded: [RequestSet] = []
    var budget = Self.budget
    for _ in 0..<Self.rounds {
      var search = WitnessSearch(
        inside: included, outside: excluded, budget: min(budget, WitnessSearch.budget))
      let outcome = search.run(&languages)
      budget -= min(budget, WitnessSearch.budget) - search.budget
      guard case .found(let draft) = outcome else { return outcome }
      guard let next = blocker(draft.request, &languages) else { return outcome }
      // Who wins a request that it does not take, as far as can be told, cannot be left out.
      guard !blockers.contains(next.number) else { return .undecided(.strangeWinner) }
      blockers.append(next.number)
      excluded.append(next.requests)
    }
    return .undecided(.manyWinners)
  }
}
