// SPDX-License-Identifier: Apache-2.0
import State

/// Stores requests until the disk is full, then records for each that it was sent and finished.
///
/// Prints the number of requests, the error of the last one, and whether all could be recorded.
do throws(StateError) {
  let store = try PendingStore(at: CommandLine.arguments[1], session: "s")
  var count: Int64 = 0
  do throws(StateError) {
    while count < 10_000 {
      try store.add(
        PendingRequest(
          number: count, caller: "c", id: "r\(count)", digest: [], details: "{}", deadline: 0, expires: 0,
          parts: [.init(place: 0, target: "t", content: String(repeating: "x", count: 3_000))]))
      count += 1
    }
  } catch {
    print(count)
    print(error.reason)
  }
  for number in 0..<count { try store.update(0, of: number, to: .sent, way: "standard") }
  for number in 0..<count {
    try store.update(0, of: number, to: .ended, result: "{\"outcome\":\"delivered\"}")
  }
  print("noted")
} catch {
  print(error)
}
