// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Synchronization
import Systemd

/// The application's object on the bus.
extension SceneServer {
  nonisolated func object() -> BusObject {
    BusObject(
      path,
      [
        .method(Application1Interface.deliver) { call, envelope async throws(BusError) in
          try await self.answering(envelope["request-id"]?.string) { () async throws(BusError) in
            try await self.deliver(call, envelope)
          }
        },
        .method(Application1Interface.cancel) { call, requestID async throws(BusError) in
          try await self.answering { () async throws(BusError) in try await self.cancel(call, requestID) }
        },
        .method(Application1Interface.explain) { call, envelope async throws(BusError) in
          try await self.answering { () async throws(BusError) in try await self.explain(call, envelope) }
        },
        .signal(Application1Interface.progress),
        .method(ApplicationInterface.activate) { call, data async throws(BusError) in
          try await self.answering { () async throws(BusError) in try await self.activate(call, data) }
        },
        .method(ApplicationInterface.open, limit: RequestSize.limit) {
          call, uris, data async throws(BusError) in
          try await self.answering { () async throws(BusError) in
            try await self.open(call, uris: uris, data: data)
          }
        },
        .method(ApplicationInterface.activateAction) { call, action, parameter, data async throws(BusError) in
          try await self.answering { () async throws(BusError) in
            try await self.activateAction(call, action: action, parameter: parameter, data: data)
          }
        },
      ])
  }

  /// Counts a call as unsent from its arrival until its reply is sent.
  ///
  /// - Parameter requestID: The ID of the request that the call delivers.
  nonisolated(nonsending) private func answering<Value: Sendable>(
    _ requestID: String? = nil, _ body: nonisolated(nonsending) () async throws(BusError) -> Value
  ) async throws(BusError) -> Value {
    await callBegan(requestID)
    // The connection sends the reply in the turn of the loop in which this returns; the submitted block runs after
    // it.
    defer { loop.submit { self.assumeIsolated { $0.callEnded(requestID) } } }
    return try await body()
  }

  /// Starts to follow the owner of the broker's name.
  func watchBroker(on bus: BusConnection) async throws(BusError) {
    let owners = try await bus.owners(of: BrokerInterface.busName)
    Task { [weak self] in
      for await owner in owners { await self?.brokerChanged(to: owner) }
    }
  }

  /// Records the owner of the broker's name; `nil` if it has none or if it is no longer valid.
  func brokerChanged(to owner: BusName?) { broker.ownerChanged(to: owner) }

  /// Throws `AccessDenied` unless the caller is the broker.
  private func admit(_ call: BusCall) async throws(BusError) {
    try await broker.admit(call)
    isColdStart = false
  }

  private func deliver(
    _ call: BusCall, _ entries: [String: Variant]
  ) async throws(BusError) -> [String: Variant] {
    try await admit(call)
    let envelope = try decoded(Envelope(entries))
    let reporter = reporter(of: envelope.requestID, to: call)
    return try await handle(SceneRequest(envelope, reporter: reporter, isLocal: false)).entries
  }

  /// Returns a reporter that sends the progress of a delivered request to the broker.
  ///
  /// The recipient is the current owner of the broker's name, which may differ from the broker that delivered the
  /// request.
  private func reporter(of requestID: String, to call: BusCall) -> ProgressReporter {
    let (bus, path) = (call.connection, path)
    return ProgressReporter { progress in
      bus.loop.submit {
        // The error is dropped because a lost bus accepts no signals, and no code depends on the signal.
        bus.assumeIsolated { bus in
          try? bus.emit(
            Application1Interface.progress, from: path, to: BrokerInterface.busName, requestID,
            progress.entries)
        }
      }
    }
  }

  private func cancel(_ call: BusCall, _ requestID: String) async throws(BusError) {
    try await admit(call)
    // The broker concludes from the order of the replies that the request was not handled.
    if cancel(requestID) { await waitUntilSent(requestID) }
  }

  private func explain(
    _ call: BusCall, _ entries: [String: Variant]
  ) async throws(BusError) -> [String: Variant] {
    try await broker.admit(call)
    let envelope = try decoded(Envelope(entries))
    let explanation = await requestHandler.explain(SceneRequest(envelope))
    var answer: [String: Variant] = ["steps": .strings(explanation.steps)]
    answer["scene"] = explanation.session.map(Variant.string)
    return answer
  }

  private func open(
    _ call: BusCall, uris: [String], data: [String: Variant]
  ) async throws(BusError) {
    let request: SceneRequest
    if try await broker.isCaller(of: call) {
      request = SceneRequest(try decoded(Envelope(urls: uris, platformDataFromBroker: data)))
    } else {
      guard !uris.isEmpty else { throw BusError(.invalidRequest, "there is no URL to open") }
      request = SceneRequest(unverified(uris, data), isLocal: true)
    }
    let reply = try await handle(request)
    if let error = reply.error { throw BusError(.targetFailed, error) }
    guard reply.handled else { throw BusError(.notHandled, "\(applicationID) does not open this") }
  }

  private func activate(_ call: BusCall, _ data: [String: Variant]) async throws(BusError) {
    var envelope = unverified([], data)
    envelope.reason = .activate
    let reply = try await handle(SceneRequest(envelope, isLocal: true))
    if let error = reply.error { throw BusError(.targetFailed, error) }
  }

  private func activateAction(
    _ call: BusCall, action: String, parameter: [Variant], data: [String: Variant]
  ) async throws(BusError) {
    var envelope = unverified([], data)
    envelope.reason = .shortcutItem
    envelope.desktopAction = action
    if let value = parameter.first {
      envelope.payload = try decoded(PropertyList(value, at: "parameter"))
    }
    let reply = try await handle(SceneRequest(envelope, isLocal: true))
    if let error = reply.error { throw BusError(.targetFailed, error) }
    guard reply.handled else { throw BusError(.notHandled, "\(applicationID) has no action \(action)") }
  }

  private func unverified(_ urls: [String], _ data: [String: Variant]) -> Envelope {
    var envelope = Envelope(requestID: localRequestID(), urls: urls, unverifiedPlatformData: data)
    envelope.application = applicationID
    envelope.assurance = .unknown
    envelope.delivery = isColdStart ? .launch : .running
    envelope.permitChangesOfDocuments()
    isColdStart = false
    return envelope
  }

  /// Returns the request in this process's arguments; `nil` if they contain no URL.
  func launchRequest(_ start: LaunchContext) -> SceneRequest? {
    guard !start.urls.isEmpty else { return nil }
    var envelope = Envelope(requestID: localRequestID(), urls: start.urls)
    envelope.application = applicationID
    envelope.assurance = .unknown
    envelope.activationToken = start.activationToken
    envelope.delivery = .launch
    envelope.permitChangesOfDocuments()
    return SceneRequest(envelope, isLocal: true)
  }

  /// Handles a directive of the application itself, in the order of the queue.
  ///
  /// - Throws: The error of the handler, or ``BusError`` if the application is terminating.
  func handleOwn(_ directive: ApplicationDirective, _ activity: UserActivity?) async throws {
    var envelope = Envelope(requestID: localRequestID(), urls: [])
    envelope.application = applicationID
    envelope.reason = activity == nil ? .activate : .userActivity
    envelope.payload = activity?.payload
    let thrown = Mutex<(any Error)?>(nil)
    var request = SceneRequest(envelope, directive: directive, isLocal: true)
    request.receiveError = { error in thrown.withLock { $0 = error } }
    let reply = try await handle(request)
    if let error = thrown.withLock({ $0 }) { throw error }
    if let error = reply.error { throw BusError(.targetFailed, error) }
  }

  /// Returns an ID for a request without one; it never equals an ID of the broker.
  private func localRequestID() -> String {
    localRequests += 1
    return "local-\(String(UInt64.random(in: .min ... .max), radix: 16))-\(localRequests)"
  }
}
