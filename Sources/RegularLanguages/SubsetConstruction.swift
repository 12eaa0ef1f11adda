// SPDX-License-Identifier: Apache-2.0
/// The powerset construction, which makes an automaton deterministic within limits of states and work.
struct SubsetConstruction {
  static let maximumStates = 8_192
  static let maximumWork = 4_000_000

  private let source: NondeterministicAutomaton
  private let classes: ScalarClasses
  private let members: [[Int]]
  private var numbers: [[Int32]: Int32] = [:]
  private var pending: [[Int32]] = []
  private var accepting = [false]
  private var marks: [Int]
  private var round = 0
  private var work = 0

  /// Returns the deterministic automaton of `source`.
  static func automaton(
    of source: NondeterministicAutomaton
  ) throws(NondeterministicAutomaton.TooLarge) -> DeterministicAutomaton {
    guard let (classes, members) = ScalarClasses.separating(source.sets) else {
      throw NondeterministicAutomaton.TooLarge()
    }
    var construction = SubsetConstruction(source: source, classes: classes, members: members)
    return try construction.run()
  }

  private init(source: NondeterministicAutomaton, classes: ScalarClasses, members: [[Int]]) {
    self.source = source
    self.classes = classes
    self.members = members
    marks = [Int](repeating: -1, count: source.states.count)
  }

  private mutating func run() throws(NondeterministicAutomaton.TooLarge) -> DeterministicAutomaton {
    let count = classes.count
    var table = [Int32](repeating: 0, count: count * 2)
    _ = try number(of: [Int32(source.start)])
    var index = 0
    while index < pending.count {
      var targets = [[Int32]](repeating: [], count: count)
      for state in pending[index] {
        let way = source.states[Int(state)]
        guard way.set >= 0 else { continue }
        for number in members[way.set] { targets[number].append(Int32(way.target)) }
      }
      work += count
      for number in 1..<max(count, 1) where !targets[number].isEmpty {
        table[(index + 1) * count + number] = try self.number(of: targets[number])
      }
      index += 1
      table += [Int32](repeating: 0, count: max(0, (index + 2) * count - table.count))
    }
    return DeterministicAutomaton(
      classes: classes, table: Array(table[..<(accepting.count * count)]), accepting: accepting)
  }

  /// Returns the number of the set of states that are reachable from `seeds` by empty transitions.
  private mutating func number(
    of seeds: [Int32]
  ) throws(NondeterministicAutomaton.TooLarge) -> Int32 {
    round += 1
    var closure: [Int32] = []
    var stack = seeds
    while let state = stack.popLast() {
      guard marks[Int(state)] != round else { continue }
      marks[Int(state)] = round
      work += 1
      closure.append(state)
      for next in source.states[Int(state)].free { stack.append(Int32(next)) }
    }
    // Only states with a transition over scalars and the end state distinguish two sets.
    closure = closure.filter { source.states[Int($0)].set >= 0 || Int($0) == source.end }.sorted()
    if let known = numbers[closure] { return known }
    guard accepting.count < Self.maximumStates, work < Self.maximumWork else {
      throw NondeterministicAutomaton.TooLarge()
    }
    let number = Int32(accepting.count)
    numbers[closure] = number
    pending.append(closure)
    accepting.append(closure.contains(Int32(source.end)))
    return number
  }
}
