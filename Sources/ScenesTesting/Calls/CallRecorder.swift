// SPDX-License-Identifier: Apache-2.0
import Scenes
import Synchronization

/// A recorder of the calls of one application, in order.
final class CallRecorder: Sendable {
  private let state = Mutex(State())

  private struct State {
    var calls: [RecordedCall] = []
    /// The identifiers of the sessions, in the order of their first appearance.
    var sessions: [String] = []
  }

  var calls: [RecordedCall] { state.withLock(\.calls) }

  func add(_ call: RecordedCall) { state.withLock { $0.calls.append(call) } }

  func take() -> [RecordedCall] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
  }

  /// Returns the number of a session, from 1.
  func number(_ session: SceneSession) -> Int {
    let identifier = session.persistentIdentifier
    return state.withLock { state in
      if let index = state.sessions.firstIndex(of: identifier) { return index + 1 }
      state.sessions.append(identifier)
      return state.sessions.count
    }
  }

  /// Returns the identifier of the session with a number; `nil` if there is none.
  func session(_ number: Int) -> String? {
    state.withLock { $0.sessions.indices.contains(number - 1) ? $0.sessions[number - 1] : nil }
  }
}
