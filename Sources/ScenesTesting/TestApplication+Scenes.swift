public import Scenes

/// What a toolkit and a person do to the scenes of an application that is tested, by their numbers.
extension TestApplication {
  /// The scene of a number, `nil` while it is not connected.
  public func scene(_ number: Int = 1) -> Scene? { session(number).flatMap(application.scene(of:)) }

  /// The session of a number, `nil` where there is none.
  public func session(_ number: Int = 1) -> SceneSession? {
    guard let identifier = recorder.session(number) else { return nil }
    return application.openSessions.first { $0.persistentIdentifier == identifier }
  }

  /// A person opens a further window; returns when it is connected.
  public func openScene() async throws(SceneError) {
    try await launch()
    if !hasEnded { try await rehearsal.handle(.connectNew) }
  }

  /// What becomes of a scene's window.
  /// - Throws: `SceneError.noSuchScene` where it is not connected.
  public func move(scene number: Int, to state: ActivationState) async throws(SceneError) {
    guard let scene = scene(number) else { throw .noSuchScene("\(number)") }
    await application.setActivationState(state, of: scene)
  }

  /// What becomes of the window of an application without scenes.
  public func move(to state: ActivationState) async { await application.setActivationState(state) }

  /// A scene's window is gone, and its session stays.
  /// - Throws: `SceneError.noSuchScene`.
  public func disconnect(scene number: Int = 1) async throws(SceneError) {
    try await rehearsal.handle(.disconnect(try known(number)))
  }

  /// A person has closed a scene's window for good.
  /// - Throws: `SceneError.noSuchScene`.
  public func destroy(scene number: Int = 1) async throws(SceneError) {
    try await rehearsal.handle(.destroy(try known(number)))
  }

  /// Returns when all that came has been dealt with, what the application asked of its own scenes too.
  public func untilIdle() async { await rehearsal.untilIdle() }

  private func known(_ number: Int) throws(SceneError) -> SceneSession {
    guard let session = session(number) else { throw .noSuchScene("\(number)") }
    return session
  }
}
