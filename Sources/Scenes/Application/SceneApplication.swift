import BusInterfaces
public import DBus
import Glibc
import Systemd

/// An application that receives requests to open URLs, cold and warm through one path.
///
/// ```swift
/// try await SceneApplication("org.example.Notes").run { request in
///   guard let note = Note(request.urlString) else { return .notHandled }
///   try await open(note)
///   return .handled(["note": .integer(note.number)])
/// }
/// ```
///
/// A second instance hands its URLs to the first one and is done. Requests are handled one at a time, in the
/// order in which they came; those that come before the application is ready wait. A request whose handler has
/// returned is never handed to it again, not after a crash either; one whose handler a crash cut off is handed over
/// once more, and its caller is told so.
public struct SceneApplication: Sendable {
  /// How a run came to its end.
  public enum Ending: Hashable, Sendable {
    /// A signal, or the cancellation of the task, ended it; all that came before was answered.
    case stopped
    /// Another instance is running and has taken over what this one was started for.
    case forwarded
  }

  /// The desktop-file ID, which is the name on the bus too.
  public let id: String
  /// The bus; the user's own unless told otherwise.
  public var bus = BusAddress.user
  /// The arguments that may be URLs; the process's own unless told otherwise.
  public var arguments = Array(CommandLine.arguments.dropFirst())
  /// The session's folder, in which requests are noted that a crash must not repeat; `XDG_RUNTIME_DIR` unless told
  /// otherwise, `nil` for none.
  public var runtimeDirectory = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
  /// The folder in which the sessions of scenes are kept; `XDG_STATE_HOME` unless told otherwise, `nil` for none.
  public var stateDirectory = Self.stateHome
  /// Whose names ``OpenURLOptions/sourceApplication`` tells.
  public var sourceApplicationPolicy = SourceApplicationPolicy.verified
  /// Whether callers in the form of x-callback-url are answered by their URLs, as ``RequestCallback`` says.
  ///
  /// Where it is not, such a URL is a URL like any other. Whoever turns it on opens URLs that callers name, in the application's
  /// name: a web page may have it open a link of any scheme but `XCallbackURL.forbiddenSchemes`.
  public var answersCallbacks = false
  /// How long an application with a delegate that was started for a request waits for it before it starts without.
  public var launchTimeout = Duration.seconds(5)
  /// The signals that end the application; the second one ends it without waiting for the handler.
  public var endingSignals: [Int32] = [SIGTERM, SIGINT]

  /// How long a broker that hangs may keep the application when it ends.
  var brokerTimeout = Duration.seconds(1)
  /// How the process was started, where a test says so.
  var processStart: LaunchContext?

  /// An application by its desktop-file ID, which must be a valid bus name.
  public init(_ id: String) { self.id = id }

  /// Receives requests until a signal or the cancellation of the task ends it.
  ///
  /// - Parameters:
  ///   - preparing: what must be done before the first request is handled. The name is taken already, and
  ///     requests wait: whoever starts the application waits for its name only.
  ///   - handler: deals with one request. What it throws, its caller is told.
  /// - Returns: whether this instance ran, or handed its URLs to one that was running.
  @discardableResult
  public func run(
    preparing: @escaping @concurrent @Sendable () async throws -> Void = {},
    _ handler: @escaping @concurrent @Sendable (SceneRequest) async throws -> SceneResult
  ) async throws(SceneError) -> Ending {
    try await serve { application in
      ClosureHandler(applicationID: application.id, preparing: preparing, handler: handler)
    }
  }

  /// The same for a handler that opens URLs itself.
  @discardableResult
  public func run(
    preparing: @escaping @concurrent @Sendable () async throws -> Void = {},
    _ handler: @escaping @concurrent @Sendable (SceneRequest, Application) async throws -> SceneResult
  ) async throws(SceneError) -> Ending {
    try await serve { application in
      ClosureHandler(applicationID: application.id, preparing: preparing) {
        try await handler($0, application)
      }
    }
  }

  /// Runs an application without scenes, in UIKit's flow: the launch options, then the call that the reason has.
  ///
  /// ```swift
  /// try await SceneApplication("org.example.Notes").run(delegate: await NotesDelegate())
  /// ```
  @discardableResult
  public func run(delegate: any ApplicationDelegate) async throws(SceneError) -> Ending {
    try await serve(delegate) { DelegateHandler($0, delegate) }
  }

  /// Runs an application with scenes, in UIKit's flow: the launch without options, then a scene is connected with them.
  ///
  /// ```swift
  /// try await SceneApplication("org.example.Notes").run(
  ///   delegate: await NotesDelegate(), scenes: SceneConfiguration { await NoteScene() })
  /// ```
  @discardableResult
  public func run(
    delegate: any ApplicationDelegate, scenes: SceneConfiguration
  ) async throws(SceneError) -> Ending {
    let store = SceneStore(of: id, in: stateDirectory)
    return try await serve(delegate, scenes) { SceneHandler($0, delegate, store) }
  }

  private func serve(
    _ delegate: (any ApplicationDelegate)? = nil, _ scenes: SceneConfiguration? = nil,
    _ profile: (Application) -> any RequestHandler
  ) async throws(SceneError) -> Ending {
    guard let name = BusName(id), let path = ApplicationInterface.path(of: id) else {
      throw .invalidApplicationID(id)
    }
    let start = processStart ?? LaunchContext.current(arguments: arguments)
    let connection: BusConnection
    do throws(SceneError) { connection = try await connect() } catch {
      guard Task.isCancelled else { throw error }
      return .stopped
    }
    let application = Application(
      id, by: BrokerClient(on: connection), delegate, scenes: scenes, policy: sourceApplicationPolicy)
    let isAwaited = start.isAwaited && start.urls.isEmpty
    let server = SceneServer(
      id, at: path, on: connection.loop, runtimeDirectory: runtimeDirectory, isColdStart: isAwaited,
      callbacks: application.callbacks, answering: answersCallbacks ? application.opener : nil,
      profile(application))
    application.update { $0.server = server }
    let seat = BusRegistration(name: name, connection: connection, brokerTimeout: brokerTimeout)
    do throws(BusError) {
      try await server.watchBroker(on: connection)
      // Before the name: calls that waited for the name arrive with it.
      try await connection.export(server.object())
    } catch {
      await connection.close()
      guard Task.isCancelled else { throw .bus(error) }
      return .stopped
    }
    do throws(SceneError) {
      guard try await seat.takeName(orForward: start, to: path) else { return .forwarded }
    } catch {
      // Whoever is told to end before it has begun has ended.
      guard Task.isCancelled else { throw error }
      return .stopped
    }
    await server.remember()
    // Of those that this process waits for there can be none yet.
    let links = LaunchContext(
      urls: start.urls.filter { !PendingCallbacks.isAnswer($0) }, activationToken: start.activationToken)
    if let launch = await server.launchRequest(links) { await server.handleFirst(launch) }
    let run = ApplicationRun(
      seat: seat, server: server, timeout: isAwaited && delegate != nil ? launchTimeout : nil,
      hasReason: isAwaited || !links.urls.isEmpty)
    try await run.run(endingSignals: endingSignals)
    return .stopped
  }

  private func connect() async throws(SceneError) -> BusConnection {
    do throws(BusError) {
      return try await BusConnection.open(bus)
    } catch {
      throw .noBus(error)
    }
  }

  /// `XDG_STATE_HOME`, else what the Base Directory Specification says in its place.
  private static var stateHome: String? {
    if let state = getenv("XDG_STATE_HOME").map({ String(cString: $0) }), state.hasPrefix("/") {
      return state
    }
    return getenv("HOME").map { "\(String(cString: $0))/.local/state" }
  }
}
