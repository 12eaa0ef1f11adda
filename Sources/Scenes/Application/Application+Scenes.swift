// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Systemd

/// Requests of an application for its scenes; they are handled in order, after the requests before them.
extension Application {
  /// Requests that a session's scene is connected and activated, with `activity`; `nil` connects a new session.
  ///
  /// - Parameter errorHandler: receives, on any thread, the error that the delegate throws, ``SceneError/noSuchScene(_:)`` if the session
  ///   does not exist, or another error if the application has no scenes.
  public func requestSceneSessionActivation(
    _ session: SceneSession? = nil, userActivity activity: UserActivity? = nil,
    errorHandler: (@Sendable (any Error) -> Void)? = nil
  ) {
    let directive: ApplicationDirective = session.map { .activate($0.persistentIdentifier) } ?? .connectNew
    post(directive, activity: activity, errorHandler: errorHandler)
  }

  /// Requests that a session is destroyed because the user has closed its window permanently.
  ///
  /// The scene is disconnected, and the delegate is notified of the discarded session.
  ///
  /// - Parameter errorHandler: receives, on any thread, ``SceneError/noSuchScene(_:)`` if the session does not exist, or another error if the
  ///   application has no scenes.
  public func requestSceneSessionDestruction(
    _ session: SceneSession, errorHandler: (@Sendable (any Error) -> Void)? = nil
  ) {
    post(.destroy(session.persistentIdentifier), activity: nil, errorHandler: errorHandler)
  }

  /// Requests that a session is stored, after its conditions or its `userInfo` changed between requests.
  public func requestSceneSessionRefresh(_ session: SceneSession) {
    post(.refresh(session.persistentIdentifier), activity: nil, errorHandler: nil)
  }

  /// Requests that a scene is disconnected because its window closed; its session can be connected again.
  public func requestSceneDisconnection(_ scene: Scene) {
    post(.disconnect(scene.id), activity: nil, errorHandler: nil)
  }

  private func post(
    _ directive: ApplicationDirective, activity: UserActivity?, errorHandler: (@Sendable (any Error) -> Void)?
  ) {
    guard let server = update({ $0.server }) else { return }
    // Tasks of `start` begin in the order of the calls.
    server.loop.start {
      do { try await server.handleOwn(directive, activity) } catch {
        // A handler that blocks must not stop the loop.
        if let errorHandler { Task { errorHandler(error) } }
      }
    }
  }

  /// Sets the activation state of a scene's window, and calls the scene's delegate in UIKit's order.
  ///
  /// If the delegate is called about an earlier state, the calls about this one follow, and the method returns at once. Requests wait for
  /// these calls, so that a delegate must not wait in one of them for a request that it sends to its own application.
  ///
  /// A state that is set while a request is handled remains when it has been handled, except ``ActivationState/foregroundInactive``, which
  /// the request itself sets.
  ///
  /// A scene that becomes active is the last active one: it receives the next request for which several scenes fit equally well, and its
  /// session is connected at the next start.
  public nonisolated(nonsending) func setActivationState(_ state: ActivationState, of scene: Scene) async {
    let before = scene.session.stored.activated
    await scene.set(state)
    // Stored at once, because after a crash the next process connects the last active scene.
    if scene.session.stored.activated != before { requestSceneSessionRefresh(scene.session) }
  }

  /// Sets the activation state of an application without scenes, and calls its delegate in UIKit's order.
  ///
  /// If the delegate is called about an earlier state, the calls about this one follow, and the method returns at once. Requests wait for
  /// these calls, so that a delegate must not wait in one of them for a request that it sends to its own application.
  ///
  /// A state that is set while a request is handled remains when it has been handled, except ``ActivationState/foregroundInactive``, which
  /// the request itself sets.
  public nonisolated(nonsending) func setActivationState(_ goal: ActivationState) async {
    await set(goal)
  }
}

extension Application: Activating {
  func withActivation<Value: Sendable>(_ body: (inout Activation) -> Value) -> Value {
    update { body(&$0.activation) }
  }

  nonisolated(nonsending) func callDelegate(_ call: ActivationState.Transition) async {
    guard let delegate = receiver else { return }
    switch call {
    case .willEnterForeground: await delegate.applicationWillEnterForeground(self)
    case .didBecomeActive: await delegate.applicationDidBecomeActive(self)
    case .willResignActive: await delegate.applicationWillResignActive(self)
    case .didEnterBackground: await delegate.applicationDidEnterBackground(self)
    case .didDisconnect: break
    }
  }
}

extension Scene: Activating {
  nonisolated(nonsending) func callDelegate(_ call: ActivationState.Transition) async {
    // Before the call, in which the delegate may read the order of the scenes.
    if call == .didBecomeActive { application.recordActivation(of: session) }
    switch call {
    case .willEnterForeground: await delegate.sceneWillEnterForeground(self)
    case .didBecomeActive: await delegate.sceneDidBecomeActive(self)
    case .willResignActive: await delegate.sceneWillResignActive(self)
    case .didEnterBackground: await delegate.sceneDidEnterBackground(self)
    case .didDisconnect: await delegate.sceneDidDisconnect(self)
    }
  }
}

/// A request of the application itself: for one of its scenes, or to inform its delegate.
enum ApplicationDirective: Hashable, Sendable {
  /// Launches without a request, because the request for which the program was started did not arrive.
  case start
  case connectNew
  case activate(String)
  case refresh(String)
  case disconnect(String)
  case destroy(String)
  /// Passes the result of a registration for remote notifications to the delegate.
  case report(RegistrationResult)
}
