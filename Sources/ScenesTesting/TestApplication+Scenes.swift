// SPDX-License-Identifier: Apache-2.0
public import Scenes

/// Actions of a toolkit and of the user on the scenes of an application under test, by the number of the scene.
extension TestApplication {
  /// Returns the scene with a number; `nil` if it is not connected.
  public func scene(_ number: Int = 1) -> Scene? { session(number).flatMap(application.scene(of:)) }

  /// Returns the session with a number; `nil` if there is none.
  public func session(_ number: Int = 1) -> SceneSession? {
    guard let identifier = recorder.session(number) else { return nil }
    return application.openSessions.first { $0.persistentIdentifier == identifier }
  }

  /// Opens a new window like the user, and returns when its scene is connected.
  public func openScene() async throws(SceneError) {
    try await launch()
    if !hasEnded { try await rehearsal.handle(.connectNew) }
  }

  /// Sets the activation state of a scene's window.
  ///
  /// - Throws: `SceneError.noSuchScene` if the scene is not connected.
  public func move(scene number: Int, to state: ActivationState) async throws(SceneError) {
    guard let scene = scene(number) else { throw .noSuchScene("\(number)") }
    await application.setActivationState(state, of: scene)
  }

  /// Sets the activation state of an application without scenes.
  public func move(to state: ActivationState) async { await application.setActivationState(state) }

  /// Disconnects a scene because its window closed; the session remains.
  ///
  /// - Throws: `SceneError.noSuchScene` if the session does not exist.
  public func disconnect(scene number: Int = 1) async throws(SceneError) {
    try await rehearsal.handle(.disconnect(try known(number)))
  }

  /// Destroys the session of a scene whose window the user closed permanently.
  ///
  /// - Throws: `SceneError.noSuchScene` if the session does not exist.
  public func destroy(scene number: Int = 1) async throws(SceneError) {
    try await rehearsal.handle(.destroy(try known(number)))
  }

  /// Waits until all requests are handled, including the application's own requests for its scenes and for its registration for
  /// remote notifications.
  public func untilIdle() async {
    await application.untilRegistered()
    await rehearsal.untilIdle()
  }

  private func known(_ number: Int) throws(SceneError) -> SceneSession {
    guard let session = session(number) else { throw .noSuchScene("\(number)") }
    return session
  }
}
