// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Synchronization
import Triggers

/// The running application, corresponding to UIKit's `UIApplication`.
public final class Application: Sendable {
  /// The desktop-file ID.
  public let id: String
  /// The application's delegate; `nil` if the application runs with a closure.
  public let delegate: (any ApplicationDelegate)?
  /// The object that receives the delegate calls: ``delegate``, or a test's recorder in front of it.
  let receiver: (any ApplicationDelegate)?
  let opener: any URLOpening
  let triggers: any TriggersService
  let sourceApplicationPolicy: SourceApplicationPolicy
  let webLinks: WebLinkDelivery
  /// The default configuration of scenes, which the delegate can override.
  package let sceneConfiguration: SceneConfiguration
  /// The callbacks for which the application waits.
  let callbacks = PendingCallbacks()
  let locationEvents = HeldEvents<LocationEvent>()
  let bluetoothEvents = HeldEvents<BluetoothRequest>()
  private let state: Mutex<State>

  struct State {
    var sessions: [SceneSession] = []
    var scenes: [String: Scene] = [:]
    var activation: Activation
    weak var server: SceneServer?
    var registration = RemoteRegistration()
    var bluetooth = BluetoothState()
    /// The number of launch methods that the delegate does not implement; two at most.
    var missingLaunchMethods = 0
  }

  init(
    _ id: String, by opener: any URLOpening, triggers: any TriggersService,
    _ delegate: (any ApplicationDelegate)? = nil,
    receiver: (any ApplicationDelegate)? = nil, scenes: SceneConfiguration? = nil,
    policy: SourceApplicationPolicy = .verified, webLinks: WebLinkDelivery = .urls
  ) {
    self.id = id
    self.opener = opener
    self.triggers = triggers
    self.delegate = delegate
    self.receiver = receiver ?? delegate
    sourceApplicationPolicy = policy
    self.webLinks = webLinks
    sceneConfiguration = scenes ?? SceneConfiguration { NoScene() }
    // The window of an application without scenes is visible from the launch; one with scenes has no other window.
    state = Mutex(State(activation: Activation(scenes == nil ? .foregroundInactive : .background)))
  }

  func update<Value: Sendable>(_ body: (inout sending State) -> sending Value) -> Value {
    state.withLock { body(&$0) }
  }

  /// The sessions of the application, connected or not, most recently active first.
  public var openSessions: [SceneSession] {
    update { $0.sessions }.sorted { $0.stored.activated > $1.stored.activated }
  }

  /// The connected scenes, most recently active first.
  public var connectedScenes: [Scene] { openSessions.compactMap(scene) }

  /// Returns the session with an identifier; `nil` if it does not exist.
  func session(_ identifier: String) -> SceneSession? {
    update { $0.sessions.first { $0.persistentIdentifier == identifier } }
  }

  /// Returns the scene of a session; `nil` if the session is not connected.
  public func scene(of session: SceneSession) -> Scene? {
    update { $0.scenes[session.persistentIdentifier] }
  }

  /// Records that a session is the last active one.
  func recordActivation(of session: SceneSession) {
    update { state in
      let latest = state.sessions.filter { $0 !== session }.map(\.stored.activated).max() ?? 0
      // The last active session keeps its number, so that it is stored only after a change.
      session.update { $0.activated = max($0.activated, latest + 1) }
    }
  }

  /// Records that the delegate does not implement one of the two launch methods.
  package func recordMissingLaunchMethod() { update { $0.missingLaunchMethods += 1 } }

  /// A Boolean value that indicates whether the application, or one of its scenes, is visible.
  var isInForeground: Bool {
    let scenes = connectedScenes
    let states = scenes.isEmpty ? [activationState] : scenes.map(\.activationState)
    return states.contains { $0 == .foregroundActive || $0 == .foregroundInactive }
  }

  /// The activation state of an application without scenes.
  public var activationState: ActivationState { update { $0.activation.state } }
}

/// The scene delegate of an application that has no scenes.
private struct NoScene: SceneDelegate {}
