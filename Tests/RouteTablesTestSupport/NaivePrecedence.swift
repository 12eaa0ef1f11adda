// SPDX-License-Identifier: Apache-2.0
/// The precedence of two variants by the definition: at the first difference, the narrower one precedes.
///
/// It caches the texts of the universe that a component accepts, because these are needed repeatedly.
final class NaivePrecedence {
  private var known: [String: Set<Int>] = [:]
  private var relations: [String: Order] = [:]

  enum Order {
    case first
    case second
    case equal
    /// Neither is narrower there, and the definition does not decide.
    case open

    var reversed: Order {
      switch self {
      case .first: .second
      case .second: .first
      case .equal, .open: self
      }
    }
  }

  /// The matcher of one component, with its continuation.
  enum Step {
    case text(pieces: [NaivePattern.Piece], folds: Bool, mayBeEmpty: Bool)
    case rest(NaiveType, isHost: Bool)
    case anyHost
    case anchor(NaiveType, length: Int)
    case end
    case number(Int)
    /// The numbers of literal, restricted and all segments after a catch-all; more precede fewer.
    case segments([Int])

    /// The matcher as text, for the cache.
    var key: String {
      switch self {
      case .text(let pieces, let folds, let mayBeEmpty):
        let text = pieces.map { piece in
          switch piece {
          case .text(let text): "t\(text)"
          case .choice(let texts): "c\(texts)"
          case .hole(_, let type): "{\(type.text)}"
          }
        }
        return "\(text) \(folds) \(mayBeEmpty)"
      case .rest(let type, let isHost): return "rest \(type.text) \(isHost)"
      case .anchor(let type, _): return "anchor \(type.text)"
      case .end, .number, .anyHost, .segments: return "none"
      }
    }
  }

  func compare(_ one: NaiveShape, _ other: NaiveShape) -> Order {
    for (step, otherStep) in zip(Self.steps(one), Self.steps(other)) {
      let order = compare(step, otherStep)
      if order != .equal { return order }
    }
    return compareQuery(one.pattern, other.pattern)
  }

  /// Returns the component of the first difference, up to the path; `nil` if the variants are equal so far.
  private static func isLiteral(_ pieces: [NaivePattern.Piece]) -> Bool {
    var texts = [""]
    for piece in pieces {
      switch piece {
      case .text(let text): texts = texts.map { $0 + text }
      case .choice(let alternatives): texts = texts.flatMap { text in alternatives.map { text + $0 } }
      case .hole: return false
      }
    }
    return Set(texts.map(\.lowercasedASCII)).count == 1
  }

  /// Counts the segments of a path after its first catch-all.
  private static func segments(_ path: ArraySlice<NaivePattern.ComponentMatcher>) -> Step {
    var counts = [0, 0, path.count]
    for place in path {
      switch place {
      case .one(let pieces) where isLiteral(pieces):
        counts[0] += 1
        counts[1] += 1
      case .one(let pieces):
        if pieces.count == 1, case .hole(_, let type) = pieces[0], type.text.isEmpty { continue }
        counts[1] += 1
      case .rest(_, let type, _): counts[1] += type.text.isEmpty ? 0 : 1
      case .optional: break
      }
    }
    return .segments(counts)
  }

  func differingComponent(_ one: NaiveShape, _ other: NaiveShape) -> String? {
    let steps = (Self.steps(one), Self.steps(other))
    guard
      let index = zip(steps.0, steps.1).enumerated().first(where: { compare($1.0, $1.1) != .equal })?.offset
    else { return nil }
    let pattern = one.pattern
    guard index > 1, pattern.scheme != nil, pattern.hasHost else { return index > 1 ? "path" : "scheme" }
    let end = 2 + one.labels.count + (one.leastLabels == nil ? 0 : 1)
    if index <= end { return "host" }
    if index == end + 1 { return "port" }
    return index == end + 2 && pattern.user != nil ? "user" : "path"
  }

  private static func steps(_ shape: NaiveShape) -> [Step] {
    let pattern = shape.pattern
    var steps: [Step] = []
    if let scheme = pattern.scheme {
      steps.append(.text(pieces: [.text(scheme)], folds: false, mayBeEmpty: false))
      steps.append(.number(pattern.isJoined ? 4 : pattern.hasHost ? 1 : pattern.isRooted ? 2 : 3))
      if pattern.hasHost {
        for label in shape.labels.reversed() {
          switch label {
          case .one(let pieces): steps.append(.text(pieces: pieces, folds: false, mayBeEmpty: false))
          case .rest(_, let type, _): steps.append(.rest(type, isHost: true))
          case .optional: break
          }
        }
        if let least = shape.leastLabels {
          steps.append(least == 0 ? .anyHost : .rest(NaiveType.all[0], isHost: false))
        }
        steps.append(.end)
        switch pattern.port {
        case .any: steps.append(.number(100_000))
        case .number(let port):
          steps.append(.number(port == nil || (port == 443 && scheme == "https") ? -1 : port ?? 0))
        }
        if let user = pattern.user { steps.append(.text(pieces: user, folds: false, mayBeEmpty: false)) }
      }
    } else {
      steps.append(.anyHost)
      steps.append(.number(pattern.isRooted ? 2 : 3))
    }
    return steps + path(shape)
  }

  private static func path(_ shape: NaiveShape) -> [Step] {
    func step(_ place: NaivePattern.ComponentMatcher) -> Step {
      if case .one(let pieces) = place {
        return .text(pieces: pieces, folds: shape.pattern.ignoresCase, mayBeEmpty: false)
      }
      return .end
    }
    func rest(_ place: NaivePattern.ComponentMatcher) -> NaiveType? {
      if case .rest(_, let type, _) = place { type } else { nil }
    }
    let places = shape.segments
    let rests = places.indices.filter { rest(places[$0]) != nil }
    guard let first = rests.first, let last = rests.last, let type = rest(places[first]),
      let second = rest(places[last])
    else { return places.map(step) + [.end] }
    var steps = places[..<first].map(step) + [.rest(type, isHost: false), segments(places[(first + 1)...])]
    steps += places[(last + 1)...].reversed().map(step)
    guard last > first else { return steps + [.end] }
    let anchor = places[(first + 1)..<last]
    return steps + [.anchor(second, length: anchor.count)] + anchor.map(step)
  }

  private func compare(_ one: Step, _ other: Step) -> Order {
    switch (one, other) {
    case (.segments(let own), .segments(let others)):
      return own == others ? .equal : others.lexicographicallyPrecedes(own) ? .first : .second
    case (.segments, _), (_, .segments): return .open
    case (.number(let own), .number(let others)):
      return own == others ? .equal : own < others ? .first : .second
    case (.end, .end), (.anyHost, .anyHost): return .equal
    case (.end, .anyHost): return .first
    case (.anyHost, .end): return .second
    case (.end, _), (.anyHost, _): return .second
    case (_, .end), (_, .anyHost): return .first
    case (.number, _), (_, .number): return .open
    case (.text, .rest), (.text, .anchor):
      // For equal types, the following components can make the catch-all the narrower one.
      let order = relation(one, other)
      return order == .equal ? .open : order
    case (.rest, .text), (.anchor, .text): return compare(other, one).reversed
    case (.anchor, .rest):
      let order = relation(one, other)
      return order == .equal ? .first : order
    case (.rest, .anchor): return compare(other, one).reversed
    case (.anchor(_, let length), .anchor(_, let others)):
      let order = relation(one, other)
      return order != .equal ? order : length == others ? .equal : length > others ? .first : .second
    default: return relation(one, other)
    }
  }

  /// Returns the relation of the two matchers of one text.
  private func relation(_ one: Step, _ other: Step) -> Order {
    let key = "\(one.key) \(other.key)"
    if let relation = relations[key] { return relation }
    let (own, others) = (members(one), members(other))
    let relation: Order =
      own == others ? .equal : own.isSubset(of: others) ? .first : others.isSubset(of: own) ? .second : .open
    relations[key] = relation
    return relation
  }

  private func members(_ step: Step) -> Set<Int> {
    if let members = known[step.key] { return members }
    let members = Set(
      NaiveType.universe.indices.filter { index in
        let text = NaiveType.universe[index]
        switch step {
        case .text(let pieces, let folds, let mayBeEmpty):
          return NaiveReader.takes(pieces, text, folds: folds, mayBeEmpty: mayBeEmpty)
        case .rest(let type, let isHost): return type.matches(text) && !(isHost && text.isEmpty)
        case .anchor(let type, _): return type.matches(text)
        case .end, .number, .anyHost, .segments: return false
        }
      })
    known[step.key] = members
    return members
  }

  private func compareQuery(_ one: NaivePattern, _ other: NaivePattern) -> Order {
    let (own, others) = (Self.required(one), Self.required(other))
    func present(_ items: [(key: String, test: NaivePattern.Test)]) -> Int {
      items.count { if case .absent = $0.test { false } else { true } }
    }
    guard present(own) == present(others) else { return present(own) > present(others) ? .first : .second }
    guard own.count == others.count else { return own.count > others.count ? .first : .second }
    let keys = (own.map { Array($0.key.utf8) }, others.map { Array($0.key.utf8) })
    for (key, otherKey) in zip(keys.0, keys.1) where key != otherKey {
      return key.lexicographicallyPrecedes(otherKey) ? .first : .second
    }
    for (item, otherItem) in zip(own, others) {
      let order = compare(item.test, otherItem.test)
      if order != .equal { return order }
    }
    switch (Self.fragment(one), Self.fragment(other)) {
    case (nil, nil): break
    case (nil, _?): return .second
    case (_?, nil): return .first
    case (let test?, let otherTest?):
      let order = compare(test, otherTest)
      if order != .equal { return order }
    }
    let excluded = (Set(one.excluded), Set(other.excluded))
    if excluded.0.isStrictSuperset(of: excluded.1) { return .first }
    return excluded.1.isStrictSuperset(of: excluded.0) ? .second : .open
  }

  private static func fragment(_ pattern: NaivePattern) -> NaivePattern.Test? {
    if case .value? = pattern.fragment { pattern.fragment } else { nil }
  }

  private static func required(_ pattern: NaivePattern) -> [(key: String, test: NaivePattern.Test)] {
    pattern.query.filter { item in
      switch item.test {
      case .present, .absent, .value: true
      case .list(_, _, let isOptional): !isOptional
      case .optional: false
      }
    }.sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }
  }

  private func compare(_ one: NaivePattern.Test, _ other: NaivePattern.Test) -> Order {
    func members(_ test: NaivePattern.Test) -> (own: Set<Int>, isEach: Bool) {
      let all = self.members(.anchor(NaiveType.all[0], length: 0))
      switch test {
      case .present: return (all, false)
      case .absent, .optional: return ([], false)
      case .list(_, let type, _):
        let own = self.members(.anchor(type, length: 0))
        return (own, own.count < all.count)
      case .value(let pieces):
        return (self.members(.text(pieces: pieces, folds: false, mayBeEmpty: true)), false)
      }
    }
    let (own, others) = (members(one), members(other))
    if case .absent = one {
      guard case .absent = other else { return .open }
      return .equal
    }
    if case .absent = other { return .open }
    if own.own == others.own, own.isEach == others.isEach { return .equal }
    if own.own.isSubset(of: others.own), own.isEach || !others.isEach { return .first }
    if others.own.isSubset(of: own.own), others.isEach || !own.isEach { return .second }
    return .open
  }
}

extension NaiveReader {
  /// Returns `true` if the pieces match the whole text.
  static func takes(_ pieces: [NaivePattern.Piece], _ text: String, folds: Bool, mayBeEmpty: Bool) -> Bool {
    var pattern = NaivePattern()
    pattern.segments = []
    var reader = NaiveReader(
      url: NaiveURL(), shape: NaiveShape(pattern: pattern, labels: [], leastLabels: nil, segments: []))
    return reader.read(pieces[...], text, folds: folds, mayBeEmpty: mayBeEmpty)
  }
}
