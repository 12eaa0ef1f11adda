import BusInterfaces
import Systemd

/// What an application asks for its scenes; it comes in turn, after the requests that came before.
extension Application {
  /// Asks for a new scene, or for the one of a session to come to the front: it is connected, or goes on with `activity`.
  ///
  /// - Parameter errorHandler: gets what the delegate throws.
  public func requestSceneSessionActivation(
    _ session: SceneSession? = nil, userActivity activity: UserActivity? = nil,
    errorHandler: (@Sendable (any Error) -> Void)? = nil
  ) {
    let directive: SceneDirective = session.map { .activate($0.persistentIdentifier) } ?? .connectNew
    post(directive, activity, errorHandler)
  }

  /// Asks for a session to be forgotten: a person has closed its window for good.
  ///
  /// Its scene is disconnected, and the delegate is told of the session.
  public func requestSceneSessionDestruction(
    _ session: SceneSession, errorHandler: (@Sendable (any Error) -> Void)? = nil
  ) {
    post(.destroy(session.persistentIdentifier), nil, errorHandler)
  }

  /// Asks for a session to be written down as it is now, when its conditions or its `userInfo` have changed between requests.
  public func requestSceneSessionRefresh(_ session: SceneSession) {
    post(.refresh(session.persistentIdentifier), nil, nil)
  }

  /// Asks for a scene to be disconnected: its window is gone, its session stays and may be connected again.
  public func requestSceneDisconnection(_ scene: Scene) {
    post(.disconnect(scene.id), nil, nil)
  }

  private func post(
    _ directive: SceneDirective, _ activity: UserActivity?, _ errorHandler: (@Sendable (any Error) -> Void)?
  ) {
    guard let server = update({ $0.server }) else { return }
    // Such tasks begin in the order in which they are made.
    server.loop.start {
      do { try await server.handleOwn(directive, activity) } catch { errorHandler?(error) }
    }
  }

  /// Says what has become of a scene's window, and calls its delegate as UIKit does.
  public func setActivationState(_ state: ActivationState, of scene: Scene) async {
    await scene.move(to: state)
  }

  /// Says what has become of the window of an application without scenes, and calls the delegate as UIKit does.
  public func setActivationState(_ goal: ActivationState) async {
    let transitions = update { state in
      defer { state.activation = goal }
      return state.activation.transitions(to: goal)
    }
    guard let delegate = receiver else { return }
    for transition in transitions {
      switch transition {
      case .willEnterForeground: await delegate.applicationWillEnterForeground(self)
      case .didBecomeActive: await delegate.applicationDidBecomeActive(self)
      case .willResignActive: await delegate.applicationWillResignActive(self)
      case .didEnterBackground: await delegate.applicationDidEnterBackground(self)
      case .didDisconnect: break
      }
    }
  }
}

/// What an application wants of one of its scenes.
enum SceneDirective: Hashable, Sendable {
  /// To start without a request: the one that it was started for does not come.
  case start
  case connectNew
  case activate(String)
  case refresh(String)
  case disconnect(String)
  case destroy(String)
}

extension Scene {
  /// Brings the scene to another state, with the calls of its delegate in UIKit's order.
  func move(to goal: ActivationState) async {
    let transitions = activationState.transitions(to: goal)
    activationState = goal
    for transition in transitions {
      switch transition {
      case .willEnterForeground: await delegate.sceneWillEnterForeground(self)
      case .didBecomeActive: await delegate.sceneDidBecomeActive(self)
      case .willResignActive: await delegate.sceneWillResignActive(self)
      case .didEnterBackground: await delegate.sceneDidEnterBackground(self)
      case .didDisconnect: await delegate.sceneDidDisconnect(self)
      }
    }
  }
}
