import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import Systemd

/// A queue of the requests for one application, in the order of their acceptance.
///
/// It starts the application at most once at a time, and requests that arrive in the meantime wait. A target that
/// accepts envelopes gets them without waiting for replies; any other target gets one call at a time. The state machine
/// of each request (`RequestStateMachine`) determines what happens to it; the queue provides the events and performs
/// the effects.
@BrokerActor
final class DeliveryQueue {
  /// The objects that all delivery queues share.
  struct Dependencies {
    let bus: BusConnection
    let launcher: ProgramLauncher
    let runtimeDirectory: String?
    let journal: RequestJournal
    let quotas: QuotaTracker
    let identification: CallerIdentification
    let files: FileThread
    let starts: ProgramStarts
    /// The timeout of a call of the standard interface.
    var callDeadline: Duration = .seconds(25)
  }

  /// A request in the queue.
  struct Ticket: Sendable {
    let number: Int
    let answer: Promise<Delivery?>
    /// A Boolean value that indicates whether the request is stored, so that its caller need not wait.
    let isStored: Bool
  }

  let id: ApplicationID
  /// The application's bus name and object path; `nil` if its ID does not correspond to any.
  let busName: BusName?
  let path: ObjectPath?
  let dependencies: Dependencies

  var application: TargetApplication
  var programs: ProgramSearch
  private var queue: [DeliveryJob] = []
  private var underWay: [Int: DeliveryJob] = [:]
  /// The callers that must wait for a program start.
  ///
  /// Their requests wait, and those of other callers overtake them.
  private var held: Set<ChargedCaller> = []
  /// The callers for which a program start is counted but not made yet.
  private var prepaid: Set<ChargedCaller> = []
  private var nextNumber = 1
  private var isWorking = false
  /// The tasks that wait until a sent request is finished or queued again.
  private var waitingForSent: [CheckedContinuation<Void, Never>] = []
  var startLimit = StartLimit()
  /// The instance that exited last while it had requests, and the number of the request that is blamed.
  var lastCrash: (owner: BusName, number: Int)?
  /// The reason why the requests wait for a slow start, as a sentence; `nil` if no start is slow.
  var slowStart: String?
  /// The owner of the application's name, as long as the bus reports each change.
  var followedOwner: BusName?
  var isFollowing = false
  /// The connection that is known to accept envelopes, or known not to.
  var envelopes: (owner: BusName, taken: Bool)?
  /// The connection that was checked last, the reason why it is certainly an impostor if it is, and its process.
  var lookedAt: (owner: BusName, diagnostic: String?, process: PinnedProcess?)?

  init(_ application: TargetApplication, programs: ProgramSearch, _ dependencies: Dependencies) {
    id = application.id
    busName = id.busName.flatMap { BusName($0) }
    path = ObjectPath(id.objectPath)
    self.application = application
    self.programs = programs
    self.dependencies = dependencies
  }

  /// Returns whether a request whose caller waits may be left unstored until the application turns out not to run.
  func canSkipPersistence(for application: TargetApplication) -> Bool {
    application.takesEnvelopes && queue.allSatisfy { !$0.life.isStored }
  }

  /// Appends a request to the queue, which accepts it.
  ///
  /// - Parameter written: Whether the request is stored; `nil` if storing it was not tried yet.
  func accept(
    _ envelope: Envelope, wait: OpenOptions.Wait, for application: TargetApplication,
    programs: ProgramSearch, _ context: DeliveryContext, written: Bool?
  ) -> Ticket {
    // The entry may have changed since the last request.
    self.application = application
    self.programs = programs
    let request = newRequest(envelope, wait, context, .received(again: false))
    if let written { request.take(written ? .stored : .cannotBeStored) }
    if !isWorking, queue.isEmpty, let addressee = readyAddressee(for: request) {
      underWay[request.number] = request
      sendAtOnce(request, addressee)
    } else {
      enqueue(request)
    }
    return ticket(of: request)
  }

  /// Resumes a request that an earlier broker stored in `state`.
  func resume(
    _ envelope: Envelope, wait: OpenOptions.Wait, _ context: DeliveryContext, in state: RequestState
  ) -> Ticket {
    let request = newRequest(envelope, wait, context, state)
    request.take(.brokerRestarts)
    if request.life.isWaiting { enqueue(request) }
    return ticket(of: request)
  }

  private func newRequest(
    _ envelope: Envelope, _ wait: OpenOptions.Wait, _ context: DeliveryContext, _ state: RequestState
  ) -> DeliveryJob {
    defer { nextNumber += 1 }
    return DeliveryJob(
      number: nextNumber, envelope, for: id.rawValue, wait: wait, context, state: state)
  }

  private func ticket(of request: DeliveryJob) -> Ticket {
    Ticket(number: request.number, answer: request.answer, isStored: request.life.isStored)
  }

  /// Returns the delivery of a request, waiting for at most `timeout`.
  ///
  /// After `timeout`, an unsent request is withdrawn. If its application is starting slowly, it stays queued with the
  /// outcome `accepted`. The outcome of a request that was sent is `unknown`.
  func delivery(of ticket: Ticket, timeout: Duration) async -> Delivery {
    let timer = LoopTimer(on: BrokerActor.loop, after: timeout) { [weak self] in
      self?.callerTimedOut(ticket.number)
    }
    defer { timer?.cancel() }
    return await ticket.answer.value ?? failure(.cancelled, "the request was cancelled")
  }

  private func callerTimedOut(_ number: Int) {
    if let slowStart, let request = request(number), request.outlivesCaller(because: slowStart) { return }
    end(number, .callerTimedOut)
  }

  /// A Boolean value that indicates whether a request waits to be sent.
  var hasWaiting: Bool { !queue.isEmpty || underWay.values.contains { $0.life.isWaiting } }

  /// Returns whether a request is finished.
  func isOver(_ ticket: Ticket) -> Bool { request(ticket.number) == nil }

  /// Cancels a request for its caller.
  func cancel(_ ticket: Ticket) { end(ticket.number, .cancelled) }

  /// Ends the requests that expire at `moment` or before.
  func expire(at moment: Int64) {
    let old = (queue + underWay.values).filter { $0.expires <= moment }
    for request in old { end(request.number, .expired, request.life.isWaiting ? tooOld : nil) }
  }

  /// Stores all stored requests again, because their file was lost.
  func storeAgain() {
    for request in underWay.values.sorted(by: { $0.number < $1.number }) + queue { request.storeAgain() }
  }

  /// Stores the requests that must survive the end of the broker.
  func stop() {
    for request in underWay.values.sorted(by: { $0.number < $1.number }) + queue {
      request.take(.brokerStops)
    }
  }

  private var tooOld: Delivery? {
    slowStart.map { failure(.timeout, "the request expired before it could be sent: \($0)") }
  }

  private func end(_ number: Int, _ event: RequestEvent, _ delivery: Delivery? = nil) {
    guard let request = request(number) else { return }
    if request.take(event, delivery).contains(.tellTarget) { tellTargetOfCancel(request) }
    guard request.life.isEnded else { return }
    queue.removeAll { $0 === request }
    leave(request)
  }

  private func enqueue(_ request: DeliveryJob) {
    let place = queue.firstIndex { $0.number > request.number } ?? queue.endIndex
    queue.insert(request, at: place)
    goOn()
  }

  private func goOn() {
    guard !isWorking, nextIndex != nil else { return }
    isWorking = true
    BrokerActor.loop.start { await self.work() }
  }

  /// The index of the next request that can be delivered; `nil` if there is none.
  private var nextIndex: Int? {
    held.isEmpty ? queue.indices.first : queue.firstIndex { !held.contains($0.caller) }
  }

  private func work() async {
    while let index = nextIndex {
      let request = queue.remove(at: index)
      underWay[request.number] = request
      await handOver(request)
    }
    isWorking = false
  }

  /// Returns whether a program may be started for a request now.
  ///
  /// If not, the request waits for its caller's turn, and the requests of other callers overtake it.
  func mayStart(_ request: DeliveryJob) -> Bool {
    let caller = request.caller
    if prepaid.remove(caller) != nil { return true }
    if dependencies.starts.take(for: caller) { return true }
    held.insert(caller)
    requeue(request)
    BrokerActor.loop.start {
      await self.dependencies.starts.turn(of: caller)
      self.prepaid.insert(caller)
      self.release(caller)
    }
    return false
  }

  /// Starts the programs of one request at its caller's rate, while the requests of other callers proceed.
  func startAside(_ launches: [Launch], for request: DeliveryJob) {
    let caller = request.caller
    held.insert(caller)
    BrokerActor.loop.start {
      switch await self.start(launches, for: request) {
      case .finished(let event, let delivery): self.settle(request, event, delivery)
      case .notDelivered(let reason):
        self.settle(request, .startFailed, self.dead(request.envelope, [reason]))
      case .sent, .died, .busWent, .noRoom, .cannotStart: break
      }
      self.release(caller)
    }
  }

  private func release(_ caller: ChargedCaller) {
    held.remove(caller)
    goOn()
  }

  /// Returns a request to its old position in the queue, or removes it if it is finished.
  func requeue(_ request: DeliveryJob) {
    leave(request)
    if request.life.isWaiting { enqueue(request) }
  }

  /// Stores all waiting requests, because none of them can be delivered immediately.
  func writeDown(with request: DeliveryJob) {
    for waiting in [request] + queue { waiting.take(.nameLost) }
  }

  /// Returns whether a request that was accepted before `request` is waiting.
  func isOvertaking(_ request: DeliveryJob) -> Bool {
    nextIndex.map { queue[$0].number < request.number } ?? false
  }

  /// Waits until no request is open that was accepted before `request` and sent to an instance that exited.
  ///
  /// Requests that a crash interrupted return to the queue one by one, and precede this one.
  func waitForCutOff(before request: DeliveryJob, _ owner: BusName?) async {
    while let gone = interrupted(before: request, owner) {
      // An instance that only released its name may take any time to reply, so there is no need to wait.
      guard ((try? await dependencies.bus.owner(of: gone)) ?? nil) == nil else { return }
      // The condition is checked again inside, because the continuation may start in a later turn of the event loop.
      await withCheckedContinuation {
        if interrupted(before: request, owner) == nil { $0.resume() } else { waitingForSent.append($0) }
      }
    }
  }

  /// Returns an instance other than `owner` with an open request that was accepted before `request`; `nil` if there is none.
  func interrupted(before request: DeliveryJob, _ owner: BusName?) -> BusName? {
    underWay.values.lazy.filter { $0.number < request.number && $0.life.isSent }
      .compactMap { $0.addressee?.name }.first { $0 != owner }
  }

  /// Returns the number of the oldest open request that was sent to an instance; `nil` if there is none.
  func firstSent(to owner: BusName) -> Int? {
    underWay.values.lazy.filter { $0.life.isSent && $0.addressee?.name == owner }.map(\.number).min()
  }

  private func leave(_ request: DeliveryJob) {
    underWay[request.number] = nil
    let waiting = waitingForSent
    waitingForSent = []
    for continuation in waiting { continuation.resume() }
  }

  /// Applies an event to a request, and removes the request if that finishes it.
  func settle(_ request: DeliveryJob, _ event: RequestEvent, _ delivery: Delivery? = nil) {
    request.take(event, delivery)
    if request.life.isEnded { leave(request) }
  }

  /// Fails a request, and all requests that wait for the same start.
  func failAll(_ request: DeliveryJob, _ delivery: Delivery) {
    settle(request, .startFailed, delivery)
    let waiting = queue
    queue = []
    for request in waiting { request.take(.startFailed, delivery) }
  }

  /// Returns a request that is with the target, or was until the target exited.
  func sent(_ number: Int) -> DeliveryJob? { underWay[number] }

  private func request(_ number: Int) -> DeliveryJob? {
    underWay[number] ?? queue.first { $0.number == number }
  }

  func failure(_ name: BrokerErrorName, _ message: String, kind: Delivery.Kind? = nil) -> Delivery {
    Delivery(
      application: id.rawValue, outcome: .failed, kind: kind, error: name.errorName, message: message)
  }
}
