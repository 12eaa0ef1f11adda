// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// A counterexample-guided search for a request: each request found is checked, and its blockers are then excluded.
///
/// A request that a given variant wins is found by comparison with the few variants that win instead, rather than with all
/// variants that could.
struct CounterexampleSearch {
  /// The maximum number of checked requests.
  static let rounds = 64
  /// The maximum number of steps of all searches together.
  private static let budget = 4 * WitnessSearch.budget

  /// The numbers of the request sets that were excluded.
  private(set) var blockers: [Int] = []

  /// Searches for a request in all included sets for which `blocker` returns `nil`.
  ///
  /// `blocker` returns the number and the request set of the variant that makes a request unsuitable.
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
      // The blocker was already excluded but wins nevertheless, so excluding it again would not help.
      guard !blockers.contains(next.number) else { return .undecided(.strangeWinner) }
      blockers.append(next.number)
      excluded.append(next.requests)
    }
    return .undecided(.manyWinners)
  }
}
