// SPDX-License-Identifier: Apache-2.0
/// The product of two deterministic automata, for set operations and comparisons of their languages.
struct ProductAutomaton {
  private struct Step {
    let first: Int
    let second: Int
    let sample: UInt32
    let number: Int
  }

  /// The maximum number of transitions before minimization, which no language exceeds by one more state.
  private static let maximumTable = 2 * SubsetConstruction.maximumWork

  private let first: DeterministicAutomaton
  private let second: DeterministicAutomaton
  /// The pairs of classes that have a common scalar, each with the most readable such scalar, sorted by readability.
  private var steps: [Step] = []
  private var classes: ScalarClasses
  private(set) var isInBoth = false
  private(set) var isInFirst = false
  private(set) var isInSecond = false

  init(_ first: DeterministicAutomaton, _ second: DeterministicAutomaton) {
    self.first = first
    self.second = second
    var bounds: Set<UInt32> = []
    for run in first.classes.runs + second.classes.runs {
      bounds.formUnion([run.range.lowerBound, run.range.upperBound + 1])
    }
    let points = bounds.sorted()
    var numbers: [UInt32: Int] = [:]
    var samples: [UInt32] = [0]
    var pairs = [(0, 0)]
    var runs: [(range: ClosedRange<UInt32>, number: UInt16)] = []
    for (low, end) in zip(points, points.dropFirst()) {
      let pair = (first.classes.number(of: low), second.classes.number(of: low))
      guard pair != (0, 0) else { continue }
      let key = UInt32(pair.0) << 16 | UInt32(pair.1)
      let number = numbers[key] ?? pairs.count
      let sample = Self.sample(low...end - 1)
      if number == pairs.count {
        numbers[key] = number
        pairs.append(pair)
        samples.append(sample)
      } else if Self.rank(sample) < Self.rank(samples[number]) {
        samples[number] = sample
      }
      runs.append((low...end - 1, UInt16(truncatingIfNeeded: number)))
    }
    classes = ScalarClasses(runs: runs)
    for (number, pair) in pairs.enumerated().dropFirst() {
      steps.append(Step(first: pair.0, second: pair.1, sample: samples[number], number: number))
    }
    steps.sort { (Self.rank($0.sample), $0.sample) < (Self.rank($1.sample), $1.sample) }
  }

  /// Determines which of the three kinds of texts exist, and stops as soon as all of them are found.
  mutating func explore() {
    var seen: Set<Int> = []
    var stack = [(1, 1)]
    while let (one, other) = stack.popLast(), !(isInBoth && isInFirst && isInSecond) {
      // Every state except the dead one leads to a text, apart from the initial state of the empty language.
      if other == 0 || one == 0 {
        if one != 0, first.hasText { isInFirst = true }
        if other != 0, second.hasText { isInSecond = true }
        continue
      }
      guard seen.insert(one * second.stateCount + other).inserted else { continue }
      switch (first.isAccepting[one], second.isAccepting[other]) {
      case (true, true): isInBoth = true
      case (true, false): isInFirst = true
      case (false, true): isInSecond = true
      case (false, false): break
      }
      for step in steps { stack.append((first.next(one, step.first), second.next(other, step.second))) }
    }
  }

  /// Returns the shortest text for which `accepts` is true of the two automata's results, or `nil` if there is none.
  mutating func shortestText(where accepts: (Bool, Bool) -> Bool) -> String? {
    var trail: [(pair: Int, from: Int, scalar: UInt32)] = [(second.stateCount + 1, -1, 0)]
    var seen: Set<Int> = [trail[0].pair]
    var index = 0
    while index < trail.count {
      let (one, other) = trail[index].pair.quotientAndRemainder(dividingBy: second.stateCount)
      if accepts(first.isAccepting[one], second.isAccepting[other]) { break }
      for step in steps {
        let pair = first.next(one, step.first) * second.stateCount + second.next(other, step.second)
        if seen.insert(pair).inserted { trail.append((pair, index, step.sample)) }
      }
      index += 1
    }
    guard index < trail.count else { return nil }
    var scalars: [Unicode.Scalar] = []
    while trail[index].from >= 0 {
      if let scalar = Unicode.Scalar(trail[index].scalar) { scalars.append(scalar) }
      index = trail[index].from
    }
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars.reversed())
    return text
  }

  /// Returns the automaton of the texts for which `accepts` is true of the two results; `nil` if it is too large.
  mutating func automaton(where accepts: (Bool, Bool) -> Bool) -> DeterministicAutomaton? {
    let count = steps.count + 1
    // The numbers of `classes` have 16 bits, and two languages that satisfy this limit can exceed it together.
    guard count <= Int(UInt16.max) else { return nil }
    var pairs = [(0, 0), (1, 1)]
    var numbers = [0: 0, second.stateCount + 1: 1]
    var table = [Int32](repeating: 0, count: count)
    var accepting = [false]
    var index = 1
    while index < pairs.count {
      guard pairs.count <= SubsetConstruction.maximumStates, table.count <= Self.maximumTable else {
        return nil
      }
      let (one, other) = pairs[index]
      accepting.append(accepts(first.isAccepting[one], second.isAccepting[other]))
      table += [Int32](repeating: 0, count: count)
      for step in steps {
        let pair = (first.next(one, step.first), second.next(other, step.second))
        let key = pair.0 * second.stateCount + pair.1
        let number = numbers[key] ?? pairs.count
        if number == pairs.count {
          numbers[key] = number
          pairs.append(pair)
        }
        table[index * count + step.number] = Int32(number)
      }
      index += 1
    }
    return DeterministicAutomaton(classes: classes, table: table, accepting: accepting)
  }

  /// Returns the most readable scalar of a range.
  private static func sample(_ range: ClosedRange<UInt32>) -> UInt32 {
    for favorite in "xaA70".unicodeScalars where range.contains(favorite.value) { return favorite.value }
    for part in [0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x21...0x7E] as [ClosedRange<UInt32>]
    where range.overlaps(part) {
      return range.clamped(to: part).lowerBound
    }
    return range.lowerBound
  }

  private static func rank(_ scalar: UInt32) -> Int {
    switch scalar {
    case 0x78: 0
    case 0x61...0x7A: 1
    case 0x41...0x5A: 2
    case 0x30...0x39: 3
    case 0x2D, 0x5F, 0x7E: 4
    case 0x21...0x7E: 5
    default: 6
    }
  }
}

extension DeterministicAutomaton {
  fileprivate var hasText: Bool { stateCount > 2 || isAccepting[1] }
}
