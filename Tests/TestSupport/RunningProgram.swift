// SPDX-License-Identifier: Apache-2.0
import CTestSupport
import Foundation
import Glibc

/// A program that runs beside the test: a bus, the daemon, or an application.
///
/// ```swift
/// let daemon = try await RunningProgram.start(BuiltProducts.usherd, environment: desktop.environment)
/// let ready = try await daemon.line { $0.contains("ready") }
/// daemon.terminate()
/// #expect(await daemon.waitUntilExit().status == 0)
/// ```
///
/// It is killed with its process group when the last reference is released, and when the test process exits.
public final class RunningProgram: Sendable {
  /// The process ID.
  public let processIdentifier: Int32
  /// The lines of standard output as they arrive, without their terminators.
  ///
  /// For one consumer at a time; unread lines are buffered.
  public let lines: AsyncStream<String>

  private let result: Task<CommandResult, Never>
  private let control: Int32
  private let input: Int32
  private let name: String

  private init(
    name: String, processIdentifier: Int32, lines: AsyncStream<String>, result: Task<CommandResult, Never>,
    control: Int32, input: Int32
  ) {
    self.name = name
    self.processIdentifier = processIdentifier
    self.lines = lines
    self.result = result
    self.control = control
    self.input = input
  }

  deinit {
    close(control)
    close(input)
  }

  /// Starts `program` (a path, or a name in the `PATH` of `environment`) with exactly that environment.
  ///
  /// With `deadline`, the program and its process group are killed if they still run after that time.
  public static func start(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = Command.bareEnvironment,
    directory: String? = nil, deadline: Duration? = nil
  ) async throws(TestSupportError) -> RunningProgram {
    try await start(
      ProgramLaunch(
        program: program, arguments: arguments, environment: environment, directory: directory,
        input: .stream,
        deadline: deadline, diesWithTests: true))
  }

  static func start(_ launch: ProgramLaunch) async throws(TestSupportError) -> RunningProgram {
    var control: [Int32] = [-1, -1]
    guard ctest_socket_pair(&control) == 0 else { throw TestSupportError("no socket: errno \(errno)") }
    let (childInput, testInput) = inputEnds(launch.input)
    let (lines, lineContinuation) = AsyncStream<String>.makeStream()
    let (started, startedContinuation) = AsyncStream<Result<Int32, TestSupportError>>.makeStream()
    let (ended, endedContinuation) = AsyncStream<CommandResult>.makeStream()
    let thread = ProgramThread(
      launch: launch, control: control[1], input: childInput, lines: lineContinuation,
      started: startedContinuation, ended: endedContinuation)
    Thread.detachNewThread { thread.run() }

    // This task is not cancelled with the caller, because the process ID must be known before the process can be killed.
    let outcome = await Task.detached { await started.first { _ in true } }.value
    guard case .success(let pid) = outcome else {
      close(control[0])
      close(testInput)
      guard case .failure(let error) = outcome else {
        throw TestSupportError("\(launch.program) has no thread")
      }
      throw error
    }
    let unknown = CommandResult(
      ending: .signalled(0), outputBytes: [], errorBytes: [], arguments: [launch.program])
    let result = Task.detached { await ended.first { _ in true } ?? unknown }
    return RunningProgram(
      name: launch.program, processIdentifier: pid, lines: lines, result: result, control: control[0],
      input: testInput)
  }

  /// Returns the child's end and the test's end of standard input; the latter is -1 if there is none.
  private static func inputEnds(_ input: ProgramLaunch.Input) -> (child: Int32, test: Int32) {
    switch input {
    case .stream:
      var ends: [Int32] = [-1, -1]
      _ = ctest_socket_pair(&ends)
      return (ends[0], ends[1])
    case .bytes(let bytes):
      let file = bytes.isEmpty ? open("/dev/null", O_RDONLY | O_CLOEXEC) : ctest_memory_file()
      if !bytes.isEmpty {
        FileHandle(fileDescriptor: file).write(Data(bytes))
        lseek(file, 0, SEEK_SET)
      }
      return (file, -1)
    }
  }

  /// Sends a signal to the program, or with `toGroup` to its process group.
  ///
  /// Has no effect after the program has exited.
  public func send(_ signal: Int32, toGroup: Bool = false) {
    var byte = UInt8(truncatingIfNeeded: signal) | (toGroup ? ProgramThread.toGroup : 0)
    Glibc.send(control, &byte, 1, Int32(MSG_NOSIGNAL))
  }

  /// Requests the program to terminate (SIGTERM).
  public func terminate() { send(SIGTERM) }

  /// Kills the program and its process group (SIGKILL).
  public func kill() { send(SIGKILL, toGroup: true) }

  /// Writes to the program's standard input.
  public func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 || errno == EINTR else { return }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// Closes the program's standard input.
  public func closeInput() { shutdown(input, Int32(SHUT_WR)) }

  /// Waits for the exit; can be called any number of times.
  public func waitUntilExit() async -> CommandResult {
    await withTaskCancellationHandler {
      await result.value
    } onCancel: {
      kill()
    }
  }

  /// Returns the next line of standard output for which `condition` holds, and drops the lines before it.
  ///
  /// Throws an error with the complete output if the program exits first or the time expires.
  public func line(
    within time: Duration = Command.defaultDeadline,
    where condition: @Sendable @escaping (String) -> Bool = { _ in true }
  ) async throws(TestSupportError) -> String {
    let lines = lines
    let found = try await withDeadline(time, "a line of \(name)") { await lines.first(where: condition) }
    if let found { return found }
    throw TestSupportError("the awaited line never came: \(await waitUntilExit())")
  }
}
