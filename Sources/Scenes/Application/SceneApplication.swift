// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
public import DBus
import Glibc
import Systemd

/// An application that receives requests to open URLs, at launch and while it runs, in one handler.
///
/// ```swift
/// await SceneApplication("org.example.Notes").main { request in
///   guard let note = Note(request.urlString) else { return .notHandled }
///   try await open(note)
///   return .handled(["note": .integer(note.number)])
/// }
/// ```
///
/// A second instance forwards its URLs to the first one and returns. Requests are handled one at a time, in the order
/// of arrival; requests that arrive before the application is ready wait. A request whose handler has returned is
/// never handled again, even after a crash. A request that a crash interrupted is delivered once more, and the reply
/// says so.
public struct SceneApplication: Sendable {
  /// The result of a run.
  public enum RunResult: Hashable, Sendable {
    /// A signal or the cancellation of the task stopped the run; all earlier requests were answered.
    case stopped
    /// Another instance is running and received the URLs of this one.
    case forwarded
  }

  /// The desktop-file ID, which is also the bus name.
  public let id: String
  /// The address of the bus; by default the user bus.
  public var bus = BusAddress.user
  /// The arguments that may be URLs or documents; by default those of the process.
  ///
  /// URLs, paths that begin with `/`, `./` or `../`, and names of existing files are opened; a path arrives as a file
  /// URL. Options, which begin with `-`, and all other arguments are left to the application. After `--`, every
  /// argument is opened. If the application has subcommands, or options with
  /// values, set this property to the arguments that it has not parsed itself.
  public var arguments = Array(CommandLine.arguments.dropFirst())
  /// The runtime directory with the journal of requests that must not be repeated after a crash.
  ///
  /// By default the value of `XDG_RUNTIME_DIR`; `nil` for no journal.
  public var runtimeDirectory = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
  /// The directory with the stored sessions of scenes; by default `XDG_STATE_HOME`, `nil` stores none.
  public var stateDirectory = Self.stateHome
  /// The policy that decides which names ``OpenURLOptions/sourceApplication`` contains.
  public var sourceApplicationPolicy = SourceApplicationPolicy.verified
  /// The form in which http and https links arrive; by default as URLs.
  public var webLinks = WebLinkDelivery.urls
  /// A Boolean value that is `true` if callers in the form of x-callback-url are answered, as ``RequestCallback`` describes.
  ///
  /// If it is `false`, such a URL is handled like any other. If it is `true`, callers choose URLs that are opened in
  /// the application's name: a web page can open a link of any scheme except `XCallbackURL.forbiddenSchemes`.
  public var answersCallbacks = false
  /// The longest time that an application with a delegate waits for its launch request before it launches without one.
  public var launchTimeout = Duration.seconds(5)
  /// The signals that stop the application; the second signal cancels the handler, and stops the application after at most two seconds.
  public var terminationSignals: [Int32] = [SIGTERM, SIGINT]

  /// The maximum number of requests that are handled at a time.
  package var maximumConcurrentRequests = 1
  /// The longest time that a hanging broker can delay the application's exit.
  var brokerTimeout = Duration.seconds(1)
  /// A function that reads a part of the journal; set only by tests.
  var readJournal: DeduplicationLog.PartReader = DeduplicationLog.pread
  /// The launch context of the process; set only by tests.
  var processStart: LaunchContext?

  /// Creates an application from its desktop-file ID, which must be a valid bus name.
  public init(_ id: String) { self.id = id }

  /// Receives requests until a signal or the cancellation of the task stops it.
  ///
  /// - Parameters:
  ///   - preparing: runs before the first request is handled. The process already owns the name, and requests wait,
  ///     because the program that starts the application waits only for its name.
  ///   - handler: handles one request. The caller receives the error that it throws.
  /// - Returns: the reason why the run ended: stopped, or forwarded to a running instance.
  @discardableResult
  public nonisolated(nonsending) func run(
    preparing: @escaping @concurrent @Sendable () async throws -> Void = {},
    _ handler: @escaping @concurrent @Sendable (SceneRequest) async throws -> SceneResult
  ) async throws(SceneError) -> RunResult {
    try await serve { application in
      ClosureHandler(applicationID: application.id, preparing: preparing, handler: handler)
    }
  }

  /// Receives requests with a handler that can open URLs itself.
  @discardableResult
  public nonisolated(nonsending) func run(
    preparing: @escaping @concurrent @Sendable () async throws -> Void = {},
    _ handler: @escaping @concurrent @Sendable (SceneRequest, Application) async throws -> SceneResult
  ) async throws(SceneError) -> RunResult {
    try await serve { application in
      ClosureHandler(applicationID: application.id, preparing: preparing) {
        try await handler($0, application)
      }
    }
  }

  /// Runs an application without scenes, in UIKit's flow: the launch options, then the delegate method of the launch reason.
  ///
  /// ```swift
  /// await SceneApplication("org.example.Notes").main(delegate: await NotesDelegate())
  /// ```
  @discardableResult
  public nonisolated(nonsending) func run(delegate: any ApplicationDelegate) async throws(SceneError)
    -> RunResult
  {
    try await serve(delegate) { DelegateHandler($0, delegate) }
  }

  /// Runs an application with scenes, in UIKit's flow: the launch without options, then the connection of a scene with them.
  ///
  /// ```swift
  /// await SceneApplication("org.example.Notes").main(
  ///   delegate: await NotesDelegate(), scenes: SceneConfiguration { await NoteScene() })
  /// ```
  @discardableResult
  public nonisolated(nonsending) func run(
    delegate: any ApplicationDelegate, scenes: SceneConfiguration
  ) async throws(SceneError) -> RunResult {
    let store = SceneStore(of: id, in: stateDirectory)
    return try await serve(delegate, scenes: scenes) { SceneHandler($0, delegate: delegate, store: store) }
  }

  private nonisolated(nonsending) func serve(
    _ delegate: (any ApplicationDelegate)? = nil, scenes: SceneConfiguration? = nil,
    requestHandler: (Application) -> any RequestHandler
  ) async throws(SceneError) -> RunResult {
    guard let name = BusName(id), let path = ApplicationInterface.path(of: id) else {
      throw .invalidApplicationID(id)
    }
    if let delegate { DelegateWarnings.print(delegate, of: id) }
    var start = processStart ?? LaunchContext.current(arguments: arguments)
    let connection: BusConnection
    do throws(SceneError) { connection = try await connect() } catch {
      guard Task.isCancelled else { throw error }
      return .stopped
    }
    let application = Application(
      id, by: BrokerClient(on: connection), triggers: TriggersClient(on: connection, of: id), delegate,
      scenes: scenes, policy: sourceApplicationPolicy, webLinks: webLinks)
    let isAwaited = start.isAwaited && start.urls.isEmpty
    let server = SceneServer(
      id, at: path, on: connection.loop, runtimeDirectory: runtimeDirectory, isColdStart: isAwaited,
      callbacks: application.callbacks, answering: answersCallbacks ? application.opener : nil,
      maximumConcurrentRequests: maximumConcurrentRequests, readJournal: readJournal,
      requestHandler(application))
    application.update { $0.server = server }
    let busRegistration = BusRegistration(name: name, connection: connection, brokerTimeout: brokerTimeout)
    do throws(BusError) {
      try await server.watchBroker(on: connection)
      // The object is exported before the name is requested, because calls that waited for the name arrive with it.
      try await connection.export(server.object())
    } catch {
      await connection.close()
      guard Task.isCancelled else { throw .bus(error) }
      return .stopped
    }
    do throws(SceneError) {
      guard try await busRegistration.acquireName(orForward: &start, to: path) else { return .forwarded }
    } catch {
      // A task that is cancelled before the run begins is a stopped run.
      guard Task.isCancelled else { throw error }
      return .stopped
    }
    await server.remember()
    // A new process has no pending callbacks, so that a callback answer among its arguments has no recipient.
    let links = LaunchContext(
      urls: start.urls.filter { !PendingCallbacks.isAnswer($0) }, activationToken: start.activationToken)
    if let launch = await server.launchRequest(links) { await server.handleFirst(launch) }
    let run = ApplicationRun(
      busRegistration: busRegistration, server: server,
      timeout: isAwaited && delegate != nil ? launchTimeout : nil,
      hasReason: isAwaited || !links.urls.isEmpty)
    try await run.run(terminationSignals: terminationSignals)
    return .stopped
  }

  private nonisolated(nonsending) func connect() async throws(SceneError) -> BusConnection {
    do throws(BusError) {
      return try await BusConnection.open(bus)
    } catch {
      throw .noBus(error)
    }
  }

  /// The value of `XDG_STATE_HOME`, or the default of the Base Directory Specification; `nil` without a home directory.
  private static var stateHome: String? {
    if let state = getenv("XDG_STATE_HOME").map({ String(cString: $0) }), state.hasPrefix("/") {
      return state
    }
    return getenv("HOME").map { "\(String(cString: $0))/.local/state" }
  }
}
