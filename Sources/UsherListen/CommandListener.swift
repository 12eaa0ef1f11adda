import BusInterfaces
import FoundationEssentials
import Glibc
import Scenes
import Systemd

/// A listener that runs a command: one process that reads a line for each request, or a new process for each.
///
/// The actor has its own event loop, because it blocks the thread while it waits for the command.
actor CommandListener: Listener {
  /// The longest wait for a command to exit, after each of the requests to exit.
  private static let farewell = Duration.seconds(2)

  private nonisolated let loop = EventLoop()
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let command: ListenInvocation.Command
  private let isForEach: Bool
  private let timeout: Duration
  private var staying: PipedProcess?
  /// The processes for one request each that have replied and are still running.
  private var leftOver: [PipedProcess] = []

  init(_ command: ListenInvocation.Command, isForEach: Bool, timeout: Duration) {
    self.command = command
    self.isForEach = isForEach
    self.timeout = timeout
  }

  /// Does nothing, because a command that exits is started again.
  nonisolated func watch(_ tellEnd: @escaping @Sendable () -> Void) {}

  func answer(_ request: SceneRequest) throws -> SceneResult {
    let line = Array((request.envelope.json + "\n").utf8)
    forgetOldWords()
    // If the process exited without reading the line, a new process receives it.
    if let staying, let reply = try reply(to: request, line, of: staying, isNew: false) {
      return try reply.result
    }
    let program = try start(for: request)
    staying = isForEach ? nil : program
    return try (reply(to: request, line, of: program, isNew: true) ?? Reply(handled: true)).result
  }

  func end() {
    for program in leftOver + [staying].compactMap(\.self) { program.end(timeout: Self.farewell) }
  }

  /// Returns the reply, or one from the exit status; `nil` if the process exited without reading the line.
  private func reply(
    to request: SceneRequest, _ line: [UInt8], of program: PipedProcess, isNew: Bool
  ) throws(ListenError) -> Reply? {
    program.send(line)
    if isForEach { program.endInput() }
    let deadline = ContinuousClock.now + timeout
    var said: String?
    while true {
      switch program.next(by: deadline) {
      case .line(let text):
        switch try read(text) {
        case .other(let words): said = words
        case .progress(let progress): request.report(progress)
        case .reply(let reply, let id):
          guard id == nil || id == request.requestID else { continue }
          if isForEach { leftOver.append(program) }
          return reply
        }
      case .tooLong: said = "more than \(PipedProcess.longestLine) bytes without a line break"
      case .ended(let status):
        staying = nil
        guard isNew || program.unreadCount < line.count else { return nil }
        guard status?.isSuccess == true else { throw .ended(command: name, status) }
        return Reply(handled: true)
      case .late:
        staying = nil
        program.end(timeout: Self.farewell)
        throw .late(command: name, timeout: timeout, said: said)
      }
    }
  }

  private func read(_ text: String) throws(ListenError) -> ReplyLine {
    do throws(MessageError) {
      return try ReplyLine(text)
    } catch {
      throw .noReply(command: name, error)
    }
  }

  /// Output that was written between requests is not a reply to the next request.
  private func forgetOldWords() {
    leftOver.removeAll { $0.forgetOldWords() }
    if staying?.forgetOldWords() == true { staying = nil }
  }

  private func start(for request: SceneRequest) throws(ListenError) -> PipedProcess {
    var environment = ProcessInfo.processInfo.environment
    // A persistent process may open a URL at any time, so that its request and hop count cannot be determined.
    if isForEach { environment["USHER_HOPS"] = String(request.envelope.hops) }
    do throws(SystemdError) {
      return try PipedProcess(
        ProcessConfiguration(
          executable: command.executable, arguments: command.arguments, environment: environment))
    } catch {
      throw .notStarted(error)
    }
  }

  private var name: String { command.arguments.first ?? command.executable }
}

extension PipedProcess {
  /// Drops the lines in the output, and returns `true` if the process has exited.
  fileprivate func forgetOldWords() -> Bool {
    while true {
      switch next(by: .now) {
      case .line, .tooLong: continue
      case .ended: return true
      case .late: return false
      }
    }
  }
}

extension Reply {
  /// The reply as a result of `Scenes`; a failure is thrown.
  var result: SceneResult {
    get throws(ListenError) {
      if let error { throw .failed(error) }
      guard handled else { return .notHandled }
      return value.map(SceneResult.handled) ?? .handled
    }
  }
}

extension SceneRequest {
  /// Reports the progress to the caller.
  func report(_ progress: RequestProgress) {
    report(progress.completedUnitCount, of: progress.totalUnitCount, progress.message)
  }
}
