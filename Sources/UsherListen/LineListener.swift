// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Glibc
import Scenes
import Systemd

/// A listener that writes requests to standard output, and optionally reads a program's replies from standard input.
actor LineListener: Listener {
  private nonisolated let loop = EventLoop()
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let readsReplies: Bool
  private let options: ListenInvocation.Options
  private var pending: PendingReplies?
  private var sent = SentLines()
  private lazy var output = LineOutput(STDOUT_FILENO, on: loop) { [weak self] isOpen in
    self?.assumeIsolated { isOpen ? $0.completeWritten() : $0.finish() }
  }
  private var isOver = false
  private var tellEnd: (@Sendable () -> Void)?

  init(readsReplies: Bool, _ options: ListenInvocation.Options) {
    self.readsReplies = readsReplies
    self.options = options
  }

  func watch(_ tellEnd: @escaping @Sendable () -> Void) {
    self.tellEnd = tellEnd
    guard readsReplies else { return }
    Task {
      var buffer = LineBuffer()
      // One part after another, because lines in a queue would fill the memory if a program writes without end.
      do {
        while let bytes = try await Self.read() {
          buffer.append(bytes)
          while let line = buffer.next() { apply(line) }
        }
      } catch { output.noteReset(of: STDIN_FILENO) }
      while let line = buffer.next(atEnd: true) { apply(line) }
      finish()
    }
  }

  func answer(_ request: SceneRequest) async throws -> SceneResult {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { begin(request, $0) }
    } onCancel: {
      Task { await self.withdraw(request.requestID) }
    }.result
  }

  /// Registers a request before it is written, so that a quick reply finds it.
  private func begin(_ request: SceneRequest, _ reply: CheckedContinuation<Reply, any Error>) {
    replies.add(request, reply)
    // The next instance of the application can handle it.
    guard !isOver else { return replies.finish(request.requestID, .failure(RequestNotRead())) }
    send(request.envelope.json, for: request.requestID)
  }

  private func send(_ line: String, for id: String?) {
    let bytes = Array((line + "\n").utf8)
    let unread = output.unread
    sent.append(bytes.count, for: id, after: unread.count + (unread.hasMore ? 1 : 0))
    output.append(bytes, for: id)
  }

  /// The requests whose lines are written completely, so that the program may have them.
  private var written: [String] { replies.ids.filter { !output.contains($0) } }

  /// Answers the requests that only have to be written.
  private func completeWritten() {
    guard !readsReplies else { return }
    for id in written { replies.finish(id, .success(Reply(handled: true))) }
  }

  func end() {}

  private var replies: PendingReplies {
    get {
      pending
        ?? PendingReplies(on: loop, isForOne: false, timeout: options.timeout) { [weak self] id in
          self?.assumeIsolated { $0.late(id) }
        }
    }
    set { pending = newValue }
  }

  private func apply(_ line: LineBuffer.Line) {
    do throws(ListenError) {
      guard case .line(let bytes) = line else {
        return replies.say("more than \(LineBuffer.longestLine) bytes without a line break")
      }
      let line: ReplyLine
      do throws(MessageError) { line = try ReplyLine(bytes) } catch { throw .unattributed(error) }
      try replies.apply(line)
    } catch {
      // Later replies name their requests, so that the program can go on.
      let ids = written
      if ids.isEmpty { StandardError.warn("\(error)") }
      for id in ids { replies.finish(id, .failure(error)) }
    }
  }

  private func late(_ id: String) {
    let isPartial = !removeLine(of: id)
    guard isPartial, readsReplies else {
      return replies.finish(id, .failure(ListenError.notRead(options.timeout, isPartial: isPartial)))
    }
    let error = ListenError.timedOut(
      command: nil, timeout: options.timeout, said: replies.said, isTerminated: false)
    withdraw(id)
    replies.finish(id, .failure(error))
  }

  private func withdraw(_ id: String) {
    guard !removeLine(of: id) else { return replies.finish(id, .failure(CancellationError())) }
    guard options.concurrent != nil, replies.withdraw(id) else { return }
    send(ReplyLine.withdrawal(of: id), for: nil)
  }

  /// Removes the line of a request; returns `false` if a part of it was written, so that the program may handle the request.
  private func removeLine(of id: String) -> Bool {
    guard output.remove(id) else { return false }
    sent.remove(id)
    return true
  }

  private func finish() {
    guard !isOver else { return }
    isOver = true
    output.stop()
    let unread = output.unread
    for id in sent.unread(unread.count, hasMore: unread.hasMore) {
      replies.finish(id, .failure(RequestNotRead()))
    }
    replies.finishAll(ListenError.replierExited)
    tellEnd?()
  }

  /// A reader that closed a socket without reading everything.
  private struct Reset: Error {}

  /// Reads from standard input; returns `nil` at its end.
  private static func read() async throws -> ArraySlice<UInt8>? {
    try await withCheckedThrowingContinuation { reading in
      // On a thread, because it may be a file that an event loop cannot watch.
      let hasThread = DetachedThread.run {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while true {
          let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
          if count < 0, errno == EINTR { continue }
          if count < 0, errno == ECONNRESET { return reading.resume(throwing: Reset()) }
          return reading.resume(returning: count > 0 ? bytes[..<count] : nil)
        }
      }
      if !hasThread { reading.resume(returning: nil) }
    }
  }
}
