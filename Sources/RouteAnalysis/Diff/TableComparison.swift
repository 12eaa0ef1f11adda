// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// A search for requests that variants of two tables win and whose actions differ.
struct TableComparison {
  /// A merged variant that wins in the old table, and one that wins in the new table; `nil` if none does.
  private struct Pair: Hashable {
    /// The number of the merged variant.
    let old: Int?
    let new: Int?
  }

  /// A function that returns whether two routes have the same effect, given the positions of their captures.
  typealias Same = (_ old: Int, CaptureOffsets, _ new: Int, CaptureOffsets) -> Bool

  /// The maximum number of pairs of variants for which a witness is searched.
  private static let searches = 50_000

  private let old: PrecedenceOracle
  private let new: PrecedenceOracle
  private let union: MergedTables
  private let limit: Int
  private var languages: LanguageInterner
  private var searches = Self.searches
  private var found: Set<RouteDiff.Sides> = []
  private var open: [RouteDiff.Sides: UndecidedReason] = [:]
  private(set) var diff = RouteDiff()

  init(_ old: PrecedenceOracle, _ new: PrecedenceOracle, limit: Int) {
    (self.old, self.new, self.limit) = (old, new, limit)
    union = MergedTables(old, new)
    languages = union.tree.languages
  }

  /// Indicates whether a limit has been reached.
  private var isFull: Bool { diff.changes.count >= limit || searches <= 0 }

  mutating func run(_ isSame: Same) {
    var wanted = [Bool](repeating: union.isReordered, count: union.classes.count)
    for number in union.classes.indices where !isUnchanged(number, isSame) {
      wanted[number] = true
      compare(number, number, isSame: isSame)
      lookAtAlone(number)
    }
    // Pairs of unchanged variants are skipped if both tables order them equally, because the winner of one table then also wins
    // in the other.
    var join = OverlapJoin(union.tree, wanted: wanted)
    let isJoined = join.run { one, other in
      compare(one, other, isSame: isSame)
      compare(other, one, isSame: isSame)
      return !isFull
    }
    if !isJoined { diff.limits.append(.joins(OverlapJoin.limit)) }
    if diff.changes.count >= limit { diff.limits.append(.reported(limit)) }
    if searches <= 0 { diff.limits.append(.comparisons(Self.searches)) }
    diff.undecided = open.filter { !found.contains($0.key) }.sorted { $0.key < $1.key }.map {
      RouteDiff.Undecided(sides: $0, reason: $1)
    }
    diff.changes.sort { $0.sides < $1.sides }
  }

  /// Returns whether both tables contain a merged variant with the same effect.
  private func isUnchanged(_ number: Int, _ isSame: Same) -> Bool {
    guard let place = union.old.places[number], let newPlace = union.new.places[number] else { return false }
    return haveSameEffect(old.shapes.order[place], new.shapes.order[newPlace], isSame: isSame)
  }

  /// Returns whether a variant of the old table and one of the new table have the same effect.
  private func haveSameEffect(_ oldShape: Int, _ newShape: Int, isSame: Same) -> Bool {
    isSame(
      old.shapes.tree.shapes[oldShape].route, old.places(of: oldShape),
      new.shapes.tree.shapes[newShape].route,
      new.places(of: newShape))
  }

  /// Searches for requests that `first` wins in the old table and `second` in the new table.
  private mutating func compare(_ first: Int, _ second: Int, isSame: Same) {
    guard !isFull, let place = union.old.places[first], let newPlace = union.new.places[second] else {
      return
    }
    // A variant that also exists in the other table, before the winner there, would win there instead.
    if let rival = union.old.places[second], rival < place { return }
    if let rival = union.new.places[first], rival < newPlace { return }
    let (one, other) = (old.shapes.order[place], new.shapes.order[newPlace])
    guard !haveSameEffect(one, other, isSame: isSame) else { return }
    look(Pair(old: first, new: second), RouteDiff.Sides(old.claim(of: one), new.claim(of: other)))
  }

  /// Searches for requests that a variant of only one table wins while no route matches in the other table.
  private mutating func lookAtAlone(_ number: Int) {
    guard !isFull else { return }
    switch (union.old.places[number], union.new.places[number]) {
    case (let place?, nil):
      look(Pair(old: number, new: nil), RouteDiff.Sides(old.claim(of: old.shapes.order[place]), nil))
    case (nil, let place?):
      look(Pair(old: nil, new: number), RouteDiff.Sides(nil, new.claim(of: new.shapes.order[place])))
    default: break
    }
  }

  /// Searches for a request with these winners.
  private mutating func look(_ pair: Pair, _ sides: RouteDiff.Sides) {
    guard !found.contains(sides) else { return }
    searches -= 1
    let classes = Set([pair.old, pair.new].compactMap(\.self)).sorted().map { union.classes[$0] }
    var isStrange = false
    var search = CounterexampleSearch()
    let outcome = search.run(inside: classes, &languages) { request, _ in
      let winners = Pair(
        old: old.winner(of: request).map { union.old.numbers[$0] },
        new: new.winner(of: request).map { union.new.numbers[$0] })
      guard winners != pair else { return nil }
      guard let other = winners.old == pair.old ? winners.new : winners.old else {
        // The variant matches the request as far as the analysis can decide, but no route wins it.
        isStrange = true
        return nil
      }
      return (other, union.classes[other])
    }
    switch outcome {
    case .none: break
    case .undecided(let reason): open[sides] = reason
    case .found where isStrange: open[sides] = .strangeWinner
    case .found(let draft):
      found.insert(sides)
      diff.changes.append(RouteDiff.Change(sides: sides, witness: draft.request))
    }
  }
}

extension PrecedenceOracle {
  fileprivate func places(of shape: Int) -> CaptureOffsets {
    CaptureOffsets(pattern(of: shape), shapes.tree.shapes[shape].shape)
  }

  fileprivate func claim(of shape: Int) -> (side: RouteConflict.Side, route: Int) {
    (side(of: shape), shapes.tree.shapes[shape].route)
  }
}

extension RouteDiff.Sides {
  fileprivate init(
    _ old: (side: RouteConflict.Side, route: Int)?, _ new: (side: RouteConflict.Side, route: Int)?
  ) {
    self.init(old: old?.side, new: new?.side, oldRouteIndex: old?.route, newRouteIndex: new?.route)
  }

  /// Returns whether the first precedes the second, by the location of the new route, or of the old route if the new table lacks it.
  fileprivate static func < (one: RouteDiff.Sides, other: RouteDiff.Sides) -> Bool {
    guard one.key == other.key else { return one.key < other.key }
    return one.description < other.description
  }

  private var key: SourceLocation { (new ?? old)?.location ?? SourceLocation(file: "", line: 0) }
}
