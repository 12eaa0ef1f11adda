// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A thread with a `poll` loop that watches a descriptor, like the main loop of a foreign program.
public struct PollLoop: Sendable {
  private let threads = AsyncStream<pthread_t>.makeStream()
  private let ended = Gate()
  private let pipe = Pipe()

  /// Starts the thread, which calls `start` once, and `body` whenever the descriptor is readable.
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

  /// Returns the thread; can be called once.
  public func thread() async throws -> pthread_t {
    let threads = threads.stream
    let thread = try await withDeadline(Command.defaultDeadline, "the loop's thread") {
      await threads.first { _ in true }
    }
    guard let thread else { throw TestSupportError("the loop has no thread") }
    return thread
  }

  /// Stops the loop, and waits until its thread has exited it.
  public func quit() async throws {
    try pipe.fileHandleForWriting.close()
    try await withDeadline(Command.defaultDeadline, "the end of the loop") { await ended.pass() }
  }
}
