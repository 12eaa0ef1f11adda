import BusInterfaces
import DBus
import Glibc
import Systemd

/// The requests of one application: they wait in order, one is handled at a time, each is answered once.
///
/// It lives on the connection's loop, so that nothing overtakes anything between the bus and the queue.
actor SceneServer {
  typealias Handler = @concurrent @Sendable (SceneRequest) async throws -> SceneResult
  typealias Outcome = Result<Reply, BusError>

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  let applicationID: String
  private let handler: Handler
  private var isReady = false
  private var isAbandoned = false
  private var queue: [Envelope] = []
  private var current: (id: String, task: Task<Void, Never>)?
  private var callers: [String: [CheckedContinuation<Outcome, Never>]] = [:]
  private var memory: RequestMemory
  /// Calls whose reply was not sent yet.
  private var unsent = 0
  private var idlers: [CheckedContinuation<Void, Never>] = []

  /// The owner of the broker's name, as far as the bus has told.
  var broker: BusName?
  /// Calls that wait for the bus to say who owns the broker's name.
  var asking = 0
  /// Whether the next request is what the bus started us for.
  var isColdStart: Bool
  var localRequests = 0

  /// A server that remembers requests in `runtimeDirectory`, beyond its own end; `nil` remembers them until then.
  init(
    _ applicationID: String, on loop: EventLoop, runtimeDirectory: String?, isColdStart: Bool,
    _ handler: @escaping Handler
  ) {
    self.applicationID = applicationID
    self.loop = loop
    self.isColdStart = isColdStart
    self.handler = handler
    let flatpakID = getenv("FLATPAK_ID").map { String(cString: $0) }
    memory = RequestMemory(RequestJournal(of: applicationID, in: runtimeDirectory, flatpakID: flatpakID))
  }

  /// Handles `envelope` after all that came before it, or answers as before when it is known already.
  func handle(_ envelope: Envelope) async throws(BusError) -> Reply {
    let id = envelope.requestID
    if callers[id] == nil, let answer = try answer(to: id) { return answer }
    let outcome = await withCheckedContinuation { caller in
      if callers[id] == nil { queue.append(envelope) }
      callers[id, default: []].append(caller)
      handleNext()
    }
    return try outcome.get()
  }

  /// What a request is answered that has come before.
  private func answer(to id: String) throws(BusError) -> Reply? {
    switch memory[id] {
    case .answered(let reply): return reply
    case .withdrawn: throw Self.withdrawn
    case .begun(RequestMemory.attempts...):
      throw BusError(
        .targetFailed, "\(applicationID) ended \(RequestMemory.attempts) times while it handled this")
    case .begun, nil: return nil
    }
  }

  private static var withdrawn: BusError {
    BusError(.cancelled, "the request was withdrawn while it was handled")
  }

  /// Handles `envelope` before all that waits; nobody hears of the answer.
  func handleFirst(_ envelope: Envelope) {
    queue.insert(envelope, at: 0)
    callers[envelope.requestID] = []
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
    for envelope in refused { answer(envelope.requestID, .failure(error)) }
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
    guard !isIdle else { return }
    await withCheckedContinuation { idlers.append($0) }
  }

  /// A call came in whose reply will be sent.
  func callBegan() { unsent += 1 }

  /// Its reply was sent.
  func callEnded() {
    unsent -= 1
    wakeIdlers()
  }

  private var isIdle: Bool { isAbandoned || queue.isEmpty && current == nil && unsent == 0 }

  private func wakeIdlers() {
    guard isIdle else { return }
    for idler in idlers { idler.resume() }
    idlers = []
  }

  private func handleNext() {
    guard isReady, current == nil, !queue.isEmpty else { return wakeIdlers() }
    let envelope = queue.removeFirst()
    memory.begin(envelope.requestID)
    let task = Task { [handler] in
      let outcome = await Self.outcome(of: handler, SceneRequest(envelope))
      finish(envelope.requestID, outcome)
    }
    current = (envelope.requestID, task)
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
    for caller in callers.removeValue(forKey: requestID) ?? [] { caller.resume(returning: outcome) }
    wakeIdlers()
  }

  private static func outcome(of handler: Handler, _ request: SceneRequest) async -> Outcome {
    do {
      let result = try await handler(request)
      try result.reply.value?.validate(at: "the answer's value")
      return .success(result.reply)
    } catch is CancellationError where Task.isCancelled {
      return .failure(withdrawn)
    } catch {
      return .success(Reply(handled: false, error: "\(error)"))
    }
  }
}
