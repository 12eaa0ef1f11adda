import BusInterfaces
import Glibc
import Scenes
import Systemd

/// A listener that writes requests to standard output, and optionally reads a program's replies from standard input.
actor LineListener: Listener {
  private let readsReplies: Bool
  private let timeout: Duration
  /// The request whose reply is pending.
  private var waiting: (request: SceneRequest, reply: CheckedContinuation<Reply, any Error>)?
  private var said: String?
  /// The number of requests that timed out and whose replies are still to come.
  private var owed = 0
  private var isOver = false
  private var tellEnd: (@Sendable () -> Void)?

  init(readsReplies: Bool, timeout: Duration) {
    self.readsReplies = readsReplies
    self.timeout = timeout
  }

  func watch(_ tellEnd: @escaping @Sendable () -> Void) {
    self.tellEnd = tellEnd
    guard readsReplies else { return }
    let (lines, line) = AsyncStream<String>.makeStream()
    // A thread reads standard input, because it may be a file that an event loop cannot watch.
    let hasThread = DetachedThread.run {
      while let text = readLine() { line.yield(text) }
      line.finish()
    }
    if !hasThread { line.finish() }
    Task {
      for await text in lines { take(text) }
      finish()
    }
  }

  func answer(_ request: SceneRequest) async throws -> SceneResult {
    guard !isOver else { throw ListenError.replierExited }
    guard Self.tell(request.envelope.json) else {
      finish()
      throw ListenError.replierExited
    }
    guard readsReplies else { return .handled }
    let clock = Task {
      try await Task.sleep(for: timeout)
      giveUp(request)
    }
    defer { clock.cancel() }
    return try await withCheckedThrowingContinuation { waiting = (request, $0) }.result
  }

  func end() {}

  private func take(_ text: String) {
    do throws(MessageError) {
      switch try ReplyLine(text) {
      case .other(let words): said = words
      case .progress(let progress): waiting?.request.report(progress)
      case .reply(let reply, let id): take(reply, to: id)
      }
    } catch {
      settle(.failure(ListenError.noReply(command: nil, error)))
    }
  }

  private func take(_ reply: Reply, to id: String?) {
    if let id {
      guard id == waiting?.request.requestID else { return }
    } else if owed > 0 {
      owed -= 1
      return
    }
    settle(.success(reply))
  }

  private func giveUp(_ request: SceneRequest) {
    guard waiting?.request.requestID == request.requestID else { return }
    owed += 1
    settle(.failure(ListenError.late(command: nil, timeout: timeout, said: said)))
  }

  private func settle(_ result: Result<Reply, any Error>) {
    said = nil
    waiting?.reply.resume(with: result)
    waiting = nil
  }

  private func finish() {
    isOver = true
    settle(.failure(ListenError.replierExited))
    tellEnd?()
  }

  /// Writes a line, and waits while the pipe is full; returns `false` if its reader has closed it.
  private static func tell(_ line: String) -> Bool {
    var rest = Array((line + "\n").utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }
}
