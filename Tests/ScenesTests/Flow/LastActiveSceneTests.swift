// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import ScenesTesting
import TestSupport
import Testing

@testable import Scenes

/// Tests of the last active scene: that of the last request, or that whose window the user has activated since.
@Suite struct LastActiveSceneTests {
  private actor Delegate: ApplicationDelegate {}

  /// A scene that handles `notes://wait` when the gate is open, and other URLs at once.
  private actor Window: SceneDelegate {
    private let entered, gate: Gate

    init(entered: Gate, gate: Gate) { (self.entered, self.gate) = (entered, gate) }

    func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) async {
      guard contexts.contains(where: { $0.urlString == "notes://wait" }) else { return }
      await entered.open()
      await gate.pass()
    }
  }

  private let entered = Gate()
  private let gate = Gate()

  private func application(in stateDirectory: String? = nil) -> TestApplication {
    var dependencies = Dependencies()
    dependencies.stateDirectory = stateDirectory
    return TestApplication(
      delegate: Delegate(),
      scenes: SceneConfiguration { [entered, gate] in Window(entered: entered, gate: gate) },
      in: dependencies)
  }

  /// Opens two windows, and activates the first one again, like a toolkit.
  private func openWindows(of app: TestApplication) async throws {
    try await app.launch()
    try await app.move(scene: 1, to: .foregroundInactive)
    try await app.openScene()
    try await app.move(scene: 2, to: .foregroundInactive)
    try await app.move(scene: 1, to: .foregroundActive)
    _ = app.takeCalls()
  }

  @Test func `A link and an activation are for the window that the user has activated last`() async throws {
    let app = application()
    try await openWindows(of: app)
    #expect(app.application.connectedScenes.first?.id == app.scene(1)?.id)
    #expect(await app.explain(.activate).scene == 1)
    try await app.open("notes://x")
    #expect(app.takeCalls() == [.sceneOpenURLContexts(1, "notes://x")])
    try await app.move(scene: 1, to: .background)
    try await app.move(scene: 2, to: .foregroundActive)
    _ = app.takeCalls()
    try await app.open("notes://y")
    #expect(app.calls == [.sceneOpenURLContexts(2, "notes://y")])
  }

  @Test func `A window that the user leaves while it handles a link is not the last active one`() async throws
  {
    let app = application()
    try await openWindows(of: app)
    try await app.move(scene: 1, to: .foregroundInactive)
    try await app.move(scene: 2, to: .foregroundActive)
    let request = await app.send("notes://wait")
    await entered.pass()
    try await app.move(scene: 2, to: .foregroundInactive)
    try await app.move(scene: 1, to: .foregroundActive)
    await gate.open()
    #expect(try await request.result == .handled)
    #expect(app.calls.contains(.sceneOpenURLContexts(2, "notes://wait")))
    #expect(await app.explain(.urls(["notes://x"])).scene == 1)
  }

  @Test func `The next process connects the window that the user has activated last`() async throws {
    let directory = try TemporaryDirectory()
    let app = application(in: directory.path)
    try await openWindows(of: app)
    let first = try #require(app.session(1)?.persistentIdentifier)
    try await app.quit()
    let next = application(in: directory.path)
    try await next.launch()
    #expect(next.session()?.persistentIdentifier == first)
    try await next.quit()
    withExtendedLifetime(directory) {}
  }

  @Test func `A window that the user activates is stored at once, so that a crash does not lose the order`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let app = application(in: directory.path)
    try await openWindows(of: app)
    let log = Log()
    // It is handled after the request that stores the session, and writes no file itself.
    app.application.requestSceneSessionActivation(SceneSession("none")) { log.add("\($0)") }
    _ = try await log.next()
    let stored = SceneStore(of: app.application.id, in: directory.path).load().kept
    let sessions = try [1, 2].map { try #require(app.session($0)?.persistentIdentifier) }
    #expect(stored.map(\.persistentIdentifier) == sessions)
    try await app.quit()
    withExtendedLifetime(directory) {}
  }
}
