/// The turns of tasks: any number at a time, or one alone.
///
/// A task that wants to be alone goes before the others that wait, in order.
struct SharedTurns {
  private var running = 0
  private var isAlone = false
  private var waitingAlone: [CheckedContinuation<Void, Never>] = []
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Begins a turn at once if possible; returns `false` if the task has to ``wait(_:alone:)``.
  mutating func begin(alone: Bool) -> Bool {
    guard alone ? running == 0 : !isAlone && waitingAlone.isEmpty else { return false }
    running += 1
    isAlone = alone
    return true
  }

  /// Resumes `task` when its turn has begun.
  mutating func wait(_ task: CheckedContinuation<Void, Never>, alone: Bool) {
    if alone { waitingAlone.append(task) } else { waiting.append(task) }
  }

  /// Ends a turn, and begins the next ones.
  mutating func end() {
    running -= 1
    if running == 0 { isAlone = false }
    while !waitingAlone.isEmpty || !waiting.isEmpty {
      let alone = !waitingAlone.isEmpty
      guard begin(alone: alone) else { return }
      (alone ? waitingAlone.removeFirst() : waiting.removeFirst()).resume()
    }
  }
}
