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
      while let bytes = await Self.read() {
        buffer.append(bytes)
        while let line = buffer.next() { take(line) }
      }
      while let line = buffer.next(atEnd: true) { take(line) }
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
    if isOver || !tell(request.envelope.json, for: request.requestID) {
      // The program has not read it, so that the next instance of the application can handle it.
      replies.finish(request.requestID, .failure(RequestNotRead()))
      finish()
    } else if !readsReplies {
      replies.finish(request.requestID, .success(Reply(handled: true)))
    }
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

  private func take(_ line: LineBuffer.Line) {
    do throws(ListenError) {
      guard case .line(let bytes) = line else {
        return replies.say("more than \(LineBuffer.longestLine) bytes without a line break")
      }
      let line: ReplyLine
      do throws(MessageError) { line = try ReplyLine(bytes) } catch { throw .unattributed(error) }
      try replies.take(line)
    } catch {
      // Later replies name their requests, so that the program can go on.
      if replies.isEmpty { StandardError.warn("\(error)") }
      replies.finishAll(error)
    }
  }

  private func late(_ id: String) {
    let error = ListenError.timedOut(
      command: nil, timeout: options.timeout, said: replies.said, isTerminated: false)
    withdraw(id)
    replies.finish(id, .failure(error))
  }

  private func withdraw(_ id: String) {
    guard options.concurrent != nil, replies.withdraw(id) else { return }
    _ = tell(ReplyLine.withdrawal(of: id), for: nil)
  }

  private func finish() {
    guard !isOver else { return }
    isOver = true
    for id in sent.unread(unreadCount) { replies.finish(id, .failure(RequestNotRead())) }
    replies.finishAll(ListenError.replierExited)
    tellEnd?()
  }

  /// The number of bytes in standard output, if it is a pipe, that its reader has not read.
  private var unreadCount: Int {
    var count: Int32 = 0
    return ioctl(STDOUT_FILENO, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  /// Writes a line, and waits while the pipe is full; returns `false` if its reader has closed it.
  private func tell(_ line: String, for id: String?) -> Bool {
    let bytes = Array((line + "\n").utf8)
    sent.append(bytes.count, for: id, after: unreadCount)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }

  /// Reads from standard input; returns `nil` at its end.
  private static func read() async -> ArraySlice<UInt8>? {
    await withCheckedContinuation { reading in
      // On a thread, because it may be a file that an event loop cannot watch.
      let hasThread = DetachedThread.run {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while true {
          let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
          if count < 0, errno == EINTR { continue }
          return reading.resume(returning: count > 0 ? bytes[..<count] : nil)
        }
      }
      if !hasThread { reading.resume(returning: nil) }
    }
  }
}
