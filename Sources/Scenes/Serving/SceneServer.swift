import BusInterfaces
import DBus
import Glibc
import Systemd

/// The requests of one application: they wait in order, one is handled at a time, each is answered once.
///
/// It lives on the connection's loop, so that nothing overtakes anything between the bus and the queue.
actor SceneServer {
  typealias Outcome = Result<Reply, BusError>
  /// Who gets an answer, once.
  typealias Caller = @Sendable (Outcome) -> Void

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  let applicationID: String
  /// Where the application's object is.
  let path: ObjectPath
  let profile: any RequestHandler
  /// Answers to what the application has asked others; nobody's handler gets them.
  private let callbacks: PendingCallbacks
  /// Opens the URLs by which callers are answered; `nil` where the application does not answer so.
  let answering: (any URLOpening)?
  /// Callers who are being told by a URL.
  private var answersUnderWay = 0
  private var isReady = false
  private var isAbandoned = false
  /// Whether what comes now is refused: nobody would be here to handle it.
  private var isClosed = false
  private var queue: [SceneRequest] = []
  private var current: (id: String, task: Task<Void, Never>)?
  private var callers: [String: [Caller]] = [:]
  private var memory = RequestDeduplicator()
  /// Where requests are remembered beyond the end of the application; `nil` for nowhere.
  private let runtimeDirectory: String?
  /// Whether the application's name is ours, so that the journal is.
  private var isOwner = false
  /// Calls whose reply was not sent yet.
  private var unsent = 0
  private var idleWaiters: [CheckedContinuation<Void, Never>] = []
  /// Whether the application is being told that it ends.
  private var isTerminating = false

  /// The owner of the broker's name, as far as the bus has told.
  var broker: BusName?
  /// Calls that wait for the bus to say who owns the broker's name.
  var asking = 0
  /// Whether the next request is what the bus started us for.
  var isColdStart: Bool
  var localRequests = 0

  /// A server that remembers requests in `runtimeDirectory`, beyond its own end; `nil` remembers them until then.
  init(
    _ applicationID: String, at path: ObjectPath, on loop: EventLoop, runtimeDirectory: String?,
    isColdStart: Bool, callbacks: PendingCallbacks, answering: (any URLOpening)?,
    _ profile: any RequestHandler
  ) {
    self.applicationID = applicationID
    self.path = path
    self.loop = loop
    self.isColdStart = isColdStart
    self.profile = profile
    self.callbacks = callbacks
    self.answering = answering
    self.runtimeDirectory = runtimeDirectory
  }

  /// Remembers requests beyond the end of the application from now on, as the owner of its name.
  ///
  /// Any earlier this might be a second instance, and the journal the first one's.
  func remember() {
    isOwner = true
    openJournal()
  }

  /// Opens the journal, unless it is open or another process still has it: an instance that is ending, or one on another bus.
  private func openJournal() {
    guard isOwner, !memory.hasJournal else { return }
    let flatpakID = getenv("FLATPAK_ID").map { String(cString: $0) }
    guard let journal = DeduplicationLog(of: applicationID, in: runtimeDirectory, flatpakID: flatpakID) else {
      return
    }
    memory.attach(journal)
    // What came before may be known there.
    for request in queue {
      guard let known = answer(to: request.requestID) else { continue }
      queue.removeAll { $0.requestID == request.requestID }
      answer(request.requestID, known)
    }
  }

  /// Handles `request` after all that came before it, or answers as before when it is known already.
  func handle(_ request: SceneRequest) async throws(BusError) -> Reply {
    // Taken inside: the continuation may begin in a later turn of the loop.
    let outcome = await withCheckedContinuation { (caller: CheckedContinuation<Outcome, Never>) in
      take(request) { caller.resume(returning: $0) }
    }
    return try outcome.get()
  }

  /// Takes a request in, which is handled after all that came before it; one that is known already is answered as before.
  func take(_ request: SceneRequest, _ caller: @escaping Caller) {
    let id = request.requestID
    // Whoever waits for an answer may do so in a handler: it does not come in turn.
    if let reply = callbacks.take(request) { return caller(.success(reply)) }
    // As the bus would, of the name: so whoever sent it knows that it did not arrive.
    guard !isClosed else {
      return caller(.failure(BusError(.nameHasNoOwner, "\(applicationID) has ended, and did not take this")))
    }
    openJournal()
    if callers[id] == nil {
      if let known = answer(to: id) { return caller(known) }
      queue.append(request)
    }
    callers[id, default: []].append(caller)
    handleNext()
  }

  /// What a request is answered that has come before.
  private func answer(to id: String) -> Outcome? {
    switch memory[id] {
    case .answered(let reply): .success(reply)
    case .withdrawn: .failure(Self.withdrawn)
    case .begun(RequestDeduplicator.attempts...):
      .failure(
        BusError(
          .targetFailed, "\(applicationID) ended \(RequestDeduplicator.attempts) times while it handled this")
      )
    case .begun, nil: nil
    }
  }

  private static var withdrawn: BusError {
    BusError(.cancelled, "the request was withdrawn while it was handled")
  }

  /// Handles `request` before all that waits; nobody hears of the answer.
  func handleFirst(_ request: SceneRequest) {
    queue.insert(request, at: 0)
    callers[request.requestID] = []
    handleNext()
  }

  /// Begins to handle what waits.
  func becomeReady() {
    isReady = true
    handleNext()
  }

  /// Withdraws the request; one that is being handled is asked to stop.
  func cancel(_ requestID: String) {
    if current?.id == requestID { current?.task.cancel() }
    guard let index = queue.firstIndex(where: { $0.requestID == requestID }) else { return }
    queue.remove(at: index)
    answer(requestID, .failure(BusError(.cancelled, "the request was withdrawn")))
  }

  /// Answers all that waits with `error`, and asks the handler to stop.
  func refuseAll(_ error: BusError) {
    current?.task.cancel()
    let refused = queue
    queue = []
    for request in refused { answer(request.requestID, .failure(error)) }
  }

  /// Ends without waiting for the handler.
  func abandon() {
    refuseAll(BusError(.cancelled, "the application was told to end at once"))
    isAbandoned = true
    wakeIdlers()
  }

  /// Ends: what waits for the application to get ready waits in vain, the rest is still handled.
  func end() {
    guard !isReady else { return }
    refuseAll(BusError(.targetFailed, "the application ended before it was ready"))
  }

  /// Returns when nothing waits, nothing is being handled and every reply is sent.
  func waitUntilIdle() async {
    // Looked at inside: the continuation may begin in a later turn of the loop.
    await withCheckedContinuation { if isIdle { $0.resume() } else { idleWaiters.append($0) } }
  }

  /// Returns when all that came is handled; what comes from then on is refused, as something that did not arrive.
  ///
  /// A handler that began now would be cut off by the end of the process.
  func close() async {
    repeat { await waitUntilIdle() } while !isIdle
    isClosed = true
    // The next instance may have it.
    isOwner = false
    memory.detach()
  }

  /// Tells the application that it ends; ``waitUntilIdle()`` waits for that, too.
  func terminate() {
    isTerminating = true
    Task {
      await profile.terminate()
      isTerminating = false
      wakeIdlers()
    }
  }

  /// A call came in whose reply will be sent.
  func callBegan() { unsent += 1 }

  /// Its reply was sent.
  func callEnded() {
    unsent -= 1
    wakeIdlers()
  }

  private var isIdle: Bool {
    isAbandoned
      || queue.isEmpty && current == nil && unsent == 0 && answersUnderWay == 0
        && !isTerminating
  }

  private func wakeIdlers() {
    guard isIdle else { return }
    for idler in idleWaiters { idler.resume() }
    idleWaiters = []
  }

  /// A caller is about to be told of the end of its request by a URL; whether it was not yet, also not before a crash.
  func beginTelling(_ requestID: String) -> Bool {
    guard memory.tell(requestID) else { return false }
    answersUnderWay += 1
    return true
  }

  /// It was told.
  func endTelling() {
    answersUnderWay -= 1
    wakeIdlers()
  }

  private func handleNext() {
    guard isReady, current == nil, !queue.isEmpty else { return wakeIdlers() }
    openJournal()
    guard !queue.isEmpty else { return wakeIdlers() }
    var request = queue.removeFirst()
    memory.begin(request.requestID)
    let callbackError: MessageError?
    do throws(MessageError) {
      request.callback = try callback(of: request)
      callbackError = nil
    } catch {
      callbackError = error
    }
    let task = Task { [profile, request] in
      let outcome =
        if let callbackError {
          Outcome.success(Reply(handled: false, error: "the callback is refused: \(callbackError)"))
        } else {
          await SceneRequest.$current.withValue(request) { await Self.outcome(of: profile, request) }
        }
      finish(request.requestID, outcome)
    }
    current = (request.requestID, task)
  }

  private func finish(_ requestID: String, _ outcome: Outcome) {
    current = nil
    var outcome = outcome
    if case .success(var reply) = outcome {
      reply.isRepeated = memory[requestID].map { $0.times > 1 } ?? false
      outcome = .success(reply)
      memory.end(requestID, .answered(reply))
    } else {
      memory.end(requestID, .withdrawn)
    }
    answer(requestID, outcome)
    handleNext()
  }

  private func answer(_ requestID: String, _ outcome: Outcome) {
    for caller in callers.removeValue(forKey: requestID) ?? [] { caller(outcome) }
    wakeIdlers()
  }

  private static func outcome(of profile: any RequestHandler, _ request: SceneRequest) async -> Outcome {
    let result: Result<SceneResult, any Error>
    do {
      let value = try await profile.handle(request)
      try value.reply.value?.validate(at: "the answer's value")
      result = .success(value)
    } catch {
      result = .failure(error)
    }
    request.callback?.close(result)
    switch result {
    case .success(let value): return .success(value.reply)
    case .failure(let error) where error is CancellationError && Task.isCancelled: return .failure(withdrawn)
    case .failure(let error): return .success(Reply(handled: false, error: "\(error)"))
    }
  }
}
