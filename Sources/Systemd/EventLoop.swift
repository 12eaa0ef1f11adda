// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

// @unchecked: `work`, `afterwards` and `isAwake` are protected by `mutex`; `event` and `batch` are used only on the
// loop's thread.
/// An `sd-event` loop on its own thread, which is also an executor for actors.
///
/// An actor with this loop as its executor runs on the thread on which timers fire, messages arrive and children are
/// reaped, so that it needs no lock. A loop runs until the process exits.
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

  /// The `sd_event` object, which must be used only on the loop's thread.
  public let event: OpaquePointer
  private let wakeUp: Int32
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var work: [Work] = []
  /// The work for the end of the current iteration.
  private var afterwards: [Work] = []
  /// The work that is being performed.
  private var batch: [Work] = []
  /// Indicates whether the loop was woken up, or will check `work` without a wake-up.
  private var isAwake = false
  /// The maximum number of batches in one iteration, small enough that replies are read while there is more to send.
  private static let rounds = 16
  /// The maximum number of batches, and the time for reading events before them, while work is left from the last iteration.
  private static let (busyRounds, busyReading) = (2, Duration.milliseconds(2))
  /// The usual maximum size of a batch.
  private static let usual = 64

  /// Starts a loop on a new thread.
  ///
  /// Stops the program if the kernel cannot create an epoll instance, an eventfd or a thread, because nothing can
  /// work then.
  public init() {
    var event: OpaquePointer?
    let created = sd_event_new(&event)
    wakeUp = usher_eventfd()
    guard created >= 0, let event, wakeUp >= 0 else {
      Self.stop(created < 0 ? -created : errno)
    }
    self.event = event
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    // Edge-triggered, so that it need not be read; the work itself is performed between the iterations.
    let edge = UInt32(EPOLLIN.rawValue) | EPOLLET.rawValue
    sd_event_add_io(event, nil, wakeUp, edge, { _, _, _, _ in 0 }, nil)
    start()
  }

  private func start() {
    // The thread retains the loop, because both exist until the process exits.
    var thread = pthread_t()
    let failed = pthread_create(
      &thread, nil,
      { loop in
        guard let loop else { return nil }
        Unmanaged<EventLoop>.fromOpaque(loop).takeUnretainedValue().run()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    guard failed == 0 else { Self.stop(failed) }
  }

  /// Exits with `EX_OSERR` and the reason for which there is no loop, which is a limit of the process in most cases.
  private static func stop(_ error: Int32) -> Never {
    let advice = error == EMFILE ? "; allow more open files (ulimit -n, or LimitNOFILE= of the unit)" : ""
    let message =
      "\(CommandLine.arguments.first ?? "usher"): cannot start an event loop: "
      + "\(String(cString: strerror(error)))\(advice)\n"
    _ = message.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    exit(71)
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

  /// Handles pending events for a short time.
  ///
  /// Messages of all senders arrive in one queue. With one message for each iteration, a sender with many messages
  /// would delay the others by all of its work. Its work can wait, but the messages of the others must be read first.
  private func readAhead() {
    let end = ContinuousClock.now + Self.busyReading
    while sd_event_run(event, 0) > 0, .now < end {}
  }

  /// Indicates whether the calling thread is the loop's.
  public var isCurrent: Bool {
    pthread_getspecific(currentLoop) == Unmanaged.passUnretained(self).toOpaque()
  }

  /// Starts to send watchdog notifications to the service manager, at the interval of `WatchdogSec=`.
  ///
  /// It has no effect if the manager has set no interval. If the loop hangs, the notifications stop, and the manager
  /// kills the process.
  public func sendKeepAlives() { submit { sd_event_set_watchdog(self.event, 1) } }

  /// Runs `block` on the loop's thread, after everything that was submitted before.
  public func submit(_ block: @escaping @Sendable () -> Void) { append(.block(block)) }

  /// Runs `block` on the loop's thread at the end of the iteration: after all current and resulting work, before new input is read.
  ///
  /// It is for work that delays no caller, so that work that callers wait for comes first.
  public func submitAfterwards(_ block: @escaping @Sendable () -> Void) {
    append { afterwards.append(.block(block)) }
  }

  /// Runs `job` on the loop's thread, in the order of the calls.
  public func enqueue(_ job: consuming ExecutorJob) { append(.job(UnownedJob(job))) }

  /// Returns this loop as the executor of an actor.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// Returns this loop as the preferred executor of a task.
  public func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

  /// Starts a task that stays on the loop's thread, even when it resumes after waiting.
  ///
  /// A task that `Task` starts on an actor of the loop resumes through another thread each time, which costs two
  /// thread switches for every reply. Tasks start in the order of the calls.
  @discardableResult
  public func start<Success: Sendable>(
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async -> Success
  ) -> Task<Success, Never> {
    Task(executorPreference: self, operation: operation)
  }

  /// Stops the program if the caller is not on the loop's thread.
  public func checkIsolated() { precondition(isCurrent, "not on the event loop's thread") }

  /// Indicates whether the caller is on the loop's thread.
  public func isIsolatingCurrentContext() -> Bool? { isCurrent }

  private func append(_ item: Work) { append { work.append(item) } }

  private func append(_ keep: () -> Void) {
    pthread_mutex_lock(mutex)
    let wasAwake = isAwake
    isAwake = true
    keep()
    pthread_mutex_unlock(mutex)
    // On its own thread the loop checks `work` anyway after the current work, so no wake-up is needed.
    if !wasAwake, !isCurrent { eventfd_write(wakeUp, 1) }
  }

  /// Performs the current and resulting work, for at most `rounds` batches, so that messages and timers are handled, too.
  ///
  /// - Returns: whether no work is left.
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
    // The capacity is reused for the next batch, but not after an unusually large one.
    batch.removeAll(keepingCapacity: batch.count <= Self.usual)
  }

  /// Swaps all new work into `batch`, or the deferred work if there is none or the iteration ends.
  ///
  /// If there is no work at all, the next thread that submits some has to wake up the loop.
  private func take(endsTurn: Bool = false) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if work.isEmpty || endsTurn { swap(&batch, &afterwards) } else { swap(&batch, &work) }
    isAwake = !batch.isEmpty || !work.isEmpty
  }
}

/// The thread-specific key of a loop's thread for its loop; other threads have no value.
private let currentLoop: pthread_key_t = {
  var key = pthread_key_t()
  pthread_key_create(&key, nil)
  return key
}()
