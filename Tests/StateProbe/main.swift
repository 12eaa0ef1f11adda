// SPDX-License-Identifier: Apache-2.0
import Glibc
import State

// Stores requests until the disk is full, and records for each that it was sent and finished.
//
// The second argument selects a part of that: `fill` exits without closing the file, as a killed broker does; `end` does so after a note
// that the broker exits in order; `record` continues in a file of such a process, and removes the last request; `finish` notes in such a
// file that the broker exits in order.

/// Stores requests, of which the first two have one ID, and prints their number and the error of the last one.
func fill(_ store: PendingStore) -> Int64 {
  var count: Int64 = 0
  do throws(StateError) {
    while count < 10_000 {
      try store.add(
        PendingRequest(
          number: count, caller: "c", id: "r\(max(count, 1))", digest: [], details: "{}", deadline: 0,
          expires: 0,
          parts: [.init(index: 0, target: "t", content: String(repeating: "x", count: 3_000))]))
      count += 1
    }
  } catch {
    print(count)
    print(error.reason)
  }
  return count
}

/// Prints whether all requests could be recorded as sent and finished.
func record(_ numbers: [Int64], in store: PendingStore) throws(StateError) {
  var areThere = true
  for number in numbers {
    let isThere = try store.update(0, of: number, to: .sent, method: "standard")
    areThere = areThere && isThere
  }
  for number in numbers {
    let isThere = try store.update(0, of: number, to: .ended, result: "{\"outcome\":\"delivered\"}")
    areThere = areThere && isThere
  }
  print(areThere ? "noted" : "not there")
}

do throws(StateError) {
  let store = try PendingStore(at: CommandLine.arguments[1], session: "s")
  let wasKilled = store.followsCrash
  switch CommandLine.arguments.dropFirst(2).first {
  case "record":
    let numbers = try store.requests().map(\.number)
    print(numbers.count)
    try record(numbers, in: store)
    if let last = numbers.last { try store.removeNow(last) }
    print(try store.requests().count)
  case "finish":
    try store.recordOrderlyExit()
    print(wasKilled, "ended")
  case let part?:
    if part == "end" { try store.recordOrderlyExit() }
    _ = fill(store)
    fflush(nil)
    _exit(0)
  case nil: try record(Array(0..<fill(store)), in: store)
  }
} catch {
  print(error)
}
