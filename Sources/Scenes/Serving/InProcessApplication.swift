package import BusInterfaces
import DBus
import Systemd

/// An application without a bus: what the bus would bring, its owner hands over.
///
/// The profiles, the queue and the run are those of ``SceneApplication``; `ScenesTesting` is made of it.
package struct InProcessApplication: Sendable {
  /// In which way the application is written.
  package enum Form: Sendable {
    case plain(
      preparing: @concurrent @Sendable () async throws -> Void,
      handler: @concurrent @Sendable (SceneRequest, Application) async throws -> SceneResult)
    /// `receiver` is called in the place of the delegate.
    case delegate(any ApplicationDelegate, receiver: any ApplicationDelegate)
    case scenes(any ApplicationDelegate, receiver: any ApplicationDelegate, SceneConfiguration)
  }

  /// What a caller is told.
  package enum Answer: Sendable {
    case replied(Reply)
    /// The request was withdrawn.
    case cancelled
    /// The application ended before it could deal with it.
    case failed(String)
  }

  /// The application.
  package let application: Application
  private let server: SceneServer

  /// An application that does not run yet: what is handed to it waits.
  package init(
    _ id: String, _ form: Form, by opener: any URLOpening, policy: SourceApplicationPolicy,
    stateDirectory: String?, runtimeDirectory: String?, answersCallbacks: Bool
  ) {
    let profile: any RequestHandler
    switch form {
    case .plain(let preparing, let handler):
      let application = Application(id, by: opener, policy: policy)
      self.application = application
      profile = ClosureHandler(applicationID: id, preparing: preparing) { try await handler($0, application) }
    case .delegate(let delegate, let receiver):
      application = Application(id, by: opener, delegate, receiver: receiver, policy: policy)
      profile = DelegateHandler(application, receiver)
    case .scenes(let delegate, let receiver, let configuration):
      application = Application(
        id, by: opener, delegate, receiver: receiver, scenes: configuration, policy: policy)
      profile = SceneHandler(application, receiver, SceneStore(of: id, in: stateDirectory))
    }
    server = SceneServer(
      id, at: ApplicationInterface.path(of: id) ?? "/", on: .shared, runtimeDirectory: runtimeDirectory,
      isColdStart: false, callbacks: application.callbacks, answering: answersCallbacks ? opener : nil,
      profile)
    application.update { [server] in $0.server = server }
  }

  /// Runs until the task is cancelled; then all that came before is answered.
  ///
  /// - Parameters:
  ///   - hasReason: whether a request is to come that the program was started for.
  ///   - urls: those among its arguments.
  package func run(hasReason: Bool, arguments urls: [String]) async throws(SceneError) {
    await server.remember()
    let start = LaunchContext(urls: urls, isAwaited: hasReason)
    if let launch = await server.launchRequest(start) { await server.handleFirst(launch) }
    try await ApplicationRun(
      seat: nil, server: server, timeout: nil, hasReason: hasReason || !urls.isEmpty
    ).run(endingSignals: [])
  }

  /// Hands a request over, and returns when it is in the queue.
  package func take(
    _ envelope: Envelope, progress: @escaping @Sendable (RequestProgress) -> Void,
    _ caller: @escaping @Sendable (Answer) -> Void
  ) async {
    let reporter = ProgressReporter(at: nil, progress)
    await server.take(SceneRequest(envelope, reporter: reporter)) { outcome in
      switch outcome {
      case .success(let reply): caller(.replied(reply))
      case .failure(let error):
        caller(error.brokerError == .cancelled ? .cancelled : .failed(error.message))
      }
    }
  }

  /// Withdraws a request.
  package func cancel(_ requestID: String) async { await server.cancel(requestID) }

  /// What the bus and a toolkit do to an application beside its requests; each comes in turn, after them.
  package enum Event: Sendable {
    /// The request does not come that the program was started for.
    case start
    case connectNew
    case disconnect(SceneSession)
    case destroy(SceneSession)
  }

  /// Returns when `event` has been dealt with.
  package func handle(_ event: Event) async throws(SceneError) {
    let directive: SceneDirective =
      switch event {
      case .start: .start
      case .connectNew: .connectNew
      case .disconnect(let session): .disconnect(session.persistentIdentifier)
      case .destroy(let session): .destroy(session.persistentIdentifier)
      }
    do throws(BusError) { try await server.handleOwn(directive, nil) } catch { throw .bus(error) }
  }

  /// Returns when nothing waits and nothing is being handled.
  package func untilIdle() async { await server.waitUntilIdle() }

  /// Says which scene would get a request; its session is `nil` for a new one, and where there are no scenes.
  package func explain(_ envelope: Envelope) async -> (session: String?, steps: [String]) {
    let explanation = await server.profile.explain(SceneRequest(envelope))
    return (explanation.session, explanation.steps)
  }
}
