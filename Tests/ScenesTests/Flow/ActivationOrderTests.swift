// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Scenes
import ScenesTesting
import TestSupport
import Testing

/// Tests of changes of the activation state that meet, and of the state that the delegate reads in their calls.
@Suite struct ActivationOrderTests {
  private actor Delegate: ApplicationDelegate {}

  /// A scene that waits when it resigns active.
  private actor ClosingWindow: SceneDelegate {
    private let entered, gate: Gate

    init(entered: Gate, gate: Gate) { (self.entered, self.gate) = (entered, gate) }

    func sceneWillResignActive(_ scene: Scene) async {
      await entered.open()
      await gate.pass()
    }
  }

  /// An application that waits when it enters the background.
  private actor Background: ApplicationDelegate {
    private let entered, gate: Gate

    init(entered: Gate, gate: Gate) { (self.entered, self.gate) = (entered, gate) }

    func applicationWillResignActive(_ application: Application) async {
      await entered.open()
      await gate.pass()
    }
  }

  /// A scene that waits in one of its calls of `sceneWillEnterForeground(_:)`.
  private actor Window: SceneDelegate {
    private let entered, gate: Gate
    private var remainingCalls: Int

    init(entered: Gate, gate: Gate, remainingCalls: Int) {
      (self.entered, self.gate, self.remainingCalls) = (entered, gate, remainingCalls)
    }

    func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) {}
    func sceneWillEnterForeground(_ scene: Scene) async {
      remainingCalls -= 1
      guard remainingCalls == 0 else { return }
      await entered.open()
      await gate.pass()
    }
  }

  private actor Observer: SceneDelegate {
    private var states: [String] = []

    func takeStates() -> [String] {
      defer { states = [] }
      return states
    }
    func sceneWillEnterForeground(_ scene: Scene) { add("willEnterForeground", scene) }
    func sceneDidBecomeActive(_ scene: Scene) { add("didBecomeActive", scene) }
    func sceneWillResignActive(_ scene: Scene) { add("willResignActive", scene) }
    func sceneDidEnterBackground(_ scene: Scene) { add("didEnterBackground", scene) }
    func sceneDidDisconnect(_ scene: Scene) { add("didDisconnect", scene) }
    private func add(_ call: String, _ scene: Scene) { states.append("\(call): \(scene.activationState)") }
  }

  @Test func `A window that is hidden while its scene enters the foreground does not become active`()
    async throws
  {
    let (entered, gate) = (Gate(), Gate())
    let app = TestApplication(
      delegate: Delegate(),
      scenes: SceneConfiguration { Window(entered: entered, gate: gate, remainingCalls: 1) })
    let request = await app.send("notes://1")
    await entered.pass()
    try await app.move(scene: 1, to: .background)
    await gate.open()
    _ = try await request.result
    #expect(app.calls.suffix(2) == [.sceneWillEnterForeground(1), .sceneDidEnterBackground(1)])
    #expect(app.scene()?.activationState == .background)
  }

  @Test func `A URL waits for the calls about a window that the user shows`() async throws {
    let (entered, gate) = (Gate(), Gate())
    let window = Window(entered: entered, gate: gate, remainingCalls: 2)
    let app = TestApplication(delegate: Delegate(), scenes: SceneConfiguration { window })
    try await app.launch()
    try await app.move(scene: 1, to: .background)
    _ = app.takeCalls()
    async let shown: Void = app.move(scene: 1, to: .foregroundActive)
    await entered.pass()
    let request = await app.send("notes://1")
    for _ in 1...100 { await Task.yield() }
    await gate.open()
    _ = try await request.result
    try await shown
    #expect(
      app.calls == [
        .sceneWillEnterForeground(1), .sceneDidBecomeActive(1), .sceneOpenURLContexts(1, "notes://1"),
      ])
  }

  @Test func `A window that is hidden while it closes is disconnected`() async throws {
    let (entered, gate) = (Gate(), Gate())
    let app = TestApplication(
      delegate: Delegate(), scenes: SceneConfiguration { ClosingWindow(entered: entered, gate: gate) })
    try await app.launch()
    async let closed: Void = app.disconnect()
    await entered.pass()
    try await app.move(scene: 1, to: .background)
    await gate.open()
    try await closed
    #expect(app.calls.suffix(2) == [.sceneDidEnterBackground(1), .sceneDidDisconnect(1)])
  }

  @Test func `Without scenes, the application terminates after the calls about its window`() async throws {
    let (entered, gate) = (Gate(), Gate())
    let app = TestApplication(delegate: Background(entered: entered, gate: gate))
    try await app.launch()
    async let hidden: Void = app.move(to: .background)
    await entered.pass()
    async let terminated: Void = app.quit()
    for _ in 1...100 { await Task.yield() }
    await gate.open()
    try await terminated
    await hidden
    #expect(app.calls.suffix(2) == [.applicationDidEnterBackground, .applicationWillTerminate])
  }

  @Test func `A call reads the state that UIKit has in it`() async throws {
    let observer = Observer()
    let app = TestApplication(delegate: Delegate(), scenes: SceneConfiguration { observer })
    try await app.launch()
    let launch = await observer.takeStates()
    #expect(launch == ["willEnterForeground: unattached", "didBecomeActive: foregroundActive"])
    try await app.move(scene: 1, to: .background)
    let hidden = await observer.takeStates()
    #expect(hidden == ["willResignActive: foregroundActive", "didEnterBackground: background"])
    try await app.move(scene: 1, to: .foregroundActive)
    let shown = await observer.takeStates()
    #expect(shown == ["willEnterForeground: background", "didBecomeActive: foregroundActive"])
    try await app.disconnect()
    let closed = await observer.takeStates()
    #expect(closed.last == "didDisconnect: unattached")
  }
}
