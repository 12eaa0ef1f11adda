// SPDX-License-Identifier: Apache-2.0
/// A nondeterministic automaton of a regular expression, built by Thompson's construction within a limit of states.
struct NondeterministicAutomaton {
  static let maximumStates = 16_384

  /// A state with at most one transition over a set of scalars, and any number of empty transitions.
  struct State {
    var set = -1
    var target = 0
    var free: [Int] = []
  }

  private(set) var states: [State] = []
  private(set) var sets: [ScalarSet] = []
  private var numbers: [ScalarSet: Int] = [:]
  private(set) var start = 0
  private(set) var end = 0
  private var steps = 0

  /// An error for an expression that exceeds the limit of states or steps.
  struct TooLarge: Error {}

  init(_ expression: RegularExpression) throws(TooLarge) {
    start = try append()
    end = try add(expression, from: start)
  }

  private mutating func append() throws(TooLarge) -> Int {
    guard states.count < Self.maximumStates else { throw TooLarge() }
    states.append(State())
    return states.count - 1
  }

  private mutating func add(_ set: ScalarSet, from state: Int, to target: Int) {
    let number = numbers[set] ?? sets.count
    if number == sets.count {
      numbers[set] = number
      sets.append(set)
    }
    states[state].set = number
    states[state].target = target
  }

  /// Adds the expression after `state` and returns its end state; neither of the two has outgoing transitions yet.
  private mutating func add(_ expression: RegularExpression, from state: Int) throws(TooLarge) -> Int {
    steps += 1
    // An empty expression adds no state but may be repeated many times, so steps are limited too.
    guard steps <= 8 * Self.maximumStates else { throw TooLarge() }
    switch expression {
    case .set(let set):
      let end = try append()
      add(set, from: state, to: end)
      return end
    case .sequence(let parts):
      var end = state
      for part in parts { end = try add(part, from: end) }
      return end
    case .choice(let choices):
      let end = try append()
      for choice in choices {
        let begin = try append()
        states[state].free.append(begin)
        states[try add(choice, from: begin)].free.append(end)
      }
      return end
    case .repetition(let inner, let min, let max):
      var end = state
      for _ in 0..<min { end = try add(inner, from: end) }
      guard let max else { return try addLoop(inner, from: end) }
      // Each optional copy has an empty transition directly to the end, because that keeps the closures small.
      let last = try append()
      for _ in 0..<max - min {
        let begin = try append()
        states[end].free += [begin, last]
        end = try add(inner, from: begin)
      }
      states[end].free.append(last)
      return last
    case .language(let language): return try add(language, from: state)
    }
  }

  private mutating func addLoop(_ inner: RegularExpression, from state: Int) throws(TooLarge) -> Int {
    let (begin, end) = (try append(), try append())
    states[state].free += [begin, end]
    states[try add(inner, from: begin)].free += [begin, end]
    return end
  }

  private mutating func add(_ language: RegularLanguage, from state: Int) throws(TooLarge) -> Int {
    let automaton = language.automaton
    var copies = [state]  // the dead state, number 0, has no copy of its own
    for _ in 1..<automaton.stateCount { copies.append(try append()) }
    states[state].free.append(copies[1])
    let end = try append()
    for from in 1..<automaton.stateCount {
      if automaton.isAccepting[from] { states[copies[from]].free.append(end) }
      for (target, set) in automaton.ways(from: from) {
        let step = try append()
        states[copies[from]].free.append(step)
        add(set, from: step, to: copies[target])
      }
    }
    return end
  }
}
