// SPDX-License-Identifier: Apache-2.0
/// A cache for inclusion tests between the variants of a trie, which prepares each variant once.
struct InclusionCache {
  private let shapes: [RouteVariant]
  private let routes: [RouteRecord]
  private var classes: [RequestSet?]
  /// A sample request of each variant that was searched for one; the value is `nil` if none was found.
  private var samples: [Int: PartialRequest?] = [:]

  /// Creates a cache for the variants of `tree`.
  ///
  /// The languages that are passed to the methods must be those of `tree`, possibly with further languages added.
  init(_ tree: RouteTrie, _ routes: [RouteRecord]) {
    shapes = tree.shapes
    self.routes = routes
    classes = [RequestSet?](repeating: nil, count: shapes.count)
  }

  /// Returns whether the variant `wider` includes the variant `narrower`; `false` if this is undecided.
  mutating func includes(_ wider: Int, narrower: Int, _ languages: inout LanguageInterner) -> Bool {
    let (scheme, other) = (shapes[wider].shape.scheme, shapes[narrower].shape.scheme)
    guard scheme == nil || scheme == other else { return false }
    let (one, own) = (requests(of: wider, &languages), requests(of: narrower, &languages))
    // A single sample disproves most inclusions and is much cheaper than the exact test.
    if let sample = sample(of: narrower, own, &languages), !one.takesPath(of: sample, languages) {
      return false
    }
    return own.inclusion(in: one, &languages) == .inside
  }

  /// Returns whether two variants match a common request; `true` if this is undecided.
  mutating func meet(_ first: Int, and second: Int, _ languages: inout LanguageInterner) -> Bool {
    var search = WitnessSearch(inside: [requests(of: first, &languages), requests(of: second, &languages)])
    if case .none = search.run(&languages) { return false }
    return true
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
    let sample: PartialRequest? = if case .found(let draft) = search.run(&languages) { draft } else { nil }
    samples[shape] = .some(sample)
    return sample
  }
}
