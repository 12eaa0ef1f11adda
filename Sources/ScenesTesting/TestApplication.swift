// SPDX-License-Identifier: Apache-2.0
public import Scenes
import Synchronization

/// An application under test without a bus: its delegates or its closure run in the same code as on a bus.
///
/// ```swift
/// let app = TestApplication(delegate: NotesDelegate(), scenes: SceneConfiguration { await NoteScene() })
/// try await app.open("notes://note/7")                        // cold: the application is started for it
/// let result = try await app.open(
///   "notes://note/8", from: "org.example.Mail", annotation: ["page": 3])   // warm
/// #expect(result == .handled)
/// #expect(app.calls.last == .sceneOpenURLContexts(
///   1, .url("notes://note/8", from: "org.example.Mail", annotation: ["page": 3])))
/// ```
/// It is independent of the test framework. A test need not quit the application: releasing the last reference ends it.
public final class TestApplication: Sendable {
  let rehearsal: InProcessApplication
  let recorder = CallRecorder()
  private let outside: Outside
  let board: NotificationBoard
  private let life = Mutex(Life.new)

  private enum Life {
    case new
    case running(Task<Result<Void, SceneError>, Never>)
    case ended
  }

  /// Creates an application without scenes, like `SceneApplication.run(delegate:)`.
  public init(delegate: any ApplicationDelegate, in dependencies: Dependencies = Dependencies()) {
    outside = Outside(dependencies)
    board = NotificationBoard(dependencies)
    let receiver = RecordingApplicationDelegate(delegate: delegate, recorder: recorder)
    rehearsal = InProcessApplication(
      .delegate(delegate, receiver: receiver), dependencies: dependencies, outside: outside, board: board)
  }

  /// Creates an application with scenes, like `SceneApplication.run(delegate:scenes:)`.
  public init(
    delegate: any ApplicationDelegate, scenes: SceneConfiguration,
    in dependencies: Dependencies = Dependencies()
  ) {
    outside = Outside(dependencies)
    board = NotificationBoard(dependencies)
    let receiver = RecordingApplicationDelegate(delegate: delegate, recorder: recorder)
    rehearsal = InProcessApplication(
      .scenes(delegate, receiver: receiver, scenes), dependencies: dependencies, outside: outside,
      board: board)
  }

  /// Creates an application with one closure, like `SceneApplication.run(preparing:_:)`.
  public init(
    in dependencies: Dependencies = Dependencies(),
    preparing: @escaping @concurrent @Sendable () async throws -> Void = {},
    _ handler: @escaping @concurrent @Sendable (SceneRequest, Application) async throws -> SceneResult
  ) {
    outside = Outside(dependencies)
    board = NotificationBoard(dependencies)
    let form = InProcessApplication.Form.plain(preparing: preparing) { [recorder] request, application in
      recorder.add(.handler(CallContent(request)))
      return try await handler(request, application)
    }
    rehearsal = InProcessApplication(form, dependencies: dependencies, outside: outside, board: board)
  }

  /// Creates an application with a closure that opens no URLs itself.
  public convenience init(
    in dependencies: Dependencies = Dependencies(),
    preparing: @escaping @concurrent @Sendable () async throws -> Void = {},
    _ handler: @escaping @concurrent @Sendable (SceneRequest) async throws -> SceneResult
  ) {
    self.init(in: dependencies, preparing: preparing) { request, _ in try await handler(request) }
  }

  deinit { life.withLock { if case .running(let run) = $0 { run.cancel() } } }

  /// The application, as its own code sees it.
  public var application: Application { rehearsal.application }

  /// The recorded calls, in order.
  public var calls: [RecordedCall] { recorder.calls }

  /// Returns the calls since the last call of this method, in order, and clears them.
  public func takeCalls() -> [RecordedCall] { recorder.take() }

  /// The URLs that the application opened, in order.
  public var opened: [OutgoingRequest] { outside.opened }

  // MARK: - Life cycle

  /// Launches the application like the user, and returns when the launch is complete; has no effect if it is running.
  ///
  /// - Parameter arguments: its arguments, as a file manager passes them: URLs, and paths of documents.
  /// - Throws: `SceneError.preparationFailed` with the error of its preparation.
  public func launch(arguments: [String] = []) async throws(SceneError) {
    let isNew = start(hasReason: false, arguments)
    guard !hasEnded else { return }
    do throws(SceneError) { try await rehearsal.handle(.start) } catch {
      guard isNew else { throw error }
      _ = try await ending()
      throw error
    }
  }

  /// Starts the run unless it has started before; returns `false` in that case.
  func start(hasReason: Bool, _ arguments: [String] = []) -> Bool {
    life.withLock { [rehearsal] life in
      guard case .new = life else { return false }
      life = .running(
        Task {
          do throws(SceneError) {
            return .success(try await rehearsal.run(hasReason: hasReason, arguments: arguments))
          } catch {
            return .failure(error)
          }
        })
      return true
    }
  }

  var isRunning: Bool { life.withLock { if case .running = $0 { true } else { false } } }

  var hasEnded: Bool { life.withLock { if case .ended = $0 { true } else { false } } }

  /// Quits the application like the user, and returns when all earlier requests are answered; it cannot be launched again.
  public func quit() async throws(SceneError) {
    life.withLock { life in
      switch life {
      case .running(let run): run.cancel()
      case .new, .ended: life = .ended
      }
    }
    try await ending()
  }

  private func ending() async throws(SceneError) {
    guard let run = life.withLock({ if case .running(let run) = $0 { run } else { nil } }) else { return }
    let end = await run.value
    life.withLock { $0 = .ended }
    try end.get()
  }
}

extension InProcessApplication {
  fileprivate init(_ form: Form, dependencies: Dependencies, outside: Outside, board: NotificationBoard) {
    self.init(
      dependencies.applicationID, form, by: outside, triggers: board,
      policy: dependencies.sourceApplicationPolicy,
      webLinks: dependencies.webLinks,
      stateDirectory: dependencies.stateDirectory, runtimeDirectory: dependencies.runtimeDirectory,
      answersCallbacks: dependencies.answersCallbacks)
  }
}
