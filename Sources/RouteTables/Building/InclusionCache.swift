// SPDX-License-Identifier: Apache-2.0
/// A cache for comparisons between the variants of a trie, which counts its steps.
struct InclusionCache {
  /// A question about two variants.
  private struct Comparison: Hashable {
    let first: Int
    let second: Int
    let isInclusion: Bool
  }

  /// The number of remaining steps; below zero, the results of comparisons are undecided.
  ///
  /// A step takes about 100 ns.
  private var budget = 0
  private let shapes: [RouteVariant]
  private let routes: [RouteRecord]
  private var classes: [RequestSet?]
  /// A sample request of each variant that was searched for one; the value is `nil` if none was found.
  private var samples: [Int: PartialRequest?] = [:]
  /// The results of exact comparisons.
  private var results: [Comparison: Bool] = [:]

  /// Creates a cache for the variants of `tree`.
  ///
  /// The languages that are passed to the methods must be those of `tree`, possibly with further languages added.
  init(_ tree: RouteTrie, _ routes: [RouteRecord]) {
    shapes = tree.shapes
    self.routes = routes
    classes = [RequestSet?](repeating: nil, count: shapes.count)
  }

  /// Indicates whether the budget is spent.
  var isExhausted: Bool { budget < 0 }

  /// Makes a number of steps available.
  mutating func begin(budget: Int) { self.budget = budget }

  /// Subtracts steps from the budget.
  mutating func charge(_ steps: Int) { budget -= steps }

  /// Returns the variants that may match a request that a variant matches, itself included.
  mutating func neighbors(of shape: Int, in tree: inout RouteTrie) -> [Int] {
    guard !isExhausted else { return [] }
    let requests = requests(of: shape, &tree.languages)
    let search = NeighborSearch(tree, requests)
    budget -= search.steps + search.found.count
    return search.found
  }

  /// Returns whether the variant `wider` includes the variant `narrower`; `false` if this is undecided.
  mutating func includes(_ wider: Int, narrower: Int, _ languages: inout LanguageInterner) -> Bool {
    budget -= Self.lookupCost
    guard !isExhausted else { return false }
    let (scheme, other) = (shapes[wider].shape.scheme, shapes[narrower].shape.scheme)
    guard scheme == nil || scheme == other else { return false }
    let comparison = Comparison(first: wider, second: narrower, isInclusion: true)
    if let known = results[comparison] { return known }
    let (one, own) = (requests(of: wider, &languages), requests(of: narrower, &languages))
    // A single sample disproves most inclusions and is much cheaper than the exact test.
    budget -= Self.sampleCost
    if let sample = sample(of: narrower, own, &languages),
      !one.takesPath(of: sample, languages) || !one.takesHost(of: sample, languages)
    {
      return false
    }
    var search = WitnessSearch(inside: [own], outside: [one])
    let isIncluded = if case .none = run(&search, &languages) { true } else { false }
    results[comparison] = isIncluded
    return isIncluded
  }

  /// Returns whether two variants match a common request; `true` if this is undecided.
  mutating func meet(_ first: Int, and second: Int, _ languages: inout LanguageInterner) -> Bool {
    budget -= Self.lookupCost
    guard !isExhausted else { return true }
    let comparison = Comparison(first: first, second: second, isInclusion: false)
    if let known = results[comparison] { return known }
    var search = WitnessSearch(inside: [requests(of: first, &languages), requests(of: second, &languages)])
    let doMeet = if case .none = run(&search, &languages) { false } else { true }
    results[comparison] = doMeet
    return doMeet
  }

  /// The costs of comparisons in steps.
  private static let (lookupCost, sampleCost, searchCost, searchStepCost) = (4, 20, 100, 40)

  /// Runs a search, and charges its steps.
  private mutating func run(_ search: inout WitnessSearch, _ languages: inout LanguageInterner)
    -> WitnessSearch.Outcome
  {
    let outcome = search.run(&languages)
    budget -= Self.searchCost + search.steps * Self.searchStepCost
    return outcome
  }

  private mutating func requests(of shape: Int, _ languages: inout LanguageInterner) -> RequestSet {
    if let known = classes[shape] { return known }
    let own = shapes[shape]
    let requests = RequestSet(own, pattern: routes[own.route].patterns[own.pattern], &languages)
    classes[shape] = requests
    return requests
  }

  private mutating func sample(
    of shape: Int, _ requests: RequestSet, _ languages: inout LanguageInterner
  ) -> PartialRequest? {
    if let known = samples[shape] { return known }
    var search = WitnessSearch(inside: [requests])
    let sample: PartialRequest? = if case .found(let draft) = run(&search, &languages) { draft } else { nil }
    samples[shape] = .some(sample)
    return sample
  }
}
