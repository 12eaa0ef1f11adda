/// Room for so many at once; who comes later waits for a seat.
///
/// The tests are many processes each; all of them at once would only measure how two processors thrash.
actor Seats {
  /// The seats of every test that works, and does not only wait for a deadline.
  static let ofTests = Seats(4)

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  func take() async {
    guard free == 0 else { return free -= 1 }
    await withCheckedContinuation { waiting.append($0) }
  }

  func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
