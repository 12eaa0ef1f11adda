public import BusInterfaces
import Synchronization

/// A place of the application that shows content, and outlives the process: UIKit's `UISceneSession`.
///
/// Its identifier, its conditions and its state are kept in a file of the application's own, so that it can be connected
/// again, in this process or in the next.
public final class SceneSession: Sendable, Identifiable {
  /// The same as long as the session lives.
  public let persistentIdentifier: String
  private let state: Mutex<State>

  struct State: Hashable {
    var configurationName: String?
    var conditions = SceneActivationConditions()
    var restoration: UserActivity?
    var userInfo: [String: PropertyList] = [:]
    var activated: Int64 = 0
  }

  init(_ persistentIdentifier: String, _ state: State = State()) {
    self.persistentIdentifier = persistentIdentifier
    self.state = Mutex(state)
  }

  /// The same as ``persistentIdentifier``.
  public var id: String { persistentIdentifier }

  /// The configuration with which it was last connected.
  public var configurationName: String? { state.withLock(\.configurationName) }

  /// What it was showing, to be gone on with: the activity that its delegate gave, else its last URL without user information,
  /// query and fragment, as an activity ``UserActivity/browsingWeb``.
  public var stateRestorationActivity: UserActivity? { state.withLock(\.restoration) }

  /// Whatever the application wants to find here again.
  public var userInfo: [String: PropertyList] {
    get { state.withLock(\.userInfo) }
    set { state.withLock { $0.userInfo = newValue } }
  }

  var stored: State {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  func update(_ body: (inout sending State) -> Void) { state.withLock { body(&$0) } }
}
