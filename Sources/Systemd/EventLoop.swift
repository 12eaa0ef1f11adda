import CSystemd
import Glibc

// @unchecked: `work`, `afterwards` and `isAwake` are protected by `mutex`; `event` and `batch` are used on the loop's thread alone.
/// One `sd-event` loop on a thread of its own, and the executor of the actors that live on it.
///
/// An actor that returns this loop as its executor runs where timers fire, messages arrive and children are
/// reaped, so that it needs no lock. A loop runs until the process ends.
///
/// ```swift
/// actor Broker {
///   nonisolated let loop: EventLoop
///   nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
/// }
/// ```
public final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
  /// The loop of a program that needs only one.
  public static let shared = EventLoop()

  private enum Work {
    case job(UnownedJob)
    case block(@Sendable () -> Void)
  }

  /// The `sd_event` object, for use on the loop's thread alone.
  public let event: OpaquePointer
  private let wakeUp: Int32
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var work: [Work] = []
  /// What is done at the end of the turn.
  private var afterwards: [Work] = []
  /// What is being done.
  private var batch: [Work] = []
  /// Whether the loop is told to look at `work`, or will look without being told.
  private var isAwake = false
  /// How often one turn looks for more work: few enough that answers are read while much is still to be sent.
  private static let rounds = 16
  /// The same, and how long events are handled before, while there is more work than turns have room for.
  private static let (busyRounds, busyReading) = (2, Duration.milliseconds(2))
  /// How much work one round usually has.
  private static let usual = 64

  /// Starts a loop on a new thread.
  ///
  /// Stops the program when the kernel gives neither an epoll, an eventfd nor a thread: nothing of it can
  /// work then.
  public init() {
    var event: OpaquePointer?
    let created = sd_event_new(&event)
    wakeUp = usher_eventfd()
    guard created >= 0, let event, wakeUp >= 0 else {
      fatalError("usher: no event loop: \(String(cString: strerror(created < 0 ? -created : errno)))")
    }
    self.event = event
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    // By its edge, so that nobody need read it; what it tells of is done between the turns.
    let edge = UInt32(EPOLLIN.rawValue) | EPOLLET.rawValue
    sd_event_add_io(event, nil, wakeUp, edge, { _, _, _, _ in 0 }, nil)
    start()
  }

  private func start() {
    // The thread keeps the loop: neither ends before the process.
    var thread = pthread_t()
    let failed = pthread_create(
      &thread, nil,
      { loop in
        guard let loop else { return nil }
        Unmanaged<EventLoop>.fromOpaque(loop).takeUnretainedValue().run()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    guard failed == 0 else { fatalError("usher: no event loop: \(String(cString: strerror(failed)))") }
  }

  private func run() {
    pthread_setspecific(currentLoop, Unmanaged.passUnretained(self).toOpaque())
    var isDone = true
    while true {
      let result = sd_event_run(event, isDone ? .max : 0)
      guard result >= 0 || result == -EINTR else {
        fatalError("usher: the event loop stopped: \(String(cString: strerror(-result)))")
      }
      if !isDone { readAhead() }
      isDone = drain(rounds: isDone ? Self.rounds : Self.busyRounds)
    }
  }

  /// Handles events that wait already.
  ///
  /// Messages of all senders arrive in one line. With one of them a turn, a sender that has many in it would hold up the
  /// others for as long as all of its work takes; its work can wait, theirs is not known before it is read.
  private func readAhead() {
    let end = ContinuousClock.now + Self.busyReading
    while sd_event_run(event, 0) > 0, .now < end {}
  }

  /// Whether the calling thread is the loop's.
  public var isCurrent: Bool {
    pthread_getspecific(currentLoop) == Unmanaged.passUnretained(self).toOpaque()
  }

  /// Tells the service manager that the loop goes round, as often as the manager asks for it (`WatchdogSec=`); does nothing
  /// where none does.
  ///
  /// What holds the loop up holds these messages up: then the manager ends the process.
  public func sendKeepAlives() { submit { sd_event_set_watchdog(self.event, 1) } }

  /// Runs `block` on the loop's thread, after everything that was submitted before it.
  public func submit(_ block: @escaping @Sendable () -> Void) { append(.block(block)) }

  /// Runs `block` on the loop's thread at the end of its turn: after all work that there is, and what that brings about, and
  /// before anything new is read.
  ///
  /// For what nobody waits for, while somebody waits for what comes after it.
  public func submitAfterwards(_ block: @escaping @Sendable () -> Void) {
    append { afterwards.append(.block(block)) }
  }

  /// Runs `job` on the loop's thread, in the order of the calls.
  public func enqueue(_ job: consuming ExecutorJob) { append(.job(UnownedJob(job))) }

  /// This loop as the executor of an actor.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// This loop as the executor that a task prefers.
  public func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

  /// Starts a task that stays on the loop's thread, also when it goes on after it has waited.
  ///
  /// A task of an actor of the loop that was started by `Task` goes on by way of another thread each time: two switches for
  /// every reply. Tasks start in the order of the calls.
  @discardableResult
  public func start<Success: Sendable>(
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async -> Success
  ) -> Task<Success, Never> {
    Task(executorPreference: self, operation: operation)
  }

  /// Stops the program when the caller is not on the loop's thread.
  public func checkIsolated() { precondition(isCurrent, "not on the event loop's thread") }

  /// Whether the caller is on the loop's thread.
  public func isIsolatingCurrentContext() -> Bool? { isCurrent }

  private func append(_ item: Work) { append { work.append(item) } }

  private func append(_ keep: () -> Void) {
    pthread_mutex_lock(mutex)
    let wasAwake = isAwake
    isAwake = true
    keep()
    pthread_mutex_unlock(mutex)
    // On its own thread it comes to its work by itself, after what it is at.
    if !wasAwake, !isCurrent { eventfd_write(wakeUp, 1) }
  }

  /// Does the work there is, and what that brings about, but not for ever: messages and timers have their turn, too.
  ///
  /// - Returns: whether nothing is left.
  private func drain(rounds: Int) -> Bool {
    for _ in 0..<rounds {
      take()
      if batch.isEmpty { return true }
      perform()
    }
    take(endsTurn: true)
    perform()
    return false
  }

  private func perform() {
    for item in batch {
      switch item {
      case .job(let job):
        job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
      case .block(let block): block()
      }
    }
    // The room is for the next ones, but not that of a flood.
    batch.removeAll(keepingCapacity: batch.count <= Self.usual)
  }

  /// Takes all the work there is, or where that is none, or the turn ends, what was left for afterwards.
  ///
  /// Where there is nothing, whoever brings the next has to wake the loop.
  private func take(endsTurn: Bool = false) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if work.isEmpty || endsTurn { swap(&batch, &afterwards) } else { swap(&batch, &work) }
    isAwake = !batch.isEmpty || !work.isEmpty
  }
}

/// Under this key a loop's thread finds its loop; every other thread finds nothing.
private let currentLoop: pthread_key_t = {
  var key = pthread_key_t()
  pthread_key_create(&key, nil)
  return key
}()
