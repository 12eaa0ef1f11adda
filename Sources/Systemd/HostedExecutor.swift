import CSystemd
import Glibc

// @unchecked: `state` is protected by `mutex`; everything else is written in `init` alone.
/// An executor whose jobs run on a thread that somebody else's main loop owns: GLib's, GTK's, Qt's, a plain `poll`.
///
/// The loop watches ``descriptor`` and calls ``run()`` when it can be read. That is all, and it costs nothing while there is
/// nothing to do:
///
/// ```swift
/// @globalActor actor Desktop {
///   static let shared = Desktop()
///   nonisolated var unownedExecutor: UnownedSerialExecutor { HostedExecutor.shared.asUnownedSerialExecutor() }
/// }
///
/// @Desktop final class NoteWindow { … }     // its methods run where GTK's do
///
/// g_unix_fd_add(HostedExecutor.shared.descriptor, G_IO_IN, { _, _, _ in
///   HostedExecutor.shared.run()
///   return 1   // G_SOURCE_CONTINUE
/// }, nil)
/// ```
///
/// Callbacks of the loop are on the thread, too, so that they may enter an actor of the executor with `assumeIsolated`.
///
/// **The main actor** cannot be hosted so. On Linux its jobs are in libdispatch's main queue, which only `dispatchMain()`,
/// Foundation's `RunLoop.main` and an `async` `main` empty; a program whose first thread is in `g_main_loop_run` or
/// `gtk_main` never runs them. What empties the queue from outside, `_dispatch_get_main_queue_handle_4CF` and
/// `_dispatch_main_queue_callback_4CF`, is exported by libdispatch for Foundation alone and stands in no public header, and
/// Swift's own `MainExecutor` is an experiment (`@_spi(ExperimentalCustomExecutors)` in Swift 6.3). A timer of the loop that
/// calls `RunLoop.main.run(mode:before:)` is allowed, but looks by time instead of being told. So give what belongs to
/// windows to a global actor of the application on this executor, as above.
public final class HostedExecutor: SerialExecutor, TaskExecutor, @unchecked Sendable {
  /// The executor of a program that needs only one; stops the program when the kernel gives no eventfd.
  public static let shared: HostedExecutor = {
    do { return try HostedExecutor() } catch { fatalError("usher: no executor: \(error)") }
  }()

  private struct State {
    var jobs: [UnownedJob] = []
    /// The thread whose loop hosts; none before the first run.
    var thread: pthread_t?
    var isRunning = false
    /// Whether the descriptor can be read.
    var isSignalled = false
  }

  /// What the main loop watches: readable while jobs wait that ``run()`` is not already at.
  ///
  /// Poll it for reading (`POLLIN`, `G_IO_IN`), and neither read nor close it. It is valid as long as the executor.
  public let descriptor: Int32
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var state = State()
  /// How often one run looks for what it brought about itself.
  private static let rounds = 16

  /// An executor that no loop hosts yet; jobs wait until one does.
  ///
  /// It must outlive its actors and its tasks.
  /// - Throws: ``SystemdError`` when the kernel gives no eventfd.
  public init() throws(SystemdError) {
    descriptor = usher_eventfd()
    guard descriptor >= 0 else { throw SystemdError("make an executor", code: errno) }
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
    close(descriptor)
  }

  /// Makes the calling thread the one that hosts, which ``run()`` does by itself the first time.
  ///
  /// For what is isolated to an actor of the executor and comes before the loop runs, and for a loop that has moved to
  /// another thread.
  public func attach() {
    withState { state in
      precondition(!state.isRunning, "a thread cannot take over an executor that is running")
      state.thread = pthread_self()
    }
  }

  /// Runs the jobs that wait, in the order in which they came, and what these bring about; never blocks.
  ///
  /// Call it from the main loop whenever ``descriptor`` can be read; a call too many does nothing. After some rounds it
  /// returns though more may wait, which the descriptor says, so that the loop has its turn, too. In a loop that a
  /// job itself runs, as for a modal dialogue, it does nothing: jobs do not run within each other, and the others run when
  /// that job returns. Stops the program on any thread but the one that hosts.
  public func run() {
    let mayRun = withState { state in
      let thread = state.thread ?? pthread_self()
      precondition(
        pthread_equal(thread, pthread_self()) != 0, "an executor is run on the thread that hosts it")
      state.thread = thread
      if state.isSignalled {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
        state.isSignalled = false
      }
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard mayRun else { return }
    for _ in 0..<Self.rounds {
      let jobs = withState { state in
        defer { state.jobs = [] }
        return state.jobs
      }
      if jobs.isEmpty { break }
      for job in jobs {
        job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
      }
    }
    withState { state in
      state.isRunning = false
      signal(&state)
    }
  }

  /// Runs `job` on the thread that hosts, in the order of the calls; from any thread.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    withState { state in
      state.jobs.append(job)
      signal(&state)
    }
  }

  /// Whether the calling thread is the one that hosts.
  public var isCurrent: Bool {
    withState { state in state.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  /// Stops the program when the caller is not on the thread that hosts.
  public func checkIsolated() { precondition(isCurrent, "not on the thread that hosts the executor") }

  /// Whether the caller is on the thread that hosts.
  public func isIsolatingCurrentContext() -> Bool? { isCurrent }

  /// This executor as that of an actor.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// This executor as the one that a task prefers.
  public func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

  /// Makes the descriptor readable when something waits that nobody is at.
  private func signal(_ state: inout State) {
    guard !state.jobs.isEmpty, !state.isRunning, !state.isSignalled else { return }
    state.isSignalled = true
    // Under the lock, so that nobody sees the descriptor readable when there is nothing.
    eventfd_write(descriptor, 1)
  }

  private func withState<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&state)
  }
}
