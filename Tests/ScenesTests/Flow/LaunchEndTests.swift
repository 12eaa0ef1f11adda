// SPDX-License-Identifier: Apache-2.0
import Scenes
import ScenesTesting
import TestSupport
import Testing

/// Tests of the calls of an application that the user starts, and that is asked to exit before its launch is complete.
@Suite struct `An application that is asked to exit while it launches` {
  private actor Quick: ApplicationDelegate {}

  /// A delegate whose last call takes several turns.
  private actor Lingering: ApplicationDelegate {
    private(set) var events: [String] = []

    func applicationWillTerminate(_ application: Application) async {
      for _ in 1...100 { await Task.yield() }
      events.append("exits")
    }
  }

  /// A delegate that calls another application with a callback while it launches, and when it exits.
  private actor Calling: ApplicationDelegate {
    private let log: Log

    init(log: Log) { self.log = log }

    func application(
      _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?
    ) async -> Bool {
      await call("bear:launch", application)
      return true
    }
    func applicationWillTerminate(_ application: Application) async { await call("bear:exit", application) }

    private func call(_ url: String, _ application: Application) async {
      do {
        let answer = try await application.open(url, callbackURLScheme: "notes")
        log.add("\(url): \(answer)")
      } catch {
        log.add("\(url): \(error)")
      }
    }
  }

  private struct Failure: Error {}

  /// A delegate that waits while it launches.
  private actor Slow: ApplicationDelegate {
    private let entered, gate: Gate
    private(set) var events: [String] = []

    init(entered: Gate, gate: Gate) { (self.entered, self.gate) = (entered, gate) }

    func application(
      _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?
    ) async -> Bool {
      await entered.open()
      await gate.pass()
      events.append("has launched")
      return true
    }
    func applicationWillTerminate(_ application: Application) { events.append("exits") }
  }

  /// A scene that waits while it is connected, and then throws an error if it has one.
  private actor Window: SceneDelegate {
    private let entered, gate: Gate
    private let failure: Failure?

    init(entered: Gate, gate: Gate, failure: Failure? = nil) {
      (self.entered, self.gate) = (entered, gate)
      self.failure = failure
    }

    func scene(
      _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
    ) async throws {
      await entered.open()
      await gate.pass()
      if let failure { throw failure }
    }
  }

  private let entered = Gate()
  private let gate = Gate()

  /// Launches an application, asks it to exit while a method of it waits, lets the method continue, and returns the calls after the exit.
  private func calls(of app: TestApplication) async throws -> [RecordedCall] {
    async let launch: Void = app.launch()
    await entered.pass()
    async let exit: Void = app.quit()
    // It is rejected when the application has released its name; the call about the end would follow at once.
    await #expect(throws: RequestFailure.self) { try await app.open("notes://1") }
    for _ in 1...100 { await Task.yield() }
    #expect(!app.calls.contains(.applicationWillTerminate))
    await gate.open()
    try await exit
    // The launch as a whole has failed.
    _ = try? await launch
    return app.calls
  }

  @Test func `completes its launching methods first`() async throws {
    let delegate = Slow(entered: entered, gate: gate)
    let calls = try await calls(of: TestApplication(delegate: delegate))
    #expect(
      calls == [
        .willFinishLaunching(nil), .didFinishLaunching(nil), .applicationDidEnterBackground,
        .applicationWillTerminate,
      ])
    #expect(await delegate.events == ["has launched", "exits"])
  }

  @Test func `connects no scene after its launching methods`() async throws {
    let delegate = Slow(entered: entered, gate: gate)
    let app = TestApplication(
      delegate: delegate,
      scenes: SceneConfiguration { [entered, gate] in Window(entered: entered, gate: gate) }
    )
    let calls = try await calls(of: app)
    #expect(calls == [.willFinishLaunching(nil), .didFinishLaunching(nil), .applicationWillTerminate])
    #expect(await delegate.events == ["has launched", "exits"])
  }

  private let callsWithScene: [RecordedCall] = [
    .willFinishLaunching(nil), .didFinishLaunching(nil), .configurationForConnecting(1, nil),
    .sceneWillConnect(1, nil), .sceneWillEnterForeground(1), .sceneDidBecomeActive(1),
    .sceneWillResignActive(1), .sceneDidEnterBackground(1), .sceneDidDisconnect(1),
    .applicationWillTerminate,
  ]

  @Test func `disconnects the scene that is being connected`() async throws {
    let app = TestApplication(
      delegate: Quick(),
      scenes: SceneConfiguration { [entered, gate] in Window(entered: entered, gate: gate) })
    #expect(try await calls(of: app) == callsWithScene)
    #expect(app.scene() == nil)
  }

  /// The error counted as the second signal, after which the exit waits for nothing.
  @Test func `completes its exit if the scene cannot be connected`() async throws {
    let delegate = Lingering()
    let app = TestApplication(
      delegate: delegate,
      scenes: SceneConfiguration { [entered, gate] in
        Window(entered: entered, gate: gate, failure: Failure())
      })
    #expect(try await calls(of: app) == callsWithScene)
    #expect(await delegate.events == ["exits"])
    #expect(app.scene() == nil)
  }

  /// Without its name, the application cannot receive the answer.
  @Test func `waits for no callback after it has released its name`() async throws {
    let log = Log()
    var dependencies = Dependencies()
    dependencies.opening = { [entered, opening = dependencies.opening] request async throws(SceneError) in
      await entered.open()
      return try await opening(request)
    }
    let app = TestApplication(delegate: Calling(log: log), in: dependencies)
    async let launch: Void = app.launch()
    await entered.pass()
    async let exit: Void = app.quit()
    #expect(try await log.next() == "bear:launch: the application exits")
    #expect(try await log.next() == "bear:exit: the application exits")
    try await exit
    // The launch as a whole has failed.
    _ = try? await launch
    #expect(app.opened.count == 1)
  }
}
