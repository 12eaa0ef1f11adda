import BusInterfaces
import Synchronization

/// The application while it runs: UIKit's `UIApplication`.
public final class Application: Sendable {
  /// The desktop-file ID.
  public let id: String
  /// What happens to the application, where it is run with a delegate.
  public let delegate: (any ApplicationDelegate)?
  /// Who is told what happens to the application: ``delegate``, or who looks on in a test.
  let receiver: (any ApplicationDelegate)?
  let opener: any URLOpening
  let sourceApplicationPolicy: SourceApplicationPolicy
  /// How scenes are made where the delegate says nothing else.
  let sceneConfiguration: SceneConfiguration
  /// The answers to its own requests that it waits for.
  let callbacks = PendingCallbacks()
  private let state = Mutex(State())

  struct State {
    var sessions: [SceneSession] = []
    var scenes: [String: Scene] = [:]
    /// An application without scenes is seen from its start.
    var activation = ActivationState.foregroundInactive
    weak var server: SceneServer?
  }

  init(
    _ id: String, by opener: any URLOpening, _ delegate: (any ApplicationDelegate)? = nil,
    receiver: (any ApplicationDelegate)? = nil, scenes: SceneConfiguration? = nil,
    policy: SourceApplicationPolicy = .verified
  ) {
    self.id = id
    self.opener = opener
    self.delegate = delegate
    self.receiver = receiver ?? delegate
    sourceApplicationPolicy = policy
    sceneConfiguration = scenes ?? SceneConfiguration { NoScene() }
  }

  func update<Value: Sendable>(_ body: (inout sending State) -> sending Value) -> Value {
    state.withLock { body(&$0) }
  }

  /// The sessions that can be connected or are, the one that was active last in front.
  public var openSessions: [SceneSession] {
    update { $0.sessions }.sorted { $0.stored.activated > $1.stored.activated }
  }

  /// The scenes that are connected, the one that was active last in front.
  public var connectedScenes: [Scene] { openSessions.compactMap(scene) }

  /// The session of an identifier, `nil` where there is none.
  func session(_ identifier: String) -> SceneSession? {
    update { $0.sessions.first { $0.persistentIdentifier == identifier } }
  }

  /// The scene of a session, `nil` while it is not connected.
  public func scene(of session: SceneSession) -> Scene? {
    update { $0.scenes[session.persistentIdentifier] }
  }

  /// Where an application without scenes is in its life.
  public var activationState: ActivationState { update { $0.activation } }
}

/// The delegate of an application that has no scenes.
private struct NoScene: SceneDelegate {}
