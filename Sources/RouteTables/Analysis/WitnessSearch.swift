/// Looks for a request that some classes take and others do not: exactly, or within a budget.
///
/// A request is outside a class as soon as one component is. So each component is chosen such that it leaves as few of the
/// others as can be, in every way that there is, until none is left.
struct WitnessSearch {
  enum Outcome {
    case found(PartialRequest)
    /// There is no such request.
    case none
    case undecided(UndecidedReason)
  }

  /// A way to choose a component, and the others that are left with it.
  struct Option {
    var draft: PartialRequest
    let survivors: [Int]
  }

  enum Component {
    case user
    case host
    case path
    case item(key: [UInt8])
    case fragment
    case context(name: String)
  }

  private struct Position: Hashable {
    let chosen: Int
    let rivals: [Int]
  }

  /// How many steps one search may take.
  static let budget = 10_000

  let included: [RequestSet]
  let excluded: [RequestSet]
  /// Steps that are left.
  var budget: Int
  /// Why something could not be told, the first time.
  private var reason: UndecidedReason?
  /// Whether `+` in the query is itself to one of the classes and a space to another.
  private(set) var mixesPlus = false

  init(
    inside included: [RequestSet], outside excluded: [RequestSet] = [], budget: Int = Self.budget
  ) {
    self.included = included
    self.excluded = excluded
    self.budget = budget
  }

  /// Looks for a request in each of the first classes and in none of the others.
  mutating func run(_ languages: inout LanguageInterner) -> Outcome {
    let schemes = Set(included.compactMap(\.scheme))
    guard schemes.count < 2 else { return .none }
    if mayMixHosts(&languages) { give(.hostOrSegment) }
    for form in forms(under: schemes.first) {
      var draft = PartialRequest()
      draft.form = form
      draft.scheme = schemes.first
      let rivals = withoutUnverified(excluded.indices.filter { excluded[$0].admits(form, draft.scheme) })
      lookAtPlus(rivals, draft.scheme)
      guard let found = settle(components(rivals, form), rivals, draft, &languages) else { continue }
      if isTakenAsSegments(found, languages) || mayBeTakenAsHost(found) {
        give(.hostOrSegment)
      } else if !found.isWithinLimits {
        give(.longURL)
      } else {
        return .found(found)
      }
    }
    return reason.map { .undecided($0) } ?? .none
  }

  /// Looks for what a request for a URL that all of the classes take may say of itself, to be in each of the first and in none of
  /// the others.
  mutating func runForContext(_ languages: inout LanguageInterner) -> Outcome {
    let names = conditionNames(of: included + excluded)
    let found = settle(names, Array(excluded.indices), PartialRequest(), &languages)
    return found.map { .found($0) } ?? reason.map { .undecided($0) } ?? .none
  }

  /// Says why something cannot be told.
  mutating func give(_ reason: UndecidedReason) { self.reason = self.reason ?? reason }

  /// The forms that all take; a bare path, where there is no scheme, is taken by the fewest others.
  private func forms(under scheme: String?) -> [RequestSet.Form] {
    guard let first = included.first else { return [] }
    let common = first.forms.filter { form in included.allSatisfy { $0.forms.contains(form) } }
    guard let scheme, ParsedURL.isSpecial(scheme: scheme) else {
      return common.contains(.bare) ? [.bare] : common
    }
    // A host stands in every URL of the scheme. Only where it is a segment to all is it a part of the path.
    return included.allSatisfy { $0.opening == .joinedPath } ? [.rooted] : common.filter { $0 == .host }
  }

  /// Returns whether the first segment of the draft takes the place of a host that a class outside reads, or cannot be a host.
  private func mayBeTakenAsHost(_ draft: PartialRequest) -> Bool {
    guard draft.form == .rooted, let scheme = draft.scheme, ParsedURL.isSpecial(scheme: scheme) else {
      return false
    }
    return !draft.isReadable
      || excluded.contains { $0.opening != .joinedPath && ($0.scheme == nil || $0.scheme == scheme) }
  }

  /// Whether the path of a class to which a host is a segment takes a URL with a host.
  private func isTakenAsSegments(_ draft: PartialRequest, _ languages: LanguageInterner) -> Bool {
    draft.form == .host
      && excluded.contains { other in
        other.opening == .joinedPath && other.scheme == draft.scheme && other.takesPath(of: draft, languages)
      }
  }

  /// The others but for those that ask for an item about whose key nobody else says anything: without it they are outside.
  private func withoutUnverified(_ rivals: [Int]) -> [Int] {
    var named: Set<[UInt8]> = []
    for one in included { named.formUnion(one.kinds.filter { $0.value != .absent }.keys) }
    for rival in rivals { named.formUnion(excluded[rival].kinds.filter { $0.value == .absent }.keys) }
    return rivals.filter { rival in
      !excluded[rival].kinds.contains { $0.value != .absent && !named.contains($0.key) }
    }
  }

  /// Finds out whether the classes read `+` in two ways, under the scheme of the request.
  private mutating func lookAtPlus(_ rivals: [Int], _ scheme: String?) {
    let all = included + rivals.map { excluded[$0] }
    let asking = Dictionary(grouping: all.filter { !$0.kinds.isEmpty }) { $0.readsPlusAsSpace(under: scheme) }
    mixesPlus = asking.count > 1
    // Values are compared as they are written; of keys, another item would be the first to each.
    let keys = asking.values.map { Set($0.flatMap(\.keysWithPlus)) }
    if mixesPlus, !keys.dropFirst().allSatisfy({ $0.isDisjoint(with: keys[0]) }) { give(.plusInKey) }
  }

  private func components(_ rivals: [Int], _ form: RequestSet.Form) -> [Component] {
    let all = included + rivals.map { excluded[$0] }
    var components: [Component] = [.path]
    if form == .host { components += [.user, .host] }
    let keys = Set(all.flatMap(\.kinds.keys)).sorted { $0.lexicographicallyPrecedes($1) }
    components += keys.map { .item(key: $0) }
    components.append(.fragment)
    return components + conditionNames(of: all)
  }

  private func conditionNames(of classes: [RequestSet]) -> [Component] {
    Set(classes.flatMap { $0.shape.conditions.map(\.name) }).sorted().map { .context(name: $0) }
  }

  /// Chooses all components, so that none of the rivals is left.
  private mutating func settle(
    _ components: [Component], _ rivals: [Int], _ draft: PartialRequest, _ languages: inout LanguageInterner
  ) -> PartialRequest? {
    // Of each component that is chosen, where that was and the ways that are left, the best at the end.
    var trail: [(position: Position, options: [Option])] = []
    var failed: Set<Position> = []
    var current = Option(draft: draft, survivors: rivals)
    while trail.count < components.count || !current.survivors.isEmpty {
      let position = Position(chosen: trail.count, rivals: current.survivors)
      var options: [Option] = []
      if trail.count < components.count, !failed.contains(position) {
        options = ways(components[trail.count], current, &languages)
      }
      trail.append((position, options))
      while let last = trail.last, last.options.isEmpty {
        failed.insert(last.position)
        trail.removeLast()
      }
      guard let next = trail.indices.last.flatMap({ trail[$0].options.popLast() }) else { return nil }
      current = next
    }
    return current.draft
  }

  /// The ways to choose a component, the one that leaves the fewest others at the end.
  private mutating func ways(
    _ component: Component, _ current: Option, _ languages: inout LanguageInterner
  ) -> [Option] {
    budget -= 1 + current.survivors.count
    let options = budget > 0 ? options(component, current.survivors, current.draft, &languages) : nil
    guard let options else {
      give(budget > 0 ? .largeTypes : .manyWays)
      return []
    }
    return options.indices.sorted {
      (options[$0].survivors.count, $0) > (options[$1].survivors.count, $1)
    }.map { options[$0] }
  }

  /// The ways to choose a component; `nil` where that is too large to tell.
  private mutating func options(
    _ component: Component, _ rivals: [Int], _ draft: PartialRequest, _ languages: inout LanguageInterner
  ) -> [Option]? {
    switch component {
    case .user: userOptions(rivals, draft, &languages)
    case .host: hostOptions(rivals, draft, &languages)
    case .path: pathOptions(rivals, draft, &languages)
    case .item(let key): itemOptions(key, rivals, draft, &languages)
    case .fragment: fragmentOptions(rivals, draft, &languages)
    case .context(let name): contextOptions(name, rivals, draft, &languages)
    }
  }

  /// The sequences of the others that are left, each with its number.
  func sequences(
    _ rivals: [Int], _ sequence: (RequestSet) -> ComponentSequence
  ) -> [(number: Int, sequence: ComponentSequence)] {
    rivals.map { ($0, sequence(excluded[$0])) }
  }
}
