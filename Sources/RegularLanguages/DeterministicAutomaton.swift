// SPDX-License-Identifier: Apache-2.0
/// A minimal deterministic automaton over classes of scalars, with canonical numbering of its states.
///
/// Two automata are equal exactly if their languages are equal.
package struct DeterministicAutomaton: Hashable, Sendable {
  package let classes: ScalarClasses
  /// The transition table: the target of `state` over class `c` is at `state * classes.count + c`.
  ///
  /// State 0 is the dead state, from which no accepting state is reachable; state 1 is the initial state.
  package let transitions: [UInt16]
  package let isAccepting: [Bool]

  package var stateCount: Int { isAccepting.count }

  package func next(_ state: Int, _ number: Int) -> Int { Int(transitions[state * classes.count + number]) }

  /// The state from which every text is accepted; 0 if there is none.
  package var accepted: Int {
    guard classes.takeAll else { return 0 }
    return isAccepting.indices.first { state in
      isAccepting[state] && (1..<classes.count).allSatisfy { next(state, $0) == state }
    } ?? 0
  }

  /// Returns the live targets of a state, each with the scalars that lead to it, in ascending order.
  package func ways(from state: Int) -> [(target: Int, set: ScalarSet)] {
    var ranges: [Int: [ClosedRange<UInt32>]] = [:]
    for run in classes.runs {
      ranges[next(state, Int(run.number)), default: []].append(run.range)
    }
    return ranges.filter { $0.key != 0 }.sorted { $0.key < $1.key }.map { ($0.key, ScalarSet($0.value)) }
  }

  /// Creates the minimal automaton of a transition table whose state 0 is dead and whose state 1 is initial.
  package init(classes: ScalarClasses, table: [Int32], accepting: [Bool]) {
    let count = classes.count
    let blocks = Minimization.blocks(transitions: table, classes: count, accepting: accepting)
    var representative: [Int: Int] = [:]
    for (state, block) in blocks.enumerated().reversed() { representative[block] = state }
    func target(_ state: Int, _ number: Int) -> Int { blocks[Int(table[state * count + number])] }

    // Classes with equal transitions from every state are merged into one, which is represented by its first scalar.
    let live = representative.sorted { $0.value < $1.value }
    var columns: [[Int]: UInt16] = [live.map { _ in blocks[0] }: 0]
    var merged: [Int: UInt16] = [0: 0]
    var originals = [0]
    for run in classes.runs where merged[Int(run.number)] == nil {
      let column = live.map { target($0.value, Int(run.number)) }
      let known = columns[column]
      merged[Int(run.number)] = known ?? UInt16(originals.count)
      guard known == nil else { continue }
      columns[column] = UInt16(originals.count)
      originals.append(Int(run.number))
    }
    self.classes = ScalarClasses(runs: classes.runs.map { ($0.range, merged[Int($0.number)] ?? 0) })

    // States are numbered breadth first, so that the numbering is canonical. The dead state remains 0 and the initial state 1,
    // even if both are dead.
    var numbers = [blocks[0]: 0]
    var order = [blocks[1]]
    if blocks[1] != blocks[0] { numbers[blocks[1]] = 1 }
    var transitions = [UInt16](repeating: 0, count: originals.count * 2)
    var isAccepting = [false]
    var index = 0
    while index < order.count {
      let state = representative[order[index]] ?? 0
      isAccepting.append(accepting[state])
      if transitions.count < (index + 2) * originals.count {
        transitions += [UInt16](repeating: 0, count: originals.count)
      }
      for (number, original) in originals.enumerated().dropFirst() {
        let block = target(state, original)
        let known = numbers[block]
        let next = known ?? order.count + 1
        if known == nil {
          numbers[block] = next
          order.append(block)
        }
        transitions[(index + 1) * originals.count + number] = UInt16(truncatingIfNeeded: next)
      }
      index += 1
    }
    self.transitions = transitions
    self.isAccepting = isAccepting
  }
}
