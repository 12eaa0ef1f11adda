// SPDX-License-Identifier: Apache-2.0
/// A graph of precedence constraints between numbers.
struct PrecedenceGraph {
  enum Result {
    case order([Int])
    /// A cycle: each number must precede the next, and the last must precede the first.
    case circle([Int])
  }

  private var waitsFor: [Int]
  private var frees: [[Int]]

  init(count: Int) {
    waitsFor = [Int](repeating: 0, count: count)
    frees = [[Int]](repeating: [], count: count)
  }

  mutating func add(_ first: Int, before second: Int) {
    waitsFor[second] += 1
    frees[first].append(second)
  }

  /// Returns all numbers that must follow `number`.
  func followers(of number: Int) -> Set<Int> {
    var followers: Set<Int> = []
    var queue = frees[number]
    while let next = queue.popLast() {
      if followers.insert(next).inserted { queue += frees[next] }
    }
    return followers
  }

  /// Returns all numbers in ascending order as far as the constraints permit, or a cycle if there is no order.
  ///
  /// A number that must follow larger numbers is delayed, unless it is one of `hastened`, before which these numbers move.
  ///
  /// - Parameter hastened: numbers in ascending order.
  func sorted(hastening hastened: [Int] = []) -> Result {
    let turns = turns(hastening: hastened)
    var numbers = [Int](repeating: 0, count: turns.count)
    for (number, turn) in turns.enumerated() { numbers[turn] = number }
    var waitsFor = waitsFor
    var ready = IntegerHeap(numbers.indices.filter { waitsFor[numbers[$0]] == 0 })
    var result: [Int] = []
    while let turn = ready.popFirst() {
      let next = numbers[turn]
      result.append(next)
      for other in frees[next] {
        waitsFor[other] -= 1
        if waitsFor[other] == 0 { ready.insert(turns[other]) }
      }
    }
    return result.count == frees.count ? .order(result) : .circle(circle(among: waitsFor.map { $0 > 0 }))
  }

  /// Returns the position of each number in ascending order, in which what must precede a hastened number is next to it.
  private func turns(hastening hastened: [Int]) -> [Int] {
    guard !hastened.isEmpty else { return Array(frees.indices) }
    var predecessors = [[Int]](repeating: [], count: frees.count)
    for first in frees.indices { for second in frees[first] { predecessors[second].append(first) } }
    var keys = Array(frees.indices)
    for number in hastened {
      var queue = predecessors[number]
      while let next = queue.popLast() {
        guard keys[next] > number else { continue }
        keys[next] = number
        queue += predecessors[next]
      }
    }
    var turns = keys
    for (turn, number) in frees.indices.sorted(by: { (keys[$0], $0) < (keys[$1], $1) }).enumerated() {
      turns[number] = turn
    }
    return turns
  }

  /// Returns a cycle among the remaining numbers, each of which has a remaining predecessor.
  private func circle(among isLeft: [Bool]) -> [Int] {
    var before = [Int?](repeating: nil, count: frees.count)
    for first in frees.indices where isLeft[first] {
      for second in frees[first] where isLeft[second] && before[second] == nil { before[second] = first }
    }
    // Every remaining number has a remaining predecessor, so following predecessors reaches a number twice.
    var seen: Set<Int> = []
    var start = isLeft.firstIndex(of: true)
    while let place = start, seen.insert(place).inserted { start = before[place] }
    return start.map { shortestCircle(from: $0, isLeft) } ?? []
  }

  private func shortestCircle(from start: Int, _ isLeft: [Bool]) -> [Int] {
    var cameFrom: [Int: Int] = [:]
    var queue = [start]
    var index = 0
    while index < queue.count, cameFrom[start] == nil {
      for next in frees[queue[index]] where isLeft[next] && cameFrom[next] == nil {
        cameFrom[next] = queue[index]
        queue.append(next)
      }
      index += 1
    }
    var circle = [start]
    while let last = circle.last, let previous = cameFrom[last], previous != start { circle.append(previous) }
    return circle.reversed()
  }
}

/// A binary heap that returns the smallest of its integers first.
struct IntegerHeap {
  private var items: [Int]

  /// Creates a heap from integers in ascending order.
  init(_ sorted: [Int]) { items = sorted }

  mutating func insert(_ item: Int) {
    items.append(item)
    var index = items.count - 1
    while index > 0, items[(index - 1) / 2] > items[index] {
      items.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func popFirst() -> Int? {
    guard let first = items.first else { return nil }
    items.swapAt(0, items.count - 1)
    items.removeLast()
    var index = 0
    while true {
      let left = 2 * index + 1
      guard left < items.count else { return first }
      let child = left + 1 < items.count && items[left + 1] < items[left] ? left + 1 : left
      guard items[child] < items[index] else { return first }
      items.swapAt(child, index)
      index = child
    }
  }
}
