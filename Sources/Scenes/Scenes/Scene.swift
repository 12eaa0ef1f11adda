// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
import Synchronization

/// A connected session, corresponding to UIKit's `UIScene`.
public final class Scene: Sendable, Identifiable {
  /// The session, which outlives the scene.
  public let session: SceneSession
  /// The application.
  public let application: Application
  let delegate: any SceneDelegate
  private let state = Mutex(State())

  private struct State {
    var activation = Activation(.unattached)
    var title = ""
    var activationToken: String?
    var hasDeliveredOptions = false
  }

  init(_ session: SceneSession, of application: Application, _ delegate: any SceneDelegate) {
    self.session = session
    self.application = application
    self.delegate = delegate
  }

  /// The session's identifier.
  public var id: String { session.persistentIdentifier }

  /// The activation state of the scene.
  ///
  /// The toolkit reports changes of the window with ``Application/setActivationState(_:of:)``.
  public var activationState: ActivationState { state.withLock(\.activation.state) }

  /// The activation state that was set last, to which the delegate is being brought.
  package var nextActivationState: ActivationState { withActivation(\.goal) }

  func withActivation<Value: Sendable>(_ body: (inout Activation) -> Value) -> Value {
    state.withLock { body(&$0.activation) }
  }

  /// The conditions for the content of the scene, stored with the session.
  public var activationConditions: SceneActivationConditions {
    get { session.stored.conditions }
    set { session.update { $0.conditions = newValue } }
  }

  /// The displayed title.
  public var title: String {
    get { state.withLock(\.title) }
    set { state.withLock { $0.title = newValue } }
  }

  /// A Boolean value that is `true` if the content of the connection options was delivered as to a connected scene.
  var hasDeliveredOptions: Bool {
    get { state.withLock(\.hasDeliveredOptions) }
    set { state.withLock { $0.hasDeliveredOptions = newValue } }
  }

  /// The token of the last received request, which allows the window to come to the front once.
  public internal(set) var activationToken: String? {
    get { state.withLock(\.activationToken) }
    set { state.withLock { $0.activationToken = newValue } }
  }

  /// Opens a URL from this scene, like ``Application/open(_:options:)``.
  @discardableResult
  public nonisolated(nonsending) func open(
    _ url: String, options: OpenExternalURLOptions = OpenExternalURLOptions()
  ) async throws(SceneError) -> Receipt {
    try await application.open(url, options: options)
  }
}
