// SPDX-License-Identifier: Apache-2.0
import BusInterfaces

/// A handler that follows UIKit's flow with scenes: each request is delivered to a connected scene, or connects one.
actor SceneHandler: RequestHandler {
  let application: Application
  let delegate: any ApplicationDelegate
  let store: SceneStore
  private var launch: Task<Void, Never>?
  /// The launch without a request, until its scene is connected; `nil` before it begins.
  private var directLaunch: Task<Void, any Error>?
  private var isTerminated = false
  var handoff = Handoff()
  /// The types of scene delegates for which warnings were printed.
  var checkedDelegates: Set<ObjectIdentifier> = []
  /// The configurations of the sessions that were connected in this process, by identifier.
  var configurations: [String: SceneConfiguration] = [:]

  init(_ application: Application, delegate: any ApplicationDelegate, store: SceneStore) {
    self.application = application
    self.delegate = delegate
    self.store = store
  }

  func prepare(hasReason: Bool) async throws {
    if !hasReason { try await launchDirectly() }
  }

  private func launchDirectly() async throws {
    guard launch == nil, !isTerminated else { return }
    let methods = startLaunch()
    let task = Task {
      await methods.value
      guard !isTerminated else { return }
      _ = try await connect(application.openSessions.first, options: ConnectionOptions())
    }
    directLaunch = task
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Starts to launch the application once, without launch options, because with scenes the connection options carry the request.
  private func startLaunch() -> Task<Void, Never> {
    if let launch { return launch }
    let methods = Task { [application, delegate, store] in
      let (kept, dropped) = store.load()
      application.update { $0.sessions = kept }
      _ = await delegate.application(application, willFinishLaunchingWithOptions: nil)
      _ = await delegate.application(application, didFinishLaunchingWithOptions: nil)
      guard !dropped.isEmpty else { return }
      for session in dropped { store.remove(session) }
      await delegate.application(application, didDiscardSceneSessions: dropped)
    }
    launch = methods
    return methods
  }

  func handle(_ request: SceneRequest) async throws -> SceneResult {
    if request.directive == .start {
      try await launchDirectly()
      return .handled
    }
    let isLaunch = launch == nil
    if isLaunch { application.recordLaunch(request) }
    await startLaunch().value
    if let directive = request.directive { return try await perform(directive, request) }
    let content = RequestContent(request, for: application)
    switch content {
    case .notification(let notification):
      do {
        return try await delegate.present(notification, isLaunch: isLaunch, application)
      } catch is NotImplemented { return .notHandled }
    case .other:
      do { return try await delegate.receiveOther(request, application) } catch is NotImplemented {
        return .notHandled
      }
    case .urls
    where request.urlStrings.count > 1
      && (request.targetContentID == nil || request.separateWebLinks(application) != nil):
      return try await deliverEach(request)
    default: return try await deliver(content, request)
    }
  }

  /// Delivers each URL to its scene; the URLs for one scene are delivered together, in order, and activities alone.
  private func deliverEach(_ request: SceneRequest) async throws -> SceneResult {
    var shares: [(session: String?, urls: [String], isAlone: Bool)] = []
    for url in request.urlStrings {
      let session = choice(for: url).sessions.first
      let isAlone = application.webLinks.activity(of: request.only([url])) != nil
      if !isAlone, let index = shares.firstIndex(where: { $0.session == session && !$0.isAlone }) {
        shares[index].urls.append(url)
      } else {
        shares.append((session, [url], isAlone))
      }
    }
    return try await .combining(shares.map { request.only($0.urls) }) { part in
      try await deliver(RequestContent(part, for: application), part)
    }
  }

  /// Returns the session of the connected scene to which the activity of this content was announced, and whose delegate waits for it.
  private func sceneExpecting(_ content: RequestContent) -> SceneSession? {
    guard let session = handoff.session(expecting: content).flatMap(application.session),
      application.scene(of: session) != nil
    else { return nil }
    return session
  }

  private func choice(for content: String?) -> SceneSelection {
    SceneSelection(
      for: content,
      among: application.openSessions.map { session in
        let state = session.stored
        return SceneSelection.Candidate(
          identifier: session.persistentIdentifier, isConnected: application.scene(of: session) != nil,
          activated: state.activated, conditions: state.conditions)
      })
  }

  /// Delivers a request to the candidate scenes in order, until one handles it.
  private func deliver(_ content: RequestContent, _ request: SceneRequest) async throws -> SceneResult {
    let target = request.targetContentID ?? content.targetContentIdentifier
    var candidates = choice(for: target).sessions.compactMap(application.session)
    if let expecting = sceneExpecting(content) {
      candidates.removeAll { $0 === expecting }
      candidates.insert(expecting, at: 0)
    }
    let first = candidates.first
    guard let first, application.scene(of: first) != nil else {
      return try await connect(first, options: ConnectionOptions(content, request), content: content)
    }
    for session in candidates {
      guard let scene = application.scene(of: session) else { continue }
      let result = try await deliver(content, request, to: scene)
      if result.isHandled { return result }
    }
    return .notHandled
  }

  func deliver(
    _ content: RequestContent, _ request: SceneRequest, to scene: Scene
  ) async throws -> SceneResult {
    scene.activationToken = request.activationToken
    let before = scene.withActivation(\.goal)
    // After the call, a state that the toolkit has reported meanwhile remains.
    let during: ActivationState = before == .foregroundActive ? .foregroundActive : .foregroundInactive
    await scene.move(to: during, from: [before])
    do {
      let result = try await call(content, scene)
      // A scene that does not handle the request returns to its previous state, because the next candidate is tried.
      await scene.move(to: result.isHandled ? .foregroundActive : before, from: [during])
      if result.isHandled { await keep(scene, content) }
      return result
    } catch {
      await scene.move(to: .foregroundActive, from: [during])
      // Content that failed is not stored for restoration.
      await keep(scene, .activate)
      throw error
    }
  }

  func call(_ content: RequestContent, _ scene: Scene) async throws -> SceneResult {
    do { return try await callIfImplemented(content, scene) } catch is NotImplemented { return .notHandled }
  }

  private func callIfImplemented(_ content: RequestContent, _ scene: Scene) async throws -> SceneResult {
    if let type = handoff.announce(content, to: scene.id) {
      await scene.delegate.scene(scene, willContinueUserActivityWithType: type)
    }
    switch content {
    case .urls(let contexts): return try await scene.delegate.scene(scene, openURLContexts: contexts)
    case .shortcutItem(let item): return try await scene.delegate.scene(scene, performActionFor: item)
    case .notificationResponse(let response):
      return try await scene.delegate.scene(scene, didReceive: response)
    case .cloudKitShare(let metadata):
      return try await scene.delegate.scene(scene, userDidAcceptCloudKitShareWith: metadata)
    case .userActivity(let activity):
      return try await scene.delegate.scene(scene, continue: activity)
    case .handoffFailed(let type, let reason):
      await scene.delegate.scene(
        scene, didFailToContinueUserActivityWithType: type, error: HandoffError(description: reason))
    case .activate, .handoff, .notification, .other: break
    }
    return .handled
  }

  func explain(_ request: SceneRequest) async -> SceneExplanation {
    let content = RequestContent(request, for: application)
    guard content.isForScene else {
      return SceneExplanation(steps: ["\(application.id)'s delegate receives it instead of a scene"])
    }
    let choice = choice(for: request.targetContentID ?? content.targetContentIdentifier)
    if let expecting = sceneExpecting(content) {
      return SceneExplanation(
        session: expecting.persistentIdentifier,
        steps: ["the type of the activity was announced to this scene"])
    }
    return SceneExplanation(session: choice.sessions.first, steps: choice.steps)
  }

  func terminate() async {
    guard launch != nil, !isTerminated else { return isTerminated = true }
    isTerminated = true
    // The server waits only for requests, and a scene that is being connected must be disconnected later. The run reports only an error
    // that ended it; a later one is dropped, because the application exits as it was asked to.
    _ = await directLaunch?.result
    for scene in application.connectedScenes { await disconnect(scene.session) }
    await delegate.applicationWillTerminate(application)
  }
}
