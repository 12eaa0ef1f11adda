/// Looks for a request that some classes take and others do not: exactly, or within a budget.
///
/// A request is outside a class as soon as one component is. So each component is chosen such that it leaves as few of the
/// others as can be, in every way that there is, until none is left.
struct RequestSearch {
  enum Outcome {
    case found(RouteRequest)
    /// There is no such request.
    case none
    /// The budget did not reach, or what the patterns mean is too large to compare.
    case undecided
  }

  /// A way to choose a component, and the others that are left with it.
  struct Option {
    var draft: RequestDraft
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
    let left: Int
    let rivals: [Int]
  }

  let included: [RequestClass]
  let excluded: [RequestClass]
  /// Steps that are left.
  var budget: Int
  /// Whether something could not be told.
  private var isUndecided = false
  private var failed: Set<Position> = []

  init(inside included: [RequestClass], outside excluded: [RequestClass] = [], budget: Int = 10_000) {
    self.included = included
    self.excluded = excluded
    self.budget = budget
  }

  /// Looks for a request in each of the first classes and in none of the others.
  mutating func run(_ languages: inout LanguageTable) -> Outcome {
    let schemes = Set(included.compactMap(\.scheme))
    guard schemes.count < 2 else { return .none }
    if mixesHosts { isUndecided = true }
    for form in forms {
      var draft = RequestDraft()
      draft.form = form
      draft.scheme = schemes.first
      let rivals = excluded.indices.filter { excluded[$0].admits(form, draft.scheme) }
      failed = []
      guard let found = settle(components(rivals, form)[...], rivals, draft, &languages) else { continue }
      guard !isTakenAsSegments(found, languages) else {
        isUndecided = true
        continue
      }
      return .found(found.request)
    }
    return isUndecided || readsPlusInTwoWays ? .undecided : .none
  }

  /// Looks for what a request for a URL that all of the classes take may say of itself, to be in each of the first and in none of
  /// the others.
  mutating func runForContext(_ languages: inout LanguageTable) -> Outcome {
    let names = conditionNames(of: included + excluded)[...]
    let found = settle(names, Array(excluded.indices), RequestDraft(), &languages)
    return found.map { .found($0.request) } ?? (isUndecided ? .undecided : .none)
  }

  /// The forms that all take; a bare path, where there is no scheme, is taken by the fewest others.
  private var forms: [RequestClass.Form] {
    guard let first = included.first else { return [] }
    let common = first.forms.filter { form in included.allSatisfy { $0.forms.contains(form) } }
    return common.contains(.bare) ? [.bare] : common
  }

  /// Whether one class sees a host where another sees a segment.
  private var mixesHosts: Bool {
    let openings = Set(included.map(\.opening))
    let others = Set(excluded.filter { [nil, included.first?.scheme].contains($0.scheme) }.map(\.opening))
    return openings.contains(.joinedPath)
      && (openings.contains(.host) || included.contains { $0.scheme == nil }
        || !others.isSubset(of: [.joinedPath]))
  }

  /// Whether the path of a class to which a host is a segment takes a URL with a host.
  private func isTakenAsSegments(_ draft: RequestDraft, _ languages: LanguageTable) -> Bool {
    guard draft.form == .host else { return false }
    let segments = draft.segmentsWithAuthority
    return excluded.contains { other in
      other.opening == .joinedPath && other.scheme == draft.scheme && other.path.takes(segments, languages)
    }
  }

  /// Whether `+` in a query is itself to one class and a space to another, and that matters: no request here has one.
  private var readsPlusInTwoWays: Bool {
    let all = included + excluded
    let (literal, other) = (all.filter(\.shape.hasLiteralPlus), all.filter { !$0.shape.hasLiteralPlus })
    guard !literal.isEmpty, !other.isEmpty else { return false }
    let tests = (literal.flatMap(\.shape.tests), other.flatMap(\.shape.tests))
    if (tests.0 + tests.1).contains(where: {
      $0.key.contains(UInt8(ascii: "+")) || $0.key.contains(UInt8(ascii: " "))
    }) {
      return true
    }
    let keys = Set(tests.0.filter { $0.kind.readsValue }.map(\.key))
    return tests.1.contains { $0.kind.readsValue && keys.contains($0.key) }
  }

  private func components(_ rivals: [Int], _ form: RequestClass.Form) -> [Component] {
    let all = included + rivals.map { excluded[$0] }
    var components: [Component] = [.path]
    if form == .host { components += [.user, .host] }
    for key in Set(all.flatMap { $0.shape.tests.map(\.key) }).sorted(by: { $0.lexicographicallyPrecedes($1) })
    {
      components.append(.item(key: key))
    }
    components.append(.fragment)
    return components + conditionNames(of: all)
  }

  private func conditionNames(of classes: [RequestClass]) -> [Component] {
    Set(classes.flatMap { $0.shape.conditions.map(\.name) }).sorted().map { .context(name: $0) }
  }

  /// Chooses the components that are left, so that none of the rivals is.
  private mutating func settle(
    _ components: ArraySlice<Component>, _ rivals: [Int], _ draft: RequestDraft,
    _ languages: inout LanguageTable
  ) -> RequestDraft? {
    guard let component = components.first else { return rivals.isEmpty ? draft : nil }
    let position = Position(left: components.count, rivals: rivals)
    guard !failed.contains(position) else { return nil }
    budget -= 1 + rivals.count
    guard budget > 0, let options = options(component, rivals, draft, &languages) else {
      isUndecided = true
      return nil
    }
    let order = options.indices.sorted {
      (options[$0].survivors.count, $0) < (options[$1].survivors.count, $1)
    }
    for option in order.map({ options[$0] }) {
      if let found = settle(components.dropFirst(), option.survivors, option.draft, &languages) {
        return found
      }
    }
    failed.insert(position)
    return nil
  }

  /// The ways to choose a component; `nil` where that is too large to tell.
  private mutating func options(
    _ component: Component, _ rivals: [Int], _ draft: RequestDraft, _ languages: inout LanguageTable
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
    _ rivals: [Int], _ sequence: (RequestClass) -> PlaceSequence
  ) -> [(number: Int, sequence: PlaceSequence)] {
    rivals.map { ($0, sequence(excluded[$0])) }
  }
}
