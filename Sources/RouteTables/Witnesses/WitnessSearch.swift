// SPDX-License-Identifier: Apache-2.0
/// A search for a request that belongs to some request sets and not to others, exact within a budget.
///
/// A request is outside a set as soon as one component is. The search chooses each component so that as few excluded sets
/// as possible survive, and backtracks until none is left.
package struct WitnessSearch {
  package enum Outcome {
    case found(PartialRequest)
    /// There is no such request.
    case none
    case undecided(UndecidedReason)
  }

  /// A choice of a component, and the numbers of the excluded sets to which the request still belongs.
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

  /// The maximum number of steps of one search.
  package static let budget = 10_000

  let included: [RequestSet]
  let excluded: [RequestSet]
  /// The number of remaining steps.
  package internal(set) var budget: Int
  /// The number of steps so far.
  var steps: Int { Self.budget - budget + hostSteps }
  /// The number of steps that determined whether sets read the host differently, which have a budget of their own.
  var hostSteps = 0
  /// The first reason for which a part of the search was undecided.
  private var reason: UndecidedReason?
  /// Indicates whether some sets read a `+` in the query as a space and others as a plus.
  private(set) var mixesPlus = false

  package init(
    inside included: [RequestSet], outside excluded: [RequestSet] = [], budget: Int = Self.budget
  ) {
    self.included = included
    self.excluded = excluded
    self.budget = budget
  }

  /// Searches for a request that belongs to all included sets and to no excluded one.
  package mutating func run(_ languages: inout LanguageInterner) -> Outcome {
    let schemes = self.schemes
    guard !schemes.isEmpty else { return .none }
    if mayMixHosts(&languages) { give(.hostOrSegment) }
    for draft in schemes.flatMap({ scheme in forms(under: scheme).flatMap { drafts(scheme, $0) } }) {
      let form = draft.form
      let rivals = withoutUnverified(excluded.indices.filter { excluded[$0].admits(form, draft.scheme) })
      lookAtPlus(rivals, draft.scheme)
      guard let found = settle(components(rivals, form), rivals: rivals, draft: draft, &languages) else {
        continue
      }
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

  /// Searches for condition values that satisfy all included sets and no excluded one, for a URL that all sets match.
  mutating func runForContext(_ languages: inout LanguageInterner) -> Outcome {
    let names = conditionNames(of: included + excluded)
    let found = settle(names, rivals: Array(excluded.indices), draft: PartialRequest(), &languages)
    return found.map { .found($0) } ?? reason.map { .undecided($0) } ?? .none
  }

  /// Records the reason for which a part of the search is undecided.
  mutating func give(_ reason: UndecidedReason) { self.reason = self.reason ?? reason }

  /// The schemes to try: the one that the included sets name; otherwise `nil` for one that no set names, and the schemes that only
  /// excluded sets exclude, as these do not match their URLs.
  private var schemes: [String?] {
    let named = Set(included.compactMap(\.scheme))
    guard let scheme = named.first else {
      let others = Set(excluded.flatMap(\.shape.shape.excludedSchemes))
      return [nil] + others.sorted().filter { scheme in !included.contains { $0.excludes(scheme) } }
    }
    return named.count > 1 || included.contains { $0.excludes(scheme) } ? [] : [scheme]
  }

  /// A scheme that no set names, because the fewest other sets match its URLs.
  var unnamedScheme: String {
    let named = Set(
      excluded.compactMap(\.scheme) + (included + excluded).flatMap(\.shape.shape.excludedSchemes))
    return (0...named.count).lazy.map { "x\($0)" }.first { !named.contains($0) } ?? "x"
  }

  /// Returns the forms that all included sets allow; only the bare path if they allow it.
  ///
  /// A bare path is preferred because the fewest excluded sets match it.
  private func forms(under scheme: String?) -> [RequestSet.Form] {
    guard let first = included.first else { return [] }
    let common = first.forms.filter { form in included.allSatisfy { $0.forms.contains(form) } }
    guard let scheme else { return common.contains(.bare) ? [.bare] : common }
    guard ParsedURL.isSpecial(scheme: scheme) else { return common.filter { $0 != .bare } }
    // A special scheme requires a host; it is a part of the path only if all included sets read it as a segment.
    return included.allSatisfy { $0.opening == .joinedPath } ? [.rooted] : common.filter { $0 == .host }
  }

  /// Returns whether an excluded set reads the first segment of the draft as a host, or the URL cannot be parsed.
  private func mayBeTakenAsHost(_ draft: PartialRequest) -> Bool {
    guard draft.form == .rooted, let scheme = draft.scheme, ParsedURL.isSpecial(scheme: scheme) else {
      return false
    }
    return !draft.isReadable
      || excluded.contains { $0.opening != .joinedPath && ($0.scheme == nil || $0.scheme == scheme) }
  }

  /// Returns whether an excluded set that reads the host as a segment matches a URL with a host.
  private func isTakenAsSegments(_ draft: PartialRequest, _ languages: LanguageInterner) -> Bool {
    draft.form == .host
      && excluded.contains { other in
        other.opening == .joinedPath && other.scheme == draft.scheme && other.takesPath(of: draft, languages)
      }
  }

  /// Returns the rivals without those that require an item with a key that no other set names.
  ///
  /// The request needs no item with such a key, so that it does not belong to those sets.
  private func withoutUnverified(_ rivals: [Int]) -> [Int] {
    var named: Set<[UInt8]> = []
    for one in included { named.formUnion(one.kinds.filter { $0.value != .absent }.keys) }
    for rival in rivals { named.formUnion(excluded[rival].kinds.filter { $0.value == .absent }.keys) }
    return rivals.filter { rival in
      !excluded[rival].kinds.contains { $0.value != .absent && !named.contains($0.key) }
    }
  }

  /// Determines whether the sets read `+` in two ways under the scheme.
  private mutating func lookAtPlus(_ rivals: [Int], _ scheme: String?) {
    let all = included + rivals.map { excluded[$0] }
    let asking = Dictionary(grouping: all.filter { !$0.kinds.isEmpty }) { $0.readsPlusAsSpace(under: scheme) }
    mixesPlus = asking.count > 1
    // Values are compared as written, but a key with `+` or a space is another key in each reading.
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

  /// Chooses all components so that no rival survives; `nil` if that is impossible or undecided.
  private mutating func settle(
    _ components: [Component], rivals: [Int], draft: PartialRequest, _ languages: inout LanguageInterner
  ) -> PartialRequest? {
    // For each chosen component, its position and the remaining options, best last.
    var trail: [(position: Position, options: [Option])] = []
    var failed: Set<Position> = []
    var current = Option(draft: draft, survivors: rivals)
    while trail.count < components.count || !current.survivors.isEmpty {
      let position = Position(chosen: trail.count, rivals: current.survivors)
      var options: [Option] = []
      if trail.count < components.count, !failed.contains(position) {
        options = sortedOptions(components[trail.count], current: current, &languages)
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

  /// Returns the options for a component, sorted so that the one with the fewest survivors is last.
  private mutating func sortedOptions(
    _ component: Component, current: Option, _ languages: inout LanguageInterner
  ) -> [Option] {
    budget -= 1 + current.survivors.count
    let options =
      budget > 0 ? options(component, rivals: current.survivors, draft: current.draft, &languages) : nil
    guard let options else {
      give(budget > 0 ? .largeTypes : .manyWays)
      return []
    }
    return options.indices.sorted {
      (options[$0].survivors.count, $0) > (options[$1].survivors.count, $1)
    }.map { options[$0] }
  }

  /// Returns the options for a component; `nil` if an automaton is too large or the budget is spent.
  private mutating func options(
    _ component: Component, rivals: [Int], draft: PartialRequest, _ languages: inout LanguageInterner
  ) -> [Option]? {
    switch component {
    case .user: userOptions(rivals, draft: draft, &languages)
    case .host: hostOptions(rivals, draft: draft, &languages)
    case .path: pathOptions(rivals, draft: draft, &languages)
    case .item(let key): itemOptions(key, rivals: rivals, draft: draft, &languages)
    case .fragment: fragmentOptions(rivals, draft: draft, &languages)
    case .context(let name): contextOptions(name, rivals: rivals, draft: draft, &languages)
    }
  }

  /// Returns the sequences of the rivals, each with its number.
  func sequences(
    _ rivals: [Int], _ sequence: (RequestSet) -> ComponentSequence
  ) -> [(number: Int, sequence: ComponentSequence)] {
    rivals.map { ($0, sequence(excluded[$0])) }
  }
}
