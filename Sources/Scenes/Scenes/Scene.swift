public import BusInterfaces
import Synchronization

/// A session that is connected: UIKit's `UIScene`.
public final class Scene: Sendable, Identifiable {
  /// The session, which outlives it.
  public let session: SceneSession
  /// The application.
  public let application: Application
  let delegate: any SceneDelegate
  private let state = Mutex(State())

  private struct State {
    var activation = ActivationState.unattached
    var title = ""
    var activationToken: String?
  }

  init(_ session: SceneSession, of application: Application, _ delegate: any SceneDelegate) {
    self.session = session
    self.application = application
    self.delegate = delegate
  }

  /// The session's identifier.
  public var id: String { session.persistentIdentifier }

  /// Where it is in its life.
  ///
  /// The toolkit says what becomes of the window, by ``Application/setActivationState(_:of:)``.
  public internal(set) var activationState: ActivationState {
    get { state.withLock(\.activation) }
    set { state.withLock { $0.activation = newValue } }
  }

  /// Which content it is for; kept with the session.
  public var activationConditions: SceneActivationConditions {
    get { session.stored.conditions }
    set { session.update { $0.conditions = newValue } }
  }

  /// What a person calls it.
  public var title: String {
    get { state.withLock(\.title) }
    set { state.withLock { $0.title = newValue } }
  }

  /// Allows its window to come to the front, once: of the request that it got last.
  public internal(set) var activationToken: String? {
    get { state.withLock(\.activationToken) }
    set { state.withLock { $0.activationToken = newValue } }
  }

  /// Opens a URL from this scene: ``Application/open(_:options:)``.
  @discardableResult
  public func open(
    _ url: String, options: OpenExternalURLOptions = OpenExternalURLOptions()
  ) async throws(SceneError) -> Receipt {
    try await application.open(url, options: options)
  }
}
