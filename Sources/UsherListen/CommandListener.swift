// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import FoundationEssentials
import Glibc
import Scenes
import Systemd

/// A listener that runs a command: one process that reads a line for each request, or a new process for each.
///
/// A process that reads several requests names the request in each reply. A line that cannot be attributed is an error of
/// the program: all its requests fail, and it is started again for the next one.
actor CommandListener: Listener {
  /// The longest wait for a command to exit, after each of the requests to exit and after the end of its output.
  private static let farewell = Duration.seconds(2)
  /// The longest wait for the programs of an earlier listener, which may be one on another bus that is still running.
  private static let predecessorTimeout = Duration.seconds(5)

  private nonisolated let loop = EventLoop()
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let command: ListenInvocation.Command
  private let options: ListenInvocation.Options
  private var programs: [Int: Program] = [:]
  /// The programs that were terminated and have not ended yet, by the same numbers.
  private var ending: [Int: Program] = [:]
  private var lastNumber = 0
  /// The number of the process that receives the next request; `nil` if it has to be started.
  private var staying: Int?
  private var turns = SharedTurns()
  /// The ID of the application, and the guard of its programs, which is started with the first of them.
  private let applicationID: String
  private var programGuard: ProcessGuard?

  init(
    _ command: ListenInvocation.Command, _ options: ListenInvocation.Options, for applicationID: String
  ) {
    self.command = command
    self.options = options
    self.applicationID = applicationID
  }

  /// Does nothing, because a command that exits is started again.
  nonisolated func watch(_ tellEnd: @escaping @Sendable () -> Void) {}

  func answer(_ request: SceneRequest) async throws -> SceneResult {
    do {
      return try await inTurn { try await reply(to: request) }.result
    } catch let error as ListenError where error.isEndWithSeveral {
      // Handled alone, so that a request that makes the program exit does not affect other requests again.
      return try await inTurn(alone: request.requestID) {
        // A cancelled request is not handled again, and the program may have handled it before.
        guard !Task.isCancelled else { throw error }
        try await request.beginAgain()
        return try await reply(to: request.redelivered)
      }.result
    }
  }

  func end() {
    for program in programs.values { end(program) }
  }

  private func end(_ program: Program) {
    program.end(timeout: Self.farewell)
    programGuard?.remove(program.processID)
  }

  /// Waits until the programs of an earlier listener that was killed have exited, and starts the guard of new ones.
  ///
  /// A request that an earlier program had is passed to a new one, and both must not handle it at the same time.
  private func startGuard() {
    guard programGuard == nil else { return }
    var lock: FileLock?
    if let directory = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] {
      mkdir("\(directory)/usher", 0o700)
      lock = FileLock("\(directory)/usher/\(applicationID).program", by: .now + Self.predecessorTimeout)
    }
    programGuard = ProcessGuard(keeping: lock)
  }

  private func inTurn<Value>(
    alone id: String? = nil, _ body: () async throws -> Value
  ) async throws -> Value {
    // One step, because the continuation may begin in a later turn of the loop, when other turns have ended.
    await withCheckedContinuation { turns.enter($0, alone: id) }
    defer { turns.end() }
    return try await body()
  }

  private func reply(to request: SceneRequest) async throws -> Reply {
    while true {
      do {
        return try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { begin(request, $0) }
        } onCancel: {
          Task { await self.withdraw(request.requestID) }
        }
      } catch ListenError.requestNotRead {
        try Task.checkCancellation()
        // A new process receives it.
        continue
      }
    }
  }

  /// Passes a request to the process that stays, or to a new one.
  private func begin(_ request: SceneRequest, _ reply: CheckedContinuation<Reply, any Error>) {
    do throws(ListenError) {
      let number: Int
      if let staying { number = staying } else { number = try start(for: request) }
      programs[number]?.accept(request, reply)
    } catch {
      reply.resume(throwing: error)
    }
  }

  private func withdraw(_ id: String) {
    guard options.concurrent != nil else { return }
    for program in programs.values { program.withdraw(id) }
  }

  private func start(for request: SceneRequest) throws(ListenError) -> Int {
    var environment = ProcessInfo.processInfo.environment
    // A persistent process may open a URL at any time, so that its request and hop count cannot be determined.
    if options.isForEach { environment["USHER_HOPS"] = String(request.envelope.hops) }
    lastNumber += 1
    let number = lastNumber
    startGuard()
    var configuration = ProcessConfiguration(
      executable: command.executable, arguments: command.arguments, environment: environment)
    // This is the loop's thread, which exists as long as the process.
    configuration.isBoundToThread = true
    do throws(SystemdError) {
      let process = try PipedProcess(configuration)
      programGuard?.add(process.processID)
      programs[number] = Program(
        process, named: command.arguments.first ?? command.executable,
        PendingReplies(on: loop, isForOne: options.isForEach, timeout: options.timeout) { [weak self] id in
          self?.assumeIsolated { $0.late(id, at: number) }
        })
      process.watch(on: loop) { [weak self] in self?.assumeIsolated { $0.read(number) } }
    } catch {
      throw .notStarted(error)
    }
    staying = options.isForEach ? nil : number
    return number
  }

  /// Reads what a process has written, and removes the process if it has exited.
  private func read(_ number: Int) {
    guard let program = programs[number] else { return }
    do throws(ListenError) {
      if case .exited(let status) = try program.read() {
        turns.reserve(program.requestsToRepeat)
        program.finishRequests(after: status)
        programGuard?.remove(program.processID)
        return forget(number)
      }
    } catch {
      // The remaining lines may be replies to other requests, so they are dropped with the process.
      if !program.hasRequests { StandardError.warn("\(error)") }
      return terminate(number, error)
    }
    // A program closes its output when it exits, shortly before its exit can be observed.
    guard program.isOutputClosed, !program.isExpectedToExit else { return }
    // It cannot reply any more, so that the next request goes to a new process.
    if staying == number { staying = nil }
    let error = ListenError.outputClosed(command: program.name)
    program.awaitExit(on: loop, for: Self.farewell) { [weak self] in
      self?.assumeIsolated { $0.terminate(number, error) }
    }
  }

  private func late(_ id: String, at number: Int) {
    guard let program = programs[number] else { return }
    let hasOthers = program.hasSeveralRequests
    let error = ListenError.timedOut(
      command: program.name, timeout: options.timeout, said: program.said, isTerminated: !hasOthers)
    // The program keeps running for its other requests, to which no late reply can be attributed.
    guard hasOthers else { return terminate(number, error) }
    program.withdraw(id)
    program.fail(id, error)
  }

  private func terminate(_ number: Int, _ error: ListenError) {
    guard let program = programs[number] else { return }
    forget(number)
    ending[number] = program
    // The requests of other programs go on while this one is asked to exit.
    guard
      options.isForEach,
      program.end(
        timeout: Self.farewell, on: loop, then: { self.assumeIsolated { $0.finish(number, error) } })
    else {
      program.end(timeout: Self.farewell)
      return finish(number, error)
    }
  }

  /// Answers the requests of a program that was terminated, so that a new one for a next request never runs beside it.
  private func finish(_ number: Int, _ error: ListenError) {
    guard let program = ending.removeValue(forKey: number) else { return }
    programGuard?.remove(program.processID)
    program.failAll(error)
  }

  private func forget(_ number: Int) {
    programs.removeValue(forKey: number)?.unwatch()
    if staying == number { staying = nil }
  }
}

/// A process of the command, and the requests that it has.
private final class Program {
  let name: String
  private let process: PipedProcess
  private var pending: PendingReplies
  /// The timer that waits for the exit of a program that has closed its output.
  private var exitTimer: LoopTimer?
  private var sent = SentLines()
  /// The request for which the program was started.
  private var firstID: String?

  init(_ process: PipedProcess, named name: String, _ pending: PendingReplies) {
    (self.process, self.name, self.pending) = (process, name, pending)
  }

  var isOutputClosed: Bool { !process.isOutputOpen }
  var processID: Int32 { process.processID }
  var hasRequests: Bool { !pending.isEmpty }
  var hasSeveralRequests: Bool { pending.ids.count > 1 }
  /// The last line of the program that was not for a caller.
  var said: String? { pending.said }

  func accept(_ request: SceneRequest, _ reply: CheckedContinuation<Reply, any Error>) {
    firstID = firstID ?? request.requestID
    pending.add(request, reply)
    send(request.envelope.json, for: request.requestID)
    if pending.isForOne { process.endInput() }
  }

  /// Notifies the program that a request is cancelled, unless it has answered it.
  func withdraw(_ id: String) {
    guard !pending.isForOne, pending.withdraw(id) else { return }
    send(ReplyLine.withdrawal(of: id), for: nil)
  }

  private func send(_ line: String, for id: String?) {
    let bytes = Array((line + "\n").utf8)
    sent.append(bytes.count, for: id, after: process.unreadCount)
    process.send(bytes)
  }

  /// The state of the process after its output was read.
  enum State {
    case running
    /// The status is `nil` if it is unknown.
    case exited(ExitStatus?)
  }

  /// Reads all output.
  ///
  /// - Throws: `ListenError` for a line that cannot be attributed.
  func read() throws(ListenError) -> State {
    while true {
      switch process.next(by: .now) {
      case .line(let bytes):
        let line: ReplyLine
        do throws(MessageError) { line = try ReplyLine(bytes) } catch { throw .unattributed(error) }
        try pending.apply(line)
      case .tooLong: pending.say("more than \(PipedProcess.longestLine) bytes without a line break")
      case .ended(let status): return .exited(status)
      case .late: return .running
      }
    }
  }

  /// The requests that may have made the program exit, in order; empty if only one can be the cause.
  var requestsToRepeat: [String] {
    let unread = unreadIDs
    let read = pending.ids.filter { !unread.contains($0) }
    return read.count > 1 ? read : []
  }

  /// Answers a request with an error.
  func fail(_ id: String, _ error: ListenError) { pending.finish(id, .failure(error)) }

  /// Answers all requests with an error.
  func failAll(_ error: ListenError) { pending.finishAll(error) }

  /// Answers all requests of a program that has exited.
  func finishRequests(after status: ExitStatus?) {
    for id in unreadIDs { fail(id, .requestNotRead(command: name)) }
    guard pending.ids.count == 1, let id = pending.ids.first else {
      return failAll(.endedWithSeveral(command: name, status))
    }
    // A shell reports the signal that killed its command as a status above 128.
    let isReply = if pending.isForOne, case .exited(...128)? = status { true } else { false }
    pending.finish(
      id,
      status?.isSuccess == true
        ? .success(Reply(handled: true))
        : .failure(ListenError.ended(command: name, status, isReply: isReply)))
  }

  /// The requests that the program did not read, except the one for which it was started.
  private var unreadIDs: [String] {
    sent.unread(process.unreadCount).filter { $0 != firstID }
  }

  /// Indicates whether the timer for the exit runs.
  var isExpectedToExit: Bool { exitTimer != nil }

  /// Calls `late` if the program, which has closed its output, does not exit in time.
  func awaitExit(on loop: EventLoop, for timeout: Duration, late: @escaping () -> Void) {
    exitTimer = LoopTimer(on: loop, after: timeout, late)
  }

  func unwatch() {
    exitTimer?.cancel()
    process.unwatch()
  }

  func end(timeout: Duration) {
    unwatch()
    process.end(timeout: timeout)
  }

  /// Ends the process on a thread of its own; `false` if there can be none.
  func end(timeout: Duration, on loop: EventLoop, then ended: @escaping @Sendable () -> Void) -> Bool {
    unwatch()
    return process.end(timeout: timeout, on: loop, then: ended)
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
