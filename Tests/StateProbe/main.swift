import State

/// Writes requests down until the disk is full, then notes of each that it was sent and is over.
///
/// Prints how many there were, why no more were taken, and that all could be noted.
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
