/// Tells of the shapes of a tree which take all that others take; each is made ready for that once.
struct InclusionCache {
  private let shapes: [RouteVariant]
  private let routes: [RouteRecord]
  private var classes: [RequestSet?]
  /// A request of each shape, where one has been looked for.
  private var samples: [Int: PartialRequest?] = [:]

  /// The languages that are handed in later are those of the tree, or have grown from them.
  init(_ tree: RouteTrie, _ routes: [RouteRecord]) {
    shapes = tree.shapes
    self.routes = routes
    classes = [RequestSet?](repeating: nil, count: shapes.count)
  }

  /// Whether a shape takes all that another takes; what cannot be decided is not.
  mutating func includes(_ wider: Int, _ narrower: Int, _ languages: inout LanguageInterner) -> Bool {
    let (scheme, other) = (shapes[wider].shape.scheme, shapes[narrower].shape.scheme)
    guard scheme == nil || scheme == other else { return false }
    let (one, own) = (requests(of: wider, &languages), requests(of: narrower, &languages))
    // Most that do not take all do not take the first that comes to mind.
    if let sample = sample(of: narrower, own, &languages), !one.takesPath(of: sample, languages) {
      return false
    }
    return own.inclusion(in: one, &languages) == .inside
  }

  /// Whether two shapes take some request in common; where that cannot be decided they may.
  mutating func meet(_ one: Int, _ other: Int, _ languages: inout LanguageInterner) -> Bool {
    var search = WitnessSearch(inside: [requests(of: one, &languages), requests(of: other, &languages)])
    if case .none = search.run(&languages) { return false }
    return true
  }

  private mutating func requests(of shape: Int, _ languages: inout LanguageInterner) -> RequestSet {
    if let known = classes[shape] { return known }
    let own = shapes[shape]
    let requests = RequestSet(own, routes[own.route].patterns[own.pattern], &languages)
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
