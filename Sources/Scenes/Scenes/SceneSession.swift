// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
import Synchronization

/// The persistent identity and state of a scene, which outlive the process: UIKit's `UISceneSession`.
///
/// The identifier, the conditions and the state are stored in a file of the application, so that the session can be
/// connected again, in this process or a later one.
public final class SceneSession: Sendable, Identifiable {
  /// The identifier, which is constant for the life of the session.
  public let persistentIdentifier: String
  private let state: Mutex<State>

  struct State: Hashable {
    var configurationName: String?
    var conditions = SceneActivationConditions()
    var restoration: UserActivity?
    /// A Boolean value that is `true` if the delegate returned ``restoration``, so that its `nil` clears it.
    var isRestorationOfDelegate = false
    var userInfo: [String: PropertyList] = [:]
    var activated: Int64 = 0

    /// Stores the activity that the delegate returned; if that is `nil`, the activity of new content.
    ///
    /// Without either, an earlier activity of the delegate is cleared, because it restored what the scene no longer shows.
    mutating func setRestoration(_ activity: UserActivity?, orContent content: UserActivity? = nil) {
      guard activity != nil || content != nil || isRestorationOfDelegate else { return }
      restoration = activity ?? content
      isRestorationOfDelegate = activity != nil
    }
  }

  init(_ persistentIdentifier: String, _ state: State = State()) {
    self.persistentIdentifier = persistentIdentifier
    self.state = Mutex(state)
  }

  /// The identifier of the session, equal to ``persistentIdentifier``.
  public var id: String { persistentIdentifier }

  /// The name of the configuration with which the session was last connected.
  public var configurationName: String? { state.withLock(\.configurationName) }

  /// The activity that restores the content of the scene.
  ///
  /// It is the activity that the delegate returned, otherwise an activity ``UserActivity/browsingWeb`` of its last
  /// URL without user information, query and fragment. It is `nil` if the delegate returned an activity and then `nil`, until the
  /// scene receives new content.
  public var stateRestorationActivity: UserActivity? { state.withLock(\.restoration) }

  /// The activity that the delegate returned; `nil` if ``stateRestorationActivity`` is that of the scene's content.
  package var delegateRestorationActivity: UserActivity? {
    state.withLock { $0.isRestorationOfDelegate ? $0.restoration : nil }
  }

  /// Data of the application that is stored with the session.
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
