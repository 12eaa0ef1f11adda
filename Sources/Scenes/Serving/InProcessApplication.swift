// SPDX-License-Identifier: Apache-2.0
package import BusInterfaces
import DBus
import Systemd

/// An application without a bus, whose owner passes it the requests that the bus would deliver.
///
/// The handlers, the queue and the run are those of ``SceneApplication``. `ScenesTesting` builds on it.
package struct InProcessApplication: Sendable {
  /// The form of an application: one closure, a delegate, or a delegate with scenes.
  package enum Form: Sendable {
    case plain(
      preparing: @concurrent @Sendable () async throws -> Void,
      handler: @concurrent @Sendable (SceneRequest, Application) async throws -> SceneResult)
    /// `receiver` is called instead of the delegate.
    case delegate(any ApplicationDelegate, receiver: any ApplicationDelegate)
    case scenes(any ApplicationDelegate, receiver: any ApplicationDelegate, SceneConfiguration)
  }

  /// The answer to a caller.
  package enum Answer: Sendable {
    case replied(Reply)
    /// The caller has cancelled the request.
    case cancelled
    /// The application terminated before it could handle the request.
    case failed(String)
  }

  /// The application.
  package let application: Application
  private let server: SceneServer

  /// Creates an application that does not run yet: its requests are queued until it runs.
  package init(
    _ id: String, _ form: Form, by opener: any URLOpening, triggers: any TriggersService,
    policy: SourceApplicationPolicy, webLinks: WebLinkDelivery,
    stateDirectory: String?, runtimeDirectory: String?, answersCallbacks: Bool
  ) {
    let requestHandler: any RequestHandler
    switch form {
    case .plain(let preparing, let handler):
      let application = Application(
        id, by: opener, triggers: triggers, policy: policy, webLinks: webLinks)
      self.application = application
      requestHandler = ClosureHandler(applicationID: id, preparing: preparing) {
        try await handler($0, application)
      }
    case .delegate(let delegate, let receiver):
      application = Application(
        id, by: opener, triggers: triggers, delegate, receiver: receiver, policy: policy,
        webLinks: webLinks)
      requestHandler = DelegateHandler(application, receiver)
    case .scenes(let delegate, let receiver, let configuration):
      application = Application(
        id, by: opener, triggers: triggers, delegate, receiver: receiver, scenes: configuration,
        policy: policy,
        webLinks: webLinks)
      requestHandler = SceneHandler(
        application, delegate: receiver, store: SceneStore(of: id, in: stateDirectory))
    }
    server = SceneServer(
      id, at: ApplicationInterface.path(of: id) ?? "/", on: .shared, runtimeDirectory: runtimeDirectory,
      isColdStart: false, callbacks: application.callbacks, answering: answersCallbacks ? opener : nil,
      requestHandler)
    application.update { [server] in $0.server = server }
  }

  /// Runs until the task is cancelled, then answers the requests that arrived before.
  ///
  /// - Parameters:
  ///   - hasReason: `true` if the program was started for a request that is still to arrive.
  ///   - arguments: the program's arguments, of which the URLs and documents are opened.
  package nonisolated(nonsending) func run(hasReason: Bool, arguments: [String]) async throws(SceneError) {
    await server.remember()
    let start = LaunchContext(urls: LaunchArguments(arguments).urls, isAwaited: hasReason)
    if let launch = await server.launchRequest(start) { await server.handleFirst(launch) }
    try await ApplicationRun(
      busRegistration: nil, server: server, timeout: nil, hasReason: hasReason || !start.urls.isEmpty
    ).run(terminationSignals: [])
  }

  /// Enqueues a request, and returns when it is in the queue.
  package nonisolated(nonsending) func enqueue(
    _ envelope: Envelope, progress: @escaping @Sendable (RequestProgress) -> Void,
    _ caller: @escaping @Sendable (Answer) -> Void
  ) async {
    let reporter = ProgressReporter(at: nil, progress)
    await server.callBegan(nil)
    await server.enqueue(SceneRequest(envelope, reporter: reporter, isLocal: false)) { [server] outcome in
      defer { server.assumeIsolated { $0.callEnded(nil) } }
      switch outcome {
      case .success(let reply): caller(.replied(reply))
      case .failure(let error):
        caller(error.brokerError == .cancelled ? .cancelled : .failed(error.message))
      }
    }
  }

  /// Cancels a request.
  package nonisolated(nonsending) func cancel(_ requestID: String) async { await server.cancel(requestID) }

  /// A lifecycle event from the bus or a toolkit; it is handled in order, after the requests before it.
  package enum Event: Sendable {
    /// The request for which the program was started does not arrive.
    case start
    case connectNew
    case disconnect(SceneSession)
    case destroy(SceneSession)
  }

  /// Handles an event, and returns when that is finished.
  package nonisolated(nonsending) func handle(_ event: Event) async throws(SceneError) {
    let directive: ApplicationDirective =
      switch event {
      case .start: .start
      case .connectNew: .connectNew
      case .disconnect(let session): .disconnect(session.persistentIdentifier)
      case .destroy(let session): .destroy(session.persistentIdentifier)
      }
    do { try await server.handleOwn(directive, nil) } catch let error as SceneError {
      throw error
    } catch {
      throw .bus(error as? BusError ?? BusError(.targetFailed, "\(error)"))
    }
  }

  /// Waits until the queue is empty and no request is being handled.
  package nonisolated(nonsending) func untilIdle() async { await server.waitUntilIdle() }

  /// Explains which scene would receive a request; the session is `nil` for a new scene, and if there are no scenes.
  package nonisolated(nonsending) func explain(_ envelope: Envelope) async -> (
    session: String?, steps: [String]
  ) {
    let explanation = await server.requestHandler.explain(SceneRequest(envelope))
    return (explanation.session, explanation.steps)
  }
}
