// SPDX-License-Identifier: Apache-2.0
/// The turns of requests: any number at a time, or one alone.
///
/// Requests that must be handled alone reserve their turns together and in order, because their tasks may continue in
/// any order. They precede the others that wait.
struct SharedTurns {
  private typealias Waiting = CheckedContinuation<Void, Never>

  private var running = 0
  private var isAlone = false
  /// The IDs of the requests that have reserved a turn alone, in order.
  private var reserved: [String] = []
  private var waitingAlone: [String: Waiting] = [:]
  private var waiting: [Waiting] = []

  /// Reserves a turn alone for each of these requests, in their order.
  mutating func reserve(_ ids: [String]) { reserved += ids }

  /// Resumes `task` when its turn begins, at once if possible.
  ///
  /// - Parameter id: The request whose reserved turn begins; `nil` for a turn beside others.
  mutating func enter(_ task: CheckedContinuation<Void, Never>, alone id: String?) {
    if begin(alone: id) {
      task.resume()
    } else if let id {
      waitingAlone[id] = task
    } else {
      waiting.append(task)
    }
  }

  private mutating func begin(alone id: String?) -> Bool {
    guard reserved.first == id, id == nil ? !isAlone : running == 0 else { return false }
    if id != nil { reserved.removeFirst() }
    running += 1
    isAlone = id != nil
    return true
  }

  /// Ends a turn, and begins the next ones.
  mutating func end() {
    running -= 1
    if running == 0 { isAlone = false }
    if let next = reserved.first {
      guard waitingAlone[next] != nil, begin(alone: next) else { return }
      waitingAlone.removeValue(forKey: next)?.resume()
    } else {
      while !waiting.isEmpty, begin(alone: nil) { waiting.removeFirst().resume() }
    }
  }
}
