// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import Scenes
import ScenesTesting
import Synchronization
import Systemd
import TestSupport
import Testing

/// The thread of a main loop of GLib, which is GTK's.
private final class HostThread: Sendable {
  static let shared: HostThread = {
    do { return HostThread(try HostedExecutor(), try GLibLibrary()) } catch { fatalError("\(error)") }
  }()

  let executor: HostedExecutor
  private let library: GLibLibrary
  private let thread = Mutex<pthread_t?>(nil)

  private init(_ executor: HostedExecutor, _ library: GLibLibrary) {
    (self.executor, self.library) = (executor, library)
    Thread.detachNewThread { [self] in
      executor.attach()
      thread.withLock { $0 = pthread_self() }
      do throws(TestSupportError) {
        try library.run(
          watching: executor.descriptor,
          { _, _, data in
            guard let data else { return 0 }
            Unmanaged<HostedExecutor>.fromOpaque(data).takeUnretainedValue().run()
            return 1
          }, Unmanaged.passUnretained(executor).toOpaque(), started: { _ in })
      } catch {
        fatalError("\(error)")
      }
    }
  }

  /// A Boolean value that is `true` on the thread of the loop, in a call of the loop.
  var isCurrent: Bool { library.isDispatching && thread.withLock { $0 == pthread_self() } }
}

@globalActor private actor Toolkit {
  static let shared = Toolkit()
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    HostThread.shared.executor.asUnownedSerialExecutor()
  }
}

/// The actor that a method runs on, and whether its executor runs it.
private struct Isolation: Hashable, Sendable, CustomStringConvertible {
  var description: String

  /// Describes the isolation of the caller, which it verifies at run time.
  init(_ isolation: isolated (any Actor)? = #isolation) {
    switch isolation {
    case nil: description = "none"
    case let actor? where actor === MainActor.shared:
      MainActor.preconditionIsolated()
      description = "main actor"
    case let actor? where actor === Toolkit.shared:
      actor.preconditionIsolated()
      description = HostThread.shared.isCurrent ? "toolkit" : "toolkit, on another thread"
    case let actor?:
      actor.preconditionIsolated()
      description = "own actor"
    }
  }
}

// Each class has sync and async methods, and state that only its actor may change.

@MainActor private final class MainDelegate: ApplicationDelegate, SceneDelegate {
  var seen: [Isolation] = []
  func application(
    _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?
  ) async -> Bool {
    await Task.yield()
    seen.append(Isolation())
    return true
  }
  func application(_ application: Application, open url: URL, options: OpenURLOptions) -> Bool {
    seen.append(Isolation())
    return true
  }
  func applicationDidBecomeActive(_ application: Application) async { seen.append(Isolation()) }
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) async throws {
    seen.append(Isolation())
  }
  func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) { seen.append(Isolation()) }
  func sceneDidBecomeActive(_ scene: Scene) async { seen.append(Isolation()) }
}

@Toolkit private final class ToolkitDelegate: ApplicationDelegate, SceneDelegate {
  var seen: [Isolation] = []
  func application(
    _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?
  ) async -> Bool {
    await Task.yield()
    seen.append(Isolation())
    return true
  }
  func application(_ application: Application, open url: URL, options: OpenURLOptions) -> Bool {
    seen.append(Isolation())
    return true
  }
  func applicationDidBecomeActive(_ application: Application) async { seen.append(Isolation()) }
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) async throws {
    seen.append(Isolation())
  }
  func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) { seen.append(Isolation()) }
  func sceneDidBecomeActive(_ scene: Scene) async { seen.append(Isolation()) }
}

private actor OwnDelegate: ApplicationDelegate, SceneDelegate {
  var seen: [Isolation] = []
  func application(
    _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?
  ) async -> Bool {
    await Task.yield()
    seen.append(Isolation())
    return true
  }
  func application(_ application: Application, open url: URL, options: OpenURLOptions) -> Bool {
    seen.append(Isolation())
    return true
  }
  func applicationDidBecomeActive(_ application: Application) async { seen.append(Isolation()) }
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) async throws {
    seen.append(Isolation())
  }
  func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) { seen.append(Isolation()) }
  func sceneDidBecomeActive(_ scene: Scene) async { seen.append(Isolation()) }
}

private final class FreeDelegate: ApplicationDelegate, SceneDelegate {
  let seen: @Sendable (Isolation) -> Void
  init(_ seen: @escaping @Sendable (Isolation) -> Void) { self.seen = seen }
  func application(
    _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?
  ) async -> Bool {
    await Task.yield()
    seen(Isolation())
    return true
  }
  func application(_ application: Application, open url: URL, options: OpenURLOptions) -> Bool {
    seen(Isolation())
    return true
  }
  func applicationDidBecomeActive(_ application: Application) async { seen(Isolation()) }
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) async throws {
    seen(Isolation())
  }
  func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) { seen(Isolation()) }
  func sceneDidBecomeActive(_ scene: Scene) async { seen(Isolation()) }
}

@Suite struct `Delegate methods, sync and async` {
  /// Opens a URL cold and warm in both flows: seven calls, of which five are of async methods.
  private func play(_ delegate: any ApplicationDelegate & SceneDelegate) async throws {
    let plain = TestApplication(delegate: delegate)
    #expect(try await plain.open("notes://a") == .handled)
    let scenes = TestApplication(delegate: delegate, scenes: SceneConfiguration { delegate })
    #expect(try await scenes.open("notes://a") == .handled)
    #expect(try await scenes.open("notes://b") == .handled)
  }

  private static let calls = 7

  private func expect(_ seen: [Isolation], _ isolation: String) {
    #expect(seen.map(\.description) == Array(repeating: isolation, count: Self.calls))
  }

  @Test func `of the main actor run on it`() async throws {
    let delegate = MainDelegate()
    try await play(delegate)
    expect(await delegate.seen, "main actor")
  }

  @Test func `of another global actor run on it, on the thread of its GLib main loop`() async throws {
    let delegate = ToolkitDelegate()
    try await play(delegate)
    expect(await delegate.seen, "toolkit")
  }

  @Test func `of an actor run on it`() async throws {
    let delegate = OwnDelegate()
    try await play(delegate)
    expect(await delegate.seen, "own actor")
  }

  @Test func `of a class without isolation run on no actor`() async throws {
    let seen = Collected()
    try await play(FreeDelegate { isolation in seen.add(isolation.description) })
    #expect(seen.lines == Array(repeating: "none", count: Self.calls))
  }

  @Test func `of a closure run on the actor that it declares`() async throws {
    let seen = Collected()
    let onMain = TestApplication { @MainActor _ in
      seen.add(Isolation().description)
      return .handled
    }
    let onToolkit = TestApplication { try await note($0, in: seen) }
    let free = TestApplication { _ in
      seen.add(Isolation().description)
      return .handled
    }
    for application in [onMain, onToolkit, free] { try await application.open("notes://a") }
    #expect(seen.lines == ["main actor", "toolkit", "none"])
  }
}

@Toolkit private func note(_ request: SceneRequest, in seen: Collected) async throws -> SceneResult {
  await Task.yield()
  seen.add(Isolation().description)
  return .handled
}

/// Lines that several isolations add.
private final class Collected: Sendable {
  private let stored = Mutex<[String]>([])
  func add(_ line: String) { stored.withLock { $0.append(line) } }
  var lines: [String] { stored.withLock { $0 } }
}
