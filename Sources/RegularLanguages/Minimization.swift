// SPDX-License-Identifier: Apache-2.0
/// The partition of a complete automaton's states into equivalent blocks, by Hopcroft's algorithm.
enum Minimization {
  /// Returns the number of each state's block; states of one block accept the same texts.
  static func blocks(transitions: [Int32], classes: Int, accepting: [Bool]) -> [Int] {
    let count = accepting.count
    let inverse = Inverse(transitions: transitions, classes: classes, states: count)
    var blocks = [(0..<count).filter { accepting[$0] }, (0..<count).filter { !accepting[$0] }]
      .filter { !$0.isEmpty }
    var blockOf = [Int](repeating: 0, count: count)
    for (number, block) in blocks.enumerated() { for state in block { blockOf[state] = number } }
    var waiting: [(block: Int, number: Int)] = []
    var isWaiting: [Bool] = []
    for block in blocks.indices {
      for number in 0..<classes { waiting.append((block, number)) }
      isWaiting += [Bool](repeating: true, count: classes)
    }
    var isHit = [Bool](repeating: false, count: count)
    while let (splitter, number) = waiting.popLast() {
      isWaiting[splitter * classes + number] = false
      var hits: [Int: [Int]] = [:]
      for state in blocks[splitter] {
        inverse.forEach(to: state, over: number) { hits[blockOf[$0], default: []].append($0) }
      }
      for (block, states) in hits where states.count < blocks[block].count {
        for state in states { isHit[state] = true }
        blocks[block].removeAll { isHit[$0] }
        let new = blocks.count
        for state in states {
          isHit[state] = false
          blockOf[state] = new
        }
        blocks.append(states)
        isWaiting += [Bool](repeating: false, count: classes)
        for other in 0..<classes {
          let isOldWaiting = isWaiting[block * classes + other]
          let chosen = isOldWaiting || states.count <= blocks[block].count ? new : block
          isWaiting[chosen * classes + other] = true
          waiting.append((chosen, other))
        }
      }
    }
    return blockOf
  }

  /// The inverse of the transition table: the source states of each target and class.
  private struct Inverse {
    private var starts: [Int]
    private var sources: [Int32]
    private let classes: Int

    init(transitions: [Int32], classes: Int, states: Int) {
      self.classes = classes
      starts = [Int](repeating: 0, count: states * classes + 1)
      sources = [Int32](repeating: 0, count: transitions.count)
      for (index, target) in transitions.enumerated() {
        starts[Int(target) * classes + index % classes + 1] += 1
      }
      for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
      var filled = starts
      for (index, target) in transitions.enumerated() {
        let place = Int(target) * classes + index % classes
        sources[filled[place]] = Int32(index / classes)
        filled[place] += 1
      }
    }

    func forEach(to state: Int, over number: Int, _ body: (Int) -> Void) {
      let place = state * classes + number
      for index in starts[place]..<starts[place + 1] { body(Int(sources[index])) }
    }
  }
}
