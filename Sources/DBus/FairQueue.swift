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
package struct FairQueue<Receiver: Hashable, Element> {
  private var lines: [Receiver: Line<Element>] = [:]
  /// The receivers with a line, in the order of their turns.
  private var turns = Line<Receiver>()
  /// The number of elements in all lines.
  package private(set) var count = 0

  /// Creates an empty queue.
  package init() {}

  /// Indicates whether the queue is empty.
  package var isEmpty: Bool { count == 0 }

  /// Appends an element to the line of its receiver.
  package mutating func append(_ element: Element, for receiver: Receiver) {
    if lines[receiver] == nil { turns.append(receiver) }
    lines[receiver, default: Line()].append(element)
    count += 1
  }

  /// Removes and returns the first element of the receiver whose turn it is; `nil` if there is none.
  ///
  /// - Parameter isReady: Returns whether a receiver can take its turn; otherwise the next one has its turn before.
  package mutating func popFirst(where isReady: (Receiver) -> Bool = { _ in true }) -> Element? {
    for _ in 0..<turns.count {
      guard let receiver = turns.popFirst() else { break }
      guard isReady(receiver), let element = lines[receiver]?.popFirst() else {
        turns.append(receiver)
        continue
      }
      count -= 1
      if lines[receiver]?.isEmpty == true { lines[receiver] = nil } else { turns.append(receiver) }
      return element
    }
    return nil
  }

  /// Removes the elements at the beginning of a receiver's line that satisfy `isOver`.
  package mutating func drop(from receiver: Receiver, while isOver: (Element) -> Bool) {
    while let head = lines[receiver]?.head, isOver(head) {
      _ = lines[receiver]?.popFirst()
      count -= 1
    }
    guard lines[receiver]?.isEmpty == true else { return }
    lines[receiver] = nil
    turns.removeAll { $0 == receiver }
  }
}

/// A queue whose operations, except `removeAll`, take amortized constant time.
private struct Line<Element> {
  private var elements: [Element?] = []
  private var first = 0

  var isEmpty: Bool { first == elements.count }
  var count: Int { elements.count - first }

  /// The element that `popFirst` removes; `nil` if the line is empty.
  var head: Element? { isEmpty ? nil : elements[first] }

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

  mutating func removeAll(where isRemoved: (Element) -> Bool) {
    elements = elements.dropFirst(first).filter { $0.map(isRemoved) == false }
    first = 0
  }
}
