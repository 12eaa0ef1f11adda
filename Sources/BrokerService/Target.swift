import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import Systemd

/// One application and the requests that wait for it, in the order in which they were accepted.
///
/// One start at a time; what arrives meanwhile queues. A target that takes envelopes gets them one after the
/// other without waiting for replies, any other target gets one call at a time.
actor Target {
  /// What a target shares with the others.
  struct Surroundings: Sendable {
    let bus: BusConnection
    let loop: EventLoop
    let launcher: ProgramLauncher
    let runtimeDirectory: String?
    /// How long a program may take until it has its name.
    var startDeadline: Duration = .seconds(15)
    /// How long a call of the standard interface may take.
    var callDeadline: Duration = .seconds(25)
    /// The most requests that wait for one target.
    var capacity = 1_000
  }

  /// A place in the queue.
  struct Ticket: Sendable {
    let number: Int
    let answers: AsyncStream<Delivery>
  }

  let id: ApplicationID
  let surroundings: Surroundings
  nonisolated var unownedExecutor: UnownedSerialExecutor { surroundings.loop.asUnownedSerialExecutor() }

  var application: TargetApplication
  var programs: ProgramSearch
  private var queue: [TargetRequest] = []
  private var underWay: [Int: TargetRequest] = [:]
  private var nextNumber = 1
  private var isWorking = false
  /// Whoever waits until a request that was sent is over or comes back.
  private var waitingForSent: [CheckedContinuation<Void, Never>] = []
  /// The connection that is known to take envelopes, or known not to.
  var envelopes: (owner: BusName, taken: Bool)?

  init(_ application: TargetApplication, programs: ProgramSearch, _ surroundings: Surroundings) {
    id = application.id
    self.application = application
    self.programs = programs
    self.surroundings = surroundings
  }

  /// How many requests wait or are being delivered.
  var pending: Int { queue.count + underWay.count }

  /// Takes a request into the queue; this is the moment at which it is accepted.
  ///
  /// - Throws: `TooMany` when the queue is full.
  func accept(
    _ envelope: Envelope, wait: OpenOptions.Wait, for application: TargetApplication, programs: ProgramSearch
  ) throws(BusError) -> Ticket {
    guard pending < surroundings.capacity else {
      throw BusError(
        .tooMany, "\(id) has \(surroundings.capacity) requests waiting; try again when it has caught up")
    }
    // The entry may have changed since the last request.
    self.application = application
    self.programs = programs
    let request = TargetRequest(number: nextNumber, envelope: envelope, wait: wait)
    nextNumber += 1
    queue.append(request)
    if !isWorking {
      isWorking = true
      Task { await self.work() }
    }
    return Ticket(number: request.number, answers: request.answers)
  }

  /// What became of a request, as far as its caller waits for it.
  ///
  /// After `timeout` a request that was not sent is withdrawn; of one that was, the outcome is `unknown`.
  func delivery(of ticket: Ticket, timeout: Duration) async -> Delivery {
    let timer = Task {
      guard (try? await surroundings.loop.sleep(for: timeout)) != nil else { return }
      self.expire(ticket.number)
    }
    defer { timer.cancel() }
    for await answer in ticket.answers { return answer }
    return failure(.cancelled, "the request was given up")
  }

  /// Gives a request up on its caller's word.
  func cancel(_ ticket: Ticket) {
    guard let request = request(ticket.number), !request.isFinished else { return }
    if request.isQueued {
      drop(request, failure(.cancelled, "the caller gave it up before it was sent"))
    } else {
      request.tell(
        Delivery(
          application: id.rawValue, outcome: .unknown, error: BrokerErrorName.cancelled.errorName,
          message: "the caller gave it up after it was sent to \(id)"))
      tellTargetOfCancel(request)
    }
  }

  private func expire(_ number: Int) {
    guard let request = request(number), request.answer == nil else { return }
    switch request.state {
    case .queued:
      drop(request, failure(.timeout, "\(id) was not ready in time; the request was withdrawn"))
    case .delivered(var delivery):
      delivery.error = BrokerErrorName.timeout.errorName
      delivery.message = "\(id) got it and has not said in time that it handled it"
      request.tell(delivery)
    case .sent, .finished:
      request.tell(
        Delivery(
          application: id.rawValue, outcome: .unknown, kind: request.envelope.delivery,
          error: BrokerErrorName.timeout.errorName, message: "\(id) got it and did not reply in time"))
    }
  }

  private func work() async {
    while let request = queue.first {
      queue.removeFirst()
      underWay[request.number] = request
      await handOver(request)
    }
    isWorking = false
  }

  /// Puts a request back to where it stood in the order, to be sent again.
  func requeue(_ request: TargetRequest) {
    leave(request)
    request.state = .queued
    let place = queue.firstIndex { $0.number > request.number } ?? queue.endIndex
    queue.insert(request, at: place)
    guard !isWorking else { return }
    isWorking = true
    Task { await self.work() }
  }

  /// Whether a request waits that was accepted before `request`.
  func isOvertaking(_ request: TargetRequest) -> Bool { (queue.first?.number ?? .max) < request.number }

  /// Waits until nothing is open that was accepted before `request` and sent to an instance that is gone.
  ///
  /// What a crash cut off comes back, each by itself, and goes first.
  func waitForCutOff(before request: TargetRequest, _ owner: BusName?) async {
    while let gone = cutOff(before: request, owner) {
      // An instance that only gave its name away may take its time, and nobody waits for that.
      guard ((try? await surroundings.bus.owner(of: gone)) ?? nil) == nil else { return }
      guard cutOff(before: request, owner) != nil else { return }
      await withCheckedContinuation { waitingForSent.append($0) }
    }
  }

  private func cutOff(before request: TargetRequest, _ owner: BusName?) -> BusName? {
    underWay.values.lazy.filter { $0.number < request.number && $0.isSent }.compactMap { $0.addressee?.name }
      .first { $0 != owner }
  }

  private func leave(_ request: TargetRequest) {
    underWay[request.number] = nil
    let waiting = waitingForSent
    waitingForSent = []
    for continuation in waiting { continuation.resume() }
  }

  /// Ends a request.
  func finish(_ request: TargetRequest, _ delivery: Delivery) {
    leave(request)
    request.move(to: .finished(delivery))
  }

  /// Ends a request, and everything that waits for the same start.
  func finishAll(_ request: TargetRequest, _ delivery: Delivery) {
    finish(request, delivery)
    let waiting = queue
    queue = []
    for request in waiting { request.move(to: .finished(delivery)) }
  }

  private func drop(_ request: TargetRequest, _ delivery: Delivery) {
    queue.removeAll { $0 === request }
    leave(request)
    request.move(to: .finished(delivery))
  }

  private func request(_ number: Int) -> TargetRequest? {
    underWay[number] ?? queue.first { $0.number == number }
  }

  func failure(_ name: BrokerErrorName, _ message: String, kind: Delivery.Kind? = nil) -> Delivery {
    Delivery(
      application: id.rawValue, outcome: .failed, kind: kind, error: name.errorName, message: message)
  }
}
