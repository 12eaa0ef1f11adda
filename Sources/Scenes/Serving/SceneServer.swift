// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Glibc
import Systemd

/// The queue of one application's requests: it handles one at a time, in order, and answers each once.
///
/// An application may handle several at a time. They begin in order, and it names each to the broker when it begins.
///
/// The actor runs on the connection's event loop, so that requests stay in order between the bus and the queue.
actor SceneServer {
  typealias Outcome = Result<Reply, BusError>
  /// A function that receives the outcome of a request once.
  typealias Caller = @Sendable (Outcome) -> Void

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  let applicationID: String
  /// The path of the application's object.
  let path: ObjectPath
  let requestHandler: any RequestHandler
  /// The callbacks for which the application waits; no handler receives their answers.
  private let callbacks: PendingCallbacks
  /// Opens the callback URLs of callers; `nil` if the application does not answer callbacks.
  let answering: (any URLOpening)?
  /// The number of callback URLs that are being opened.
  private var pendingAnswers = 0
  private var phase = Phase.starting
  /// A Boolean value that is `true` if the server waits neither for handlers nor for the requests in the queue any longer.
  private var isAbandoned = false
  private var queue: [SceneRequest] = []
  /// The requests that are being handled, by ID.
  private var running: [String: Task<Void, Never>] = [:]
  /// The IDs of the running requests whose callers have cancelled them.
  private var cancelled: Set<String> = []
  private let maximumConcurrentRequests: Int
  /// The requests that a handler did not read; they are answered when the application has released its name.
  private var declined: [String] = []
  private var callers: [String: [Caller]] = [:]
  private var memory = RequestDeduplicator()
  /// The directory of the deduplication journal; `nil` if requests are remembered only until the process exits.
  private let runtimeDirectory: String?
  /// The error of the journal that could not be read; `nil` if the journal was read, or if the application has no journal.
  private var journalError: UnreadableJournal?
  private let readJournal: DeduplicationLog.PartReader
  private var unsent = UnsentReplies()
  private var idleWaiters: [CheckedContinuation<Void, Never>] = []

  let broker = BrokerIdentity()
  /// A Boolean value that is `true` if the next request is the one for which the bus started this process.
  var isColdStart: Bool
  var localRequests = 0

  /// The phases of a server, in their order.
  private enum Phase: Comparable {
    /// The process does not own the application's name: it might be a second instance, and the journal belongs to the first one.
    case starting
    /// The application prepares itself, and requests wait.
    case preparing
    /// Requests are handled.
    case serving
    /// No further request is begun, because the application releases its name.
    case leaving
    /// Requests are rejected, and the application handles its termination.
    case closed
    /// The application has handled its termination.
    case terminated
  }

  /// Creates a server whose request journal is in `runtimeDirectory`; `nil` keeps it in memory only.
  init(
    _ applicationID: String, at path: ObjectPath, on loop: EventLoop, runtimeDirectory: String?,
    isColdStart: Bool, callbacks: PendingCallbacks, answering: (any URLOpening)?,
    maximumConcurrentRequests: Int = 1,
    readJournal: @escaping DeduplicationLog.PartReader = DeduplicationLog.pread,
    _ requestHandler: any RequestHandler
  ) {
    self.applicationID = applicationID
    self.path = path
    self.loop = loop
    self.isColdStart = isColdStart
    self.requestHandler = requestHandler
    self.callbacks = callbacks
    self.answering = answering
    self.runtimeDirectory = runtimeDirectory
    self.maximumConcurrentRequests = maximumConcurrentRequests
    self.readJournal = readJournal
  }

  /// Opens the request journal; called once this process owns the application's name.
  func remember() {
    guard phase == .starting else { return }
    phase = .preparing
    openJournal()
  }

  /// Opens the journal, unless it is open or locked by another process: an instance that is exiting, or one on another bus.
  private func openJournal() {
    guard phase > .starting, phase < .closed, !memory.hasJournal else { return }
    let flatpakID = getenv("FLATPAK_ID").map { String(cString: $0) }
    do throws(UnreadableJournal) {
      guard
        let journal = try DeduplicationLog(
          of: applicationID, in: runtimeDirectory, flatpakID: flatpakID, readPart: readJournal)
      else { return }
      try memory.attach(journal)
      journalError = nil
    } catch {
      if journalError == nil { printError("\(applicationID): \(error)") }
      journalError = error
      // It may contain answers to requests that are already queued.
      let unknown = queue.filter(\.mayBeInJournal).map(\.requestID)
      queue.removeAll { unknown.contains($0.requestID) }
      for id in unknown { answer(id, .failure(Self.unknown(error))) }
      return
    }
    // The journal may contain answers to requests that are already queued.
    for request in queue {
      guard let known = answer(to: request.requestID) else { continue }
      queue.removeAll { $0.requestID == request.requestID }
      answer(request.requestID, known)
    }
  }

  /// Handles `request` after all earlier requests, or returns the recorded answer if the request is repeated.
  func handle(_ request: SceneRequest) async throws(BusError) -> Reply {
    // Enqueued inside the closure, because the continuation may begin in a later turn of the loop.
    let outcome = await withCheckedContinuation { (caller: CheckedContinuation<Outcome, Never>) in
      enqueue(request) { caller.resume(returning: $0) }
    }
    return try outcome.get()
  }

  /// Enqueues a request after all earlier ones; a repeated request gets the recorded answer.
  func enqueue(_ request: SceneRequest, _ caller: @escaping Caller) {
    let id = request.requestID
    // A handler may wait for a callback answer, so that the answer must not wait in the queue behind it.
    if let reply = callbacks.consume(request) { return caller(.success(reply)) }
    guard phase < .closed else { return caller(.failure(exited)) }
    openJournal()
    if callers[id] == nil {
      if let known = answer(to: id) { return caller(known) }
      if let journalError, request.mayBeInJournal {
        return caller(.failure(Self.unknown(journalError)))
      }
      if request.isLocal { memory.addLocal(id) }
      queue.append(request)
    }
    callers[id, default: []].append(caller)
    // The call is that of another broker, which does not know what the application named before.
    if running[id] != nil, maximumConcurrentRequests > 1 { request.reporter?.begin() }
    handleNext()
  }

  /// Returns the recorded outcome of a repeated request; `nil` if the request is to be handled.
  private func answer(to id: String) -> Outcome? {
    switch memory[id] {
    case .answered(let reply): .success(reply)
    case .withdrawn: .failure(Self.withdrawn)
    case .unknown(let reason): .failure(BusError(.targetFailed, reason))
    case .begun(RequestDeduplicator.attempts...):
      .failure(CrashedTwice(applicationID: applicationID).busError)
    case .begun, nil: nil
    }
  }

  /// The error is that of a name without an owner, so that the sender knows that the request was not delivered.
  private var exited: BusError {
    BusError(.nameHasNoOwner, "\(applicationID) has exited and did not accept the request")
  }

  private static var withdrawn: BusError {
    BusError(.cancelled, "the request was cancelled while it was handled")
  }

  /// The error of a repeated request whose earlier answer may be in a journal that cannot be read.
  private static func unknown(_ error: UnreadableJournal) -> BusError {
    BusError(.targetFailed, "the outcome is unknown: \(error)")
  }

  /// Enqueues `request` before all others; its outcome has no recipient.
  func handleFirst(_ request: SceneRequest) {
    if request.isLocal { memory.addLocal(request.requestID) }
    queue.insert(request, at: 0)
    callers[request.requestID] = []
    handleNext()
  }

  /// Records that a running request begins once more, because the program to which the handler passed it has crashed.
  func beginAgain(_ requestID: String) throws(CrashedTwice) {
    guard let state = memory[requestID], state.times < RequestDeduplicator.attempts else {
      throw CrashedTwice(applicationID: applicationID)
    }
    memory.begin(requestID)
  }

  /// Starts to handle the queued requests, unless the application terminates already.
  func becomeReady() {
    guard phase == .preparing else { return }
    phase = .serving
    handleNext()
  }

  /// Cancels a request; the handler of a running request is asked to stop.
  ///
  /// - Returns: Whether the request was waiting, so that its handler is not called.
  @discardableResult
  func cancel(_ requestID: String) -> Bool {
    if let task = running[requestID] {
      cancelled.insert(requestID)
      task.cancel()
    }
    guard let index = queue.firstIndex(where: { $0.requestID == requestID }) else { return false }
    queue.remove(at: index)
    // A broker that has not received this answer repeats the request, which must not be handled then.
    memory.end(requestID, .withdrawn)
    answer(requestID, .failure(BusError(.cancelled, "the request was cancelled")))
    return true
  }

  /// Shuts down: handles the requests that have arrived, releases the application's name, and rejects the requests that arrive later.
  ///
  /// - Parameters:
  ///   - error: The error of the preparation, with which the queued requests are answered; `nil` if it succeeded.
  ///   - registration: The registration with the name; `nil` in a test without a bus.
  func shutDown(after error: SceneError?, releasing registration: BusRegistration?) async {
    if let error { refuseAll(error) }
    await leave()
    if let registration {
      _ = try? await registration.connection.releaseName(registration.name)
      // The bus preserves order, so that all messages sent before the name was released have arrived by now.
      await broker.drain(on: registration.connection, timeout: registration.brokerTimeout)
    }
    await close()
    await terminate()
  }

  /// Cancels the running handlers, and waits for them, their answers and their callbacks for at most `timeout`; the queued requests
  /// are rejected.
  func abandon(after timeout: Duration = .seconds(2)) async {
    for task in running.values { task.cancel() }
    phase = max(phase, .leaving)
    wakeIdlers()
    if phase == .leaving { try? await loop.sleep(for: timeout) }
    isAbandoned = true
    wakeIdlers()
  }

  /// Answers all queued requests with the error of the preparation: their handler is not called.
  ///
  /// An earlier instance may have handled a part of a repeated request, unless the journal shows that it has not.
  private func refuseAll(_ error: SceneError) {
    let refused = queue
    queue = []
    for request in refused {
      let isUnknown = memory[request.requestID] != nil || request.mayBeInJournal && !memory.hasJournal
      let reply = Reply(failure: error)
      finish(
        request.requestID,
        isUnknown ? .unknown(reply.error ?? "") : .replied(reply))
    }
  }

  /// Waits until all requests are handled, and begins no later one.
  ///
  /// Without the bus name, the application must not handle a request: a broker that is started in the meantime sends it
  /// to the next instance. Later requests wait until they are rejected, as do all if the application never became ready.
  private func leave() async {
    if phase < .serving {
      phase = .leaving
      wakeIdlers()
    }
    repeat { await waitUntilIdle() } while !isIdle
    phase = .leaving
  }

  /// Rejects the requests that were not begun, and later ones, as not delivered; returns when their replies are sent.
  private func close() async {
    phase = .closed
    // Without the bus name, the application receives no answer, and its launch, which may wait for one, would delay the exit.
    callbacks.endAll(with: .notOpened(.cancelled, "the application exits"))
    let rejected = declined + queue.map(\.requestID)
    for requestID in rejected { answer(requestID, .failure(exited)) }
    declined = []
    queue = []
    // The next instance may open the journal.
    memory.detach()
    for requestID in rejected { await waitUntilSent(requestID) }
  }

  /// Notifies the application of its termination, and waits until it has handled that and every reply is sent.
  private func terminate() async {
    Task {
      await requestHandler.terminate()
      phase = .terminated
      wakeIdlers()
    }
    await waitUntilIdle()
  }

  /// Waits until the queue is empty, no request is being handled and every reply is sent.
  func waitUntilIdle() async {
    // Checked inside the closure, because the continuation may begin in a later turn of the loop.
    await withCheckedContinuation { if isIdle { $0.resume() } else { idleWaiters.append($0) } }
  }

  /// Counts a call whose reply is still to be sent; `requestID` is the request that it delivers.
  func callBegan(_ requestID: String?) { unsent.add(requestID) }

  /// Counts a sent reply.
  func callEnded(_ requestID: String?) {
    unsent.remove(requestID)
    wakeIdlers()
  }

  /// Waits until the replies to all calls that delivered a request are sent.
  func waitUntilSent(_ requestID: String) async {
    await withCheckedContinuation { waiter in unsent.whenSent(requestID) { waiter.resume() } }
  }

  private var isIdle: Bool {
    guard !isAbandoned else { return true }
    return phase != .closed && (queue.isEmpty || phase >= .leaving) && running.isEmpty
      && unsent.count == waitingForClose && pendingAnswers == 0
  }

  /// The number of calls that are answered when the application has released its name.
  private var waitingForClose: Int {
    // A request of the application itself is not a call.
    let queued = phase >= .leaving ? queue.filter { $0.directive == nil }.map(\.requestID) : []
    return (declined + queued).reduce(0) { $0 + (callers[$1]?.count ?? 0) }
  }

  private func wakeIdlers() {
    guard isIdle else { return }
    for idler in idleWaiters { idler.resume() }
    idleWaiters = []
  }

  /// Reserves the callback of a request, and returns `false` if it was reserved before, even before a crash.
  func beginCallback(_ request: SceneRequest) -> Bool {
    guard request.isLocal || memory.recordReported(request.requestID) else { return false }
    pendingAnswers += 1
    return true
  }

  /// Records that a callback URL has been opened.
  func endCallback() {
    pendingAnswers -= 1
    wakeIdlers()
  }

  private func handleNext() {
    guard phase == .serving, running.count < maximumConcurrentRequests, !queue.isEmpty else {
      return wakeIdlers()
    }
    openJournal()
    guard let next = queue.first, mayBegin(next.requestID) else { return wakeIdlers() }
    var request = queue.removeFirst()
    memory.begin(request.requestID)
    // The journal has the exact number; the broker knows only that the application had the request when it exited.
    if let times = memory[request.requestID]?.times, times > 1 || memory.hasJournal {
      request.envelope.isRedelivered = times > 1
    }
    if maximumConcurrentRequests > 1 { request.reporter?.begin() }
    let callbackError: MessageError?
    do throws(MessageError) {
      request.callback = try callback(of: request)
      callbackError = nil
    } catch {
      callbackError = error
    }
    request.restart = { [id = request.requestID] () async throws(CrashedTwice) in
      try await self.beginAgain(id)
    }
    let task = Task { [request] in
      let handled =
        if let callbackError {
          HandlerOutcome.replied(
            Reply(handled: false, error: "the callback is invalid: \(callbackError)".transferable))
        } else {
          await SceneRequest.$current.withValue(request) {
            await outcome(of: request)
          }
        }
      finish(request.requestID, handled)
    }
    running[request.requestID] = task
    handleNext()
  }

  /// Returns whether a request may begin beside those that are being handled.
  ///
  /// A request that a crash interrupted is handled alone, so that its second crash is not charged to another request. The
  /// broker cannot see to that if it exited together with the application.
  private func mayBegin(_ requestID: String) -> Bool {
    let isRepeated = (memory[requestID]?.times ?? 0) > 0
    return running.isEmpty || !isRepeated && !running.keys.contains { (memory[$0]?.times ?? 0) > 1 }
  }

  /// The outcome of a handler, before its request is answered.
  private enum HandlerOutcome {
    case replied(Reply)
    /// The handler did not accept the request, which is delivered to the next instance.
    case notRead
    /// The request may have had its effect; the text is the reason.
    case unknown(String)
    case withdrawn
  }

  private func finish(_ requestID: String, _ handled: HandlerOutcome) {
    running[requestID] = nil
    cancelled.remove(requestID)
    let outcome: Outcome
    switch handled {
    case .replied(var reply):
      reply.isRedelivered = memory[requestID].map { $0.times > 1 } ?? false
      memory.end(requestID, .answered(reply))
      outcome = .success(reply)
    case .notRead:
      memory.recordNotRead(requestID)
      declined.append(requestID)
      return handleNext()
    case .unknown(let reason):
      memory.end(requestID, .unknown(reason))
      outcome = .failure(BusError(.targetFailed, reason))
    case .withdrawn:
      memory.end(requestID, .withdrawn)
      outcome = .failure(Self.withdrawn)
    }
    answer(requestID, outcome)
    handleNext()
  }

  private func answer(_ requestID: String, _ outcome: Outcome) {
    for caller in callers.removeValue(forKey: requestID) ?? [] { caller(outcome) }
    wakeIdlers()
  }

  private func outcome(of request: SceneRequest) async -> HandlerOutcome {
    let result: Result<SceneResult, any Error>
    do {
      let value = try await requestHandler.handle(request)
      try value.reply.value?.validate(at: "the answer's value")
      result = .success(value)
    } catch {
      request.receiveError?(error)
      // The second signal cancels the handler, too, which may have had an effect; its caller has not cancelled the request. The
      // error may be that of a cancelled call of the handler.
      let isStopped =
        Task.isCancelled && !cancelled.contains(request.requestID) && !(error is RequestNotRead)
      result = .failure(
        isStopped ? OutcomeUnknown("the application was ended while it handled the request") : error)
    }
    request.callback?.close(result)
    switch result {
    case .success(let value): return .replied(value.reply)
    case .failure(is RequestNotRead): return .notRead
    case .failure(let error as CrashedTwice): return .unknown(error.description)
    case .failure(let error as OutcomeUnknown): return .unknown(error.reason.transferable)
    case .failure(let error) where error is CancellationError && Task.isCancelled: return .withdrawn
    case .failure(let error): return .replied(Reply(failure: error))
    }
  }
}
