import Scenes
import Synchronization

/// The calls of one application, as they come.
final class CallRecorder: Sendable {
  private let state = Mutex(State())

  private struct State {
    var calls: [RecordedCall] = []
    /// The identifiers of the sessions, in the order in which they were seen.
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

  /// The number of a session, from 1.
  func number(_ session: SceneSession) -> Int {
    let identifier = session.persistentIdentifier
    return state.withLock { state in
      if let index = state.sessions.firstIndex(of: identifier) { return index + 1 }
      state.sessions.append(identifier)
      return state.sessions.count
    }
  }

  /// The identifier of a session by its number, `nil` where there is none.
  func session(_ number: Int) -> String? {
    state.withLock { $0.sessions.indices.contains(number - 1) ? $0.sessions[number - 1] : nil }
  }
}
