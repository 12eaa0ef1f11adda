// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

// @unchecked: `state` is protected by `mutex`; everything else is written only in `init`.
/// An executor whose jobs run on the thread of a foreign main loop: GLib's, GTK's, Qt's, or a plain `poll`.
///
/// The loop watches ``descriptor`` and calls ``run()`` when it is readable. Nothing else is needed, and an idle
/// executor costs nothing:
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
/// The loop's callbacks run on the same thread, so that they may enter an actor of the executor with
/// `assumeIsolated`.
///
/// **The main actor** cannot be hosted in this way. On Linux its jobs are in libdispatch's main queue, which only
/// `dispatchMain()`, Foundation's `RunLoop.main` and an `async` `main` process; a program whose first thread is in
/// `g_main_loop_run` or `gtk_main` never runs them. The functions that process the queue from outside,
/// `_dispatch_get_main_queue_handle_4CF` and `_dispatch_main_queue_callback_4CF`, are exported by libdispatch only
/// for Foundation and are in no public header, and Swift's own `MainExecutor` is experimental
/// (`@_spi(ExperimentalCustomExecutors)` in Swift 6.3). A timer of the loop that calls
/// `RunLoop.main.run(mode:before:)` is possible, but it polls instead of being notified. Therefore isolate window
/// code to a global actor of the application on this executor, as above.
public final class HostedExecutor: SerialExecutor, TaskExecutor, @unchecked Sendable {
  /// The executor of a program that needs only one; stops the program if the kernel cannot create an eventfd.
  public static let shared: HostedExecutor = {
    do { return try HostedExecutor() } catch { fatalError("usher: no executor: \(error)") }
  }()

  private struct State {
    var jobs: [UnownedJob] = []
    /// The thread of the hosting loop; `nil` before the first run.
    var thread: pthread_t?
    var isRunning = false
    /// Indicates whether the descriptor is readable.
    var isSignalled = false
  }

  /// The descriptor for the main loop to watch: readable while jobs wait and ``run()`` is not running.
  ///
  /// Poll it for reading (`POLLIN`, `G_IO_IN`), and neither read nor close it. It is valid as long as the executor
  /// exists.
  public let descriptor: Int32
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var state = State()
  /// The maximum number of batches in one run.
  private static let rounds = 16

  /// Creates an executor without a hosting loop; jobs wait until there is one.
  ///
  /// It must outlive its actors and its tasks.
  /// - Throws: ``SystemdError`` if the kernel cannot create an eventfd.
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

  /// Makes the calling thread the hosting thread, as the first call of ``run()`` does.
  ///
  /// Call it to enter an actor of the executor before the loop runs, or after the loop has moved to another thread.
  public func attach() {
    withState { state in
      precondition(!state.isRunning, "a thread cannot take over an executor that is running")
      state.thread = pthread_self()
    }
  }

  /// Runs the waiting jobs in order, and the jobs that they cause; never blocks.
  ///
  /// Call it from the main loop whenever ``descriptor`` is readable; an unnecessary call has no effect. After some
  /// batches it returns even if more jobs wait, and the descriptor stays readable, so that the loop can handle other
  /// events. In a nested loop that a job runs, such as that of a modal dialogue, it has no effect: jobs do not run
  /// within each other, and the others run after that job has returned. It stops the program on any thread except the
  /// hosting one.
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

  /// Runs `job` on the hosting thread, in the order of the calls; callable from any thread.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    withState { state in
      state.jobs.append(job)
      signal(&state)
    }
  }

  /// Indicates whether the calling thread is the hosting one.
  public var isCurrent: Bool {
    withState { state in state.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  /// Stops the program if the caller is not on the hosting thread.
  public func checkIsolated() { precondition(isCurrent, "not on the thread that hosts the executor") }

  /// Indicates whether the caller is on the hosting thread.
  public func isIsolatingCurrentContext() -> Bool? { isCurrent }

  /// Returns this executor as that of an actor.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// Returns this executor as the preferred executor of a task.
  public func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

  /// Makes the descriptor readable if jobs wait and no run is in progress.
  private func signal(_ state: inout State) {
    guard !state.jobs.isEmpty, !state.isRunning, !state.isSignalled else { return }
    state.isSignalled = true
    // Written under the lock, so that the descriptor is never readable without waiting jobs.
    eventfd_write(descriptor, 1)
  }

  private func withState<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&state)
  }
}
