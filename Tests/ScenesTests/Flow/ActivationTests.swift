// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Scenes
import ScenesTesting
import Testing

/// Tests of the states that a toolkit reports while the application handles a request.
@Suite struct ActivationTests {
  private struct Failure: Error {}

  /// A scene whose toolkit reports a state while the scene handles `notes://STATE/RESULT`.
  private actor Window: SceneDelegate {
    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) async throws {
      for context in options.urlContexts { _ = try await open(context, scene) }
    }
    func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) async throws -> SceneResult {
      var results: [SceneResult] = []
      for context in contexts { results.append(try await open(context, scene)) }
      return .combining(results)
    }
    private func open(_ context: OpenURLContext, _ scene: Scene) async throws -> SceneResult {
      let parts = context.urlString.dropFirst("notes://".count).split(separator: "/")
      if let state = ActivationState(rawValue: String(parts[0])) {
        await scene.application.setActivationState(state, of: scene)
      }
      switch parts.last {
      case "fails": throw Failure()
      case "not-handled": return .notHandled
      default: return .handled
      }
    }
  }

  private actor Delegate: ApplicationDelegate {
    func application(_ application: Application, open context: OpenURLContext) async throws -> SceneResult {
      await application.setActivationState(.background)
      return .handled
    }
  }

  /// An application that shows its window while it launches.
  private actor Launching: ApplicationDelegate {
    private(set) var states: [ActivationState] = []

    func application(
      _ application: Application, willFinishLaunchingWithOptions options: LaunchOptions?
    ) async -> Bool {
      states.append(application.activationState)
      return true
    }
    func application(
      _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?
    ) async -> Bool {
      states.append(application.activationState)
      await application.setActivationState(.foregroundActive)
      return true
    }
    func application(
      _ application: Application, didReceiveRemoteNotification notification: UserNotification
    ) async throws -> BackgroundFetchResult {
      states.append(application.activationState)
      return .newData
    }
    func application(_ application: Application, open context: OpenURLContext) async throws -> SceneResult {
      .handled
    }
  }

  /// Delivers a URL to a scene in a state, and returns the calls about its state and the state at the end.
  private func calls(
    _ url: String, in state: ActivationState
  ) async throws -> (calls: [RecordedCall], state: ActivationState?) {
    let app = TestApplication(delegate: Delegate(), scenes: SceneConfiguration { Window() })
    try await app.launch()
    try await app.move(scene: 1, to: state)
    _ = app.takeCalls()
    _ = try? await app.open(url)
    return (app.takeCalls().filter { $0.content == nil }, app.scene()?.activationState)
  }

  @Test(arguments: ["handled", "fails", "not-handled"])
  func `A window that is hidden during a request remains hidden`(result: String) async throws {
    let active = try await calls("notes://background/\(result)", in: .foregroundActive)
    #expect(active.calls == [.sceneWillResignActive(1), .sceneDidEnterBackground(1)])
    #expect(active.state == .background)
    let hidden = try await calls("notes://background/\(result)", in: .background)
    #expect(hidden.calls == [.sceneWillEnterForeground(1), .sceneDidEnterBackground(1)])
    #expect(hidden.state == .background)
  }

  @Test(arguments: ["handled", "fails", "not-handled"])
  func `A window that gets the focus during a request remains active`(result: String) async throws {
    let hidden = try await calls("notes://foregroundActive/\(result)", in: .background)
    #expect(hidden.calls == [.sceneWillEnterForeground(1), .sceneDidBecomeActive(1)])
    #expect(hidden.state == .foregroundActive)
  }

  @Test
  func `A window without such a report becomes active, or hidden again if it does not handle the request`()
    async throws
  {
    #expect(try await calls("notes://none/handled", in: .background).state == .foregroundActive)
    let refused = try await calls("notes://none/not-handled", in: .background)
    #expect(refused.calls == [.sceneWillEnterForeground(1), .sceneDidEnterBackground(1)])
  }

  @Test func `A window that is hidden while its scene is connected remains hidden`() async throws {
    let app = TestApplication(delegate: Delegate(), scenes: SceneConfiguration { Window() })
    try await app.open("notes://background/handled")
    #expect(app.scene()?.activationState == .background)
    #expect(!app.calls.contains(.sceneDidBecomeActive(1)))
  }

  @Test func `Without scenes, an application that is hidden during a request remains hidden`() async throws {
    let app = TestApplication(delegate: Delegate())
    try await app.open("notes://1")
    #expect(app.application.activationState == .background)
    try await app.open("notes://2")
    #expect(app.application.activationState == .background)
    #expect(
      app.calls.suffix(3) == [
        .applicationWillEnterForeground, .open("notes://2"), .applicationDidEnterBackground,
      ])
  }

  @Test func `Without scenes, a push launches the application in the background until it shows its window`()
    async throws
  {
    let delegate = Launching()
    let app = TestApplication(delegate: delegate)
    try await app.deliver(.remoteNotification(["aps": ["content-available": 1]]))
    #expect(await delegate.states == [.background, .background, .foregroundActive])
    #expect(app.application.activationState == .foregroundActive)
    try await app.open("notes://1")
    try await app.quit()
    #expect(
      app.calls.filter { $0.content == nil } == [
        .applicationWillEnterForeground, .applicationDidBecomeActive, .applicationWillResignActive,
        .applicationDidEnterBackground, .applicationWillTerminate,
      ])
  }

  @Test func `Without scenes, a link launches the application in the foreground`() async throws {
    let delegate = Launching()
    let app = TestApplication(delegate: delegate)
    try await app.open("notes://1")
    #expect(await delegate.states == [.foregroundInactive, .foregroundInactive])
    #expect(app.calls.filter { $0.content == nil } == [.applicationDidBecomeActive])
  }
}
