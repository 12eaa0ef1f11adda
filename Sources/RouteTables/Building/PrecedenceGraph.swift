// SPDX-License-Identifier: Apache-2.0
/// A graph of precedence constraints between numbers.
struct PrecedenceGraph {
  enum Result {
    case order([Int])
    /// The sets of numbers that must each precede all others of their set: one cycle, or several that have numbers in common.
    case circles([[Int]])
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

  /// Returns the numbers that a constraint places after `number`.
  func following(_ number: Int) -> [Int] { frees[number] }

  /// Returns all numbers that must follow `number`, and adds the number of constraints that lead to them to `steps`.
  func followers(of number: Int, steps: inout Int) -> Set<Int> {
    var followers: Set<Int> = []
    var queue = frees[number]
    while let next = queue.popLast() {
      steps += 1
      if followers.insert(next).inserted { queue += frees[next] }
    }
    return followers
  }

  /// Returns all numbers in ascending order as far as the constraints permit, or the cycles if there is no order.
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
    return result.count == frees.count ? .order(result) : .circles(circles(among: waitsFor.map { $0 > 0 }))
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

  /// Returns the strongly connected components of more than one number among the remaining numbers (Kosaraju's algorithm).
  private func circles(among isLeft: [Bool]) -> [[Int]] {
    var predecessors = [[Int]](repeating: [], count: frees.count)
    for first in frees.indices where isLeft[first] {
      for second in frees[first] where isLeft[second] { predecessors[second].append(first) }
    }
    var seen = isLeft.map { !$0 }
    var finished: [Int] = []
    for start in frees.indices where !seen[start] {
      seen[start] = true
      var stack = [(number: start, next: 0)]
      while let top = stack.last {
        if top.next < frees[top.number].count {
          stack[stack.count - 1].next += 1
          let next = frees[top.number][top.next]
          if !seen[next] {
            seen[next] = true
            stack.append((next, 0))
          }
        } else {
          finished.append(top.number)
          stack.removeLast()
        }
      }
    }
    var isTaken = isLeft.map { !$0 }
    var circles: [[Int]] = []
    for start in finished.reversed() where !isTaken[start] {
      var (circle, stack) = ([Int](), [start])
      isTaken[start] = true
      while let number = stack.popLast() {
        circle.append(number)
        for other in predecessors[number] where !isTaken[other] {
          isTaken[other] = true
          stack.append(other)
        }
      }
      if circle.count > 1 { circles.append(circle.sorted()) }
    }
    return circles.sorted { $0[0] < $1[0] }
  }

  /// Returns a shortest cycle through the smallest number of a strongly connected component.
  ///
  /// Each number must precede the next, and the last must precede the first.
  func shortestCircle(among circle: Set<Int>) -> [Int] {
    guard let start = circle.min() else { return [] }
    var cameFrom: [Int: Int] = [:]
    var queue = [start]
    var index = 0
    while index < queue.count, cameFrom[start] == nil {
      for next in frees[queue[index]] where circle.contains(next) && cameFrom[next] == nil {
        cameFrom[next] = queue[index]
        queue.append(next)
      }
      index += 1
    }
    var steps = [start]
    while let last = steps.last, let previous = cameFrom[last], previous != start { steps.append(previous) }
    return steps.reversed()
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
