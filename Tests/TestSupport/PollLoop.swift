public import Foundation

/// A thread in a loop of `poll` that watches a descriptor until it is told to quit: the main loop of a program that has none of
/// ours.
public struct PollLoop: Sendable {
  private let threads = AsyncStream<pthread_t>.makeStream()
  private let ended = Gate()
  private let pipe = Pipe()

  /// Starts the thread, which does `start` first, and `body` whenever the descriptor can be read.
  public init(
    watching descriptor: Int32, start: @escaping @Sendable () -> Void, _ body: @escaping @Sendable () -> Void
  ) {
    let (threads, ended, pipe) = (threads.continuation, ended, pipe)
    Thread.detachNewThread {
      start()
      threads.yield(pthread_self())
      var polled = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0),
      ]
      repeat {
        _ = poll(&polled, 2, -1)
        if polled[0].revents != 0 { body() }
      } while polled[1].revents == 0
      Task { await ended.open() }
    }
  }

  /// The thread; to be asked for once.
  public func thread() async throws -> pthread_t {
    let threads = threads.stream
    let thread = try await withDeadline(Command.defaultDeadline, "the loop's thread") {
      await threads.first { _ in true }
    }
    guard let thread else { throw TestSupportError("the loop has no thread") }
    return thread
  }

  /// Quits the loop, and returns when its thread has left it.
  public func quit() async throws {
    try pipe.fileHandleForWriting.close()
    try await withDeadline(Command.defaultDeadline, "the end of the loop") { await ended.pass() }
  }
}
