import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import Systemd

/// One application and the requests that wait for it, in the order in which they were accepted.
///
/// One start at a time; what arrives meanwhile queues. A target that takes envelopes gets them one after the
/// other without waiting for replies, any other target gets one call at a time. What becomes of each request is for
/// its life (`RequestStateMachine`) to say; the target only finds out what happens, and does what the life asks for.
actor DeliveryQueue {
  /// What a target shares with the others.
  struct Dependencies: Sendable {
    let bus: BusConnection
    let loop: EventLoop
    let launcher: ProgramLauncher
    let runtimeDirectory: String?
    let journal: RequestJournal
    let identification: CallerIdentification
    let files = FileThread()
    let starts: ProgramStarts
    /// How long a call of the standard interface may take.
    var callDeadline: Duration = .seconds(25)
  }

  /// A place in the queue.
  struct Ticket: Sendable {
    let number: Int
    let answer: Promise<Delivery?>
    /// Whether it is written down, so that its caller may leave.
    let isStored: Bool
  }

  let id: ApplicationID
  /// Its name on the bus, and where it lives there, if its ID makes any.
  let busName: BusName?
  let path: ObjectPath?
  let dependencies: Dependencies
  nonisolated var unownedExecutor: UnownedSerialExecutor { dependencies.loop.asUnownedSerialExecutor() }

  var application: TargetApplication
  var programs: ProgramSearch
  private var queue: [DeliveryJob] = []
  private var underWay: [Int: DeliveryJob] = [:]
  /// Callers that have to wait until they may have another program started: their requests wait, and others go first.
  private var held: Set<ChargedCaller> = []
  /// Callers of which a start was counted that was not made yet.
  private var prepaid: Set<ChargedCaller> = []
  private var nextNumber = 1
  private var isWorking = false
  /// Whoever waits until a request that was sent is over or comes back.
  private var waitingForSent: [CheckedContinuation<Void, Never>] = []
  var startLimit = StartLimit()
  /// The instance that went last while it had requests, and the number of the one that it ended over.
  var lastCrash: (owner: BusName, number: Int)?
  /// Why what waits for the application's name goes on waiting, in a sentence; `nil` unless it is starting, and slowly.
  var slowStart: String?
  /// Who has the application's name, as long as the bus tells of each change.
  var followedOwner: BusName?
  var isFollowing = false
  /// The connection that is known to take envelopes, or known not to.
  var envelopes: (owner: BusName, taken: Bool)?
  /// The connection that was looked at last, why it is certainly not the application's, where it is not, and its process.
  var lookedAt: (owner: BusName, diagnostic: String?, process: PinnedProcess?)?

  init(_ application: TargetApplication, programs: ProgramSearch, _ dependencies: Dependencies) {
    id = application.id
    busName = id.busName.flatMap { BusName($0) }
    path = ObjectPath(id.objectPath)
    self.application = application
    self.programs = programs
    self.dependencies = dependencies
  }

  /// Whether a request whose caller waits may go to `application` without being written down, if it turns out to run.
  func canSkipPersistence(for application: TargetApplication) -> Bool {
    application.takesEnvelopes && queue.allSatisfy { !$0.life.isStored }
  }

  /// Takes a request into the queue; this is the moment at which it is accepted.
  ///
  /// - Parameter written: whether it is written down; `nil` when that was not tried yet.
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

  /// Goes on with a request that an earlier broker has written down in `state`.
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

  /// What became of a request, as far as its caller waits for it.
  ///
  /// After `timeout` a request that was not sent is withdrawn, unless its application is starting slowly: then the outcome is
  /// `accepted`. Of one that was sent the outcome is `unknown`.
  func delivery(of ticket: Ticket, timeout: Duration) async -> Delivery {
    let timer = LoopTimer(on: dependencies.loop, after: timeout) { [weak self] in
      self?.assumeIsolated { $0.callerTimedOut(ticket.number) }
    }
    defer { timer?.cancel() }
    return await ticket.answer.value ?? failure(.cancelled, "the request was given up")
  }

  private func callerTimedOut(_ number: Int) {
    if let slowStart, let request = request(number), request.outlivesCaller(because: slowStart) { return }
    end(number, .callerTimedOut)
  }

  /// Whether anything waits to be sent.
  var hasWaiting: Bool { !queue.isEmpty || underWay.values.contains { $0.life.isWaiting } }

  /// Whether nothing more will happen to a request.
  func isOver(_ ticket: Ticket) -> Bool { request(ticket.number) == nil }

  /// Gives a request up on its caller's word.
  func cancel(_ ticket: Ticket) { end(ticket.number, .cancelled) }

  /// Ends what is too old at `moment`.
  func expire(at moment: Int64) {
    let old = (queue + underWay.values).filter { $0.expires <= moment }
    for request in old { end(request.number, .expired, request.life.isWaiting ? tooOld : nil) }
  }

  /// Writes down anew what was written down in a file that is gone.
  func storeAgain() {
    for request in underWay.values.sorted(by: { $0.number < $1.number }) + queue { request.storeAgain() }
  }

  /// The broker is told to end: what is not written down should be.
  func stop() {
    for request in underWay.values.sorted(by: { $0.number < $1.number }) + queue {
      request.take(.brokerStops)
    }
  }

  private var tooOld: Delivery? {
    slowStart.map { failure(.timeout, "the request became too old before it could be sent: \($0)") }
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
    dependencies.loop.start { await self.work() }
  }

  /// Where the next request waits whose turn it can be.
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

  /// Whether a program may be started for a request now; where it may not, the request waits for its caller's turn, and
  /// those of other callers go first.
  func mayStart(_ request: DeliveryJob) -> Bool {
    let caller = request.caller
    if prepaid.remove(caller) != nil { return true }
    if dependencies.starts.assumeIsolated({ $0.take(for: caller) }) { return true }
    held.insert(caller)
    requeue(request)
    dependencies.loop.start {
      await self.dependencies.starts.turn(of: caller)
      self.prepaid.insert(caller)
      self.release(caller)
    }
    return false
  }

  /// Starts the programs of one request in their caller's turns, while the requests of others go on.
  func startAside(_ launches: [Launch], for request: DeliveryJob) {
    let caller = request.caller
    held.insert(caller)
    dependencies.loop.start {
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

  /// Puts a request back to where it stood in the order, to be sent again, or forgets it when it is over.
  func requeue(_ request: DeliveryJob) {
    leave(request)
    if request.life.isWaiting { enqueue(request) }
  }

  /// Writes down all that waits: none of it can be handed over at once.
  func writeDown(with request: DeliveryJob) {
    for waiting in [request] + queue { waiting.take(.nameLost) }
  }

  /// Whether a request waits that was accepted before `request`.
  func isOvertaking(_ request: DeliveryJob) -> Bool {
    nextIndex.map { queue[$0].number < request.number } ?? false
  }

  /// Waits until nothing is open that was accepted before `request` and sent to an instance that is gone.
  ///
  /// What a crash cut off comes back, each by itself, and goes first.
  func waitForCutOff(before request: DeliveryJob, _ owner: BusName?) async {
    while let gone = interrupted(before: request, owner) {
      // An instance that only gave its name away may take its time, and nobody waits for that.
      guard ((try? await dependencies.bus.owner(of: gone)) ?? nil) == nil else { return }
      // Looked at once more inside: the continuation may begin in a later turn of the loop.
      await withCheckedContinuation {
        if interrupted(before: request, owner) == nil { $0.resume() } else { waitingForSent.append($0) }
      }
    }
  }

  /// Where something is open that was accepted before `request` and sent to another instance than `owner`.
  func interrupted(before request: DeliveryJob, _ owner: BusName?) -> BusName? {
    underWay.values.lazy.filter { $0.number < request.number && $0.life.isSent }
      .compactMap { $0.addressee?.name }.first { $0 != owner }
  }

  /// The number of the first request that was sent to an instance and is open.
  func firstSent(to owner: BusName) -> Int? {
    underWay.values.lazy.filter { $0.life.isSent && $0.addressee?.name == owner }.map(\.number).min()
  }

  private func leave(_ request: DeliveryJob) {
    underWay[request.number] = nil
    let waiting = waitingForSent
    waitingForSent = []
    for continuation in waiting { continuation.resume() }
  }

  /// Tells a request what happened to it, and lets go of it when that is its end.
  func settle(_ request: DeliveryJob, _ event: RequestEvent, _ delivery: Delivery? = nil) {
    request.take(event, delivery)
    if request.life.isEnded { leave(request) }
  }

  /// Ends a request, and everything that waits for the same start.
  func failAll(_ request: DeliveryJob, _ delivery: Delivery) {
    settle(request, .startFailed, delivery)
    let waiting = queue
    queue = []
    for request in waiting { request.take(.startFailed, delivery) }
  }

  /// A request that is with the target, or was until it ended.
  func sent(_ number: Int) -> DeliveryJob? { underWay[number] }

  private func request(_ number: Int) -> DeliveryJob? {
    underWay[number] ?? queue.first { $0.number == number }
  }

  func failure(_ name: BrokerErrorName, _ message: String, kind: Delivery.Kind? = nil) -> Delivery {
    Delivery(
      application: id.rawValue, outcome: .failed, kind: kind, error: name.errorName, message: message)
  }
}
