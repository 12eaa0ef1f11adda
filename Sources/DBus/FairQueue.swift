// SPDX-License-Identifier: Apache-2.0
/// A queue with one line for each receiver, which take turns (round-robin), so that a long line delays only itself.
///
/// ```swift
/// var queue = FairQueue<String, Int>()
/// queue.append(1, for: "a")
/// queue.append(2, for: "a")
/// queue.append(3, for: "b")
/// queue.popFirst()   // 1, then 3, then 2
/// ```
struct FairQueue<Receiver: Hashable, Element> {
  private var lines: [Receiver: Line<Element>] = [:]
  /// The receivers with a line, in the order of their turns.
  private var turns = Line<Receiver>()
  /// The number of elements in all lines.
  private(set) var count = 0

  /// Indicates whether the queue is empty.
  var isEmpty: Bool { count == 0 }

  /// Appends an element to the line of its receiver.
  mutating func append(_ element: Element, for receiver: Receiver) {
    if lines[receiver] == nil { turns.append(receiver) }
    lines[receiver, default: Line()].append(element)
    count += 1
  }

  /// Removes and returns the first element of the receiver whose turn it is; `nil` if the queue is empty.
  mutating func popFirst() -> Element? {
    guard let receiver = turns.popFirst(), let element = lines[receiver]?.popFirst() else { return nil }
    count -= 1
    if lines[receiver]?.isEmpty == true { lines[receiver] = nil } else { turns.append(receiver) }
    return element
  }
}

/// A queue whose operations take amortized constant time.
private struct Line<Element> {
  private var elements: [Element?] = []
  private var first = 0

  var isEmpty: Bool { first == elements.count }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[first].take()
    first += 1
    // Storage of removed elements is freed when it is half of the total.
    if first * 2 >= elements.count {
      elements.removeFirst(first)
      first = 0
    }
    return element
  }
}
