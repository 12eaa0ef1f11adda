// SPDX-License-Identifier: Apache-2.0
import BusInterfaces

/// Connecting and disconnecting scenes, and storing their state.
extension SceneHandler {
  /// Connects an existing session, or a new one if `known` is `nil`: makes its scene, delivers `content` and activates the scene.
  func connect(
    _ known: SceneSession?, options: ConnectionOptions, content: RequestContent = .activate
  ) async throws -> SceneResult {
    let session = known ?? SceneSession(RequestID.random())
    if known == nil { application.update { $0.sessions.append(session) } }
    let configuration = await configuration(of: session, options)
    let scene = Scene(session, of: application, await configuration.makeDelegate())
    warn(about: scene.delegate)
    scene.activationToken = options.activationToken
    application.update { $0.scenes[session.persistentIdentifier] = scene }
    // The scene's connection options announce the activity type.
    switch content {
    case .handoff, .userActivity: _ = handoff.announce(content, to: scene.id)
    default: break
    }
    let result: Result<SceneResult, any Error>
    do { result = .success(try await callDelegate(of: scene, options)) } catch { result = .failure(error) }
    // The toolkit may have hidden the window meanwhile.
    await scene.move(to: .foregroundActive, from: [.unattached, .foregroundInactive])
    if case .handoffFailed = content { _ = try await call(content, scene) }
    // Content that failed is not stored for restoration.
    await keep(scene, (try? result.get())?.isHandled == true ? content : .activate)
    return try result.get()
  }

  /// Prints the warnings about the delegates of one type once.
  private func warn(about delegate: any SceneDelegate) {
    guard checkedDelegates.insert(ObjectIdentifier(type(of: delegate))).inserted else { return }
    DelegateWarnings.print(delegate, of: application.id)
  }

  /// Returns the configuration of a session, which the delegate chooses when the session is first connected in this process.
  ///
  /// A session of an earlier process has only the name of its configuration, from which no scene can be made.
  private func configuration(
    of session: SceneSession, _ options: ConnectionOptions
  ) async -> SceneConfiguration {
    if let known = configurations[session.persistentIdentifier] { return known }
    let configuration = await delegate.application(
      application, configurationForConnecting: session, options: options)
    configurations[session.persistentIdentifier] = configuration
    session.update { $0.configurationName = configuration.name }
    return configuration
  }

  /// Calls the delegate of a new scene with its options.
  ///
  /// A notification response is delivered in its own method, too, as UIKit's notification center does at every start.
  private func callDelegate(
    of scene: Scene, _ options: ConnectionOptions
  ) async throws -> SceneResult {
    do {
      let result: SceneResult = try await scene.delegate.scene(
        scene, willConnectTo: scene.session, options: options)
      guard let response = options.notificationResponse, !scene.hasDeliveredOptions else { return result }
      do { return try await scene.delegate.scene(scene, didReceive: response) } catch is NotImplemented {
        return result
      }
    } catch is NotImplemented {
      return .notHandled
    }
  }

  /// Stores a scene that has received content, with the activity that restores it; if the scene is active, it is the last active one.
  func keep(_ scene: Scene, _ content: RequestContent) async {
    // The user may have activated another window, or hidden this one, while the scene handled the request.
    if scene.nextActivationState == .foregroundActive { application.recordActivation(of: scene.session) }
    let activity = await scene.delegate.stateRestorationActivity(for: scene)
    scene.session.update { $0.setRestoration(activity, orContent: content.restoration) }
    store.save(scene.session)
  }

  func perform(_ directive: ApplicationDirective, _ request: SceneRequest) async throws -> SceneResult {
    let content = request.payload.flatMap(UserActivity.init).map(RequestContent.userActivity) ?? .activate
    let options = ConnectionOptions(content, request)
    switch directive {
    case .start: break
    case .report(let result): await delegate.report(result, application)
    case .connectNew: return try await connect(nil, options: options, content: content)
    case .activate(let identifier):
      let session = try session(identifier)
      guard let scene = application.scene(of: session) else {
        return try await connect(session, options: options, content: content)
      }
      return try await deliver(content, request, to: scene)
    case .refresh(let identifier): store.save(try session(identifier))
    case .disconnect(let identifier): await disconnect(try session(identifier))
    case .destroy(let identifier):
      let session = try session(identifier)
      await disconnect(session)
      application.update { $0.sessions.removeAll { $0 === session } }
      configurations[identifier] = nil
      store.remove(session)
      await delegate.application(application, didDiscardSceneSessions: [session])
    }
    return .handled
  }

  private func session(_ identifier: String) throws(SceneError) -> SceneSession {
    guard let session = application.session(identifier) else { throw .noSuchScene(identifier) }
    return session
  }

  func disconnect(_ session: SceneSession) async {
    guard let scene = application.scene(of: session) else { return }
    let activity = await scene.delegate.stateRestorationActivity(for: scene)
    session.update { $0.setRestoration(activity) }
    await scene.move(to: .unattached)
    application.update { $0.scenes[session.persistentIdentifier] = nil }
    store.save(session)
  }
}

extension RequestContent {
  /// The activity that restores a scene with this content, if the scene's delegate provides none; `nil` without a URL or activity.
  fileprivate var restoration: UserActivity? {
    switch self {
    case .urls(let contexts): contexts.first.map { UserActivity(browsing: $0.urlString) }
    case .userActivity(let activity):
      activity.activityType == UserActivity.browsingWeb
        ? activity.webpageURL.map { UserActivity(browsing: $0) } : activity
    default: nil
    }
  }
}

extension UserActivity {
  /// Creates a browsing activity for a URL, without its user information, query and fragment because these may be secret.
  ///
  /// User information is what precedes an `@` behind `://`, also in the path, and a name with a password without the slashes
  /// (`webcal:user:secret@host`).
  init(browsing url: String) {
    // Scalars, because a combining mark after a delimiter would hide it among the characters.
    let parts = url.unicodeScalars.prefix { $0 != "?" && $0 != "#" }
      .split(separator: "/", omittingEmptySubsequences: false)
    let kept = parts.indices.map { index in
      let part = parts[index]
      guard let at = part.lastIndex(of: "@") else { return String(part) }
      let rest = String(part[part.index(after: at)...])
      if index >= 2, parts[index - 1].isEmpty, parts[index - 2].last == ":" { return rest }
      guard index == 0, let colon = part[..<at].firstIndex(of: ":"), part[..<at].lastIndex(of: ":") != colon
      else { return String(part) }
      return String(part[...colon]) + rest
    }
    self.init(activityType: Self.browsingWeb, webpageURL: kept.joined(separator: "/"))
  }
}
