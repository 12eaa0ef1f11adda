// SPDX-License-Identifier: Apache-2.0
import CTestSupport
import Foundation
import Glibc

/// A thread that starts one program, reads its output, forwards signals and reaps it.
///
/// It waits in a single `poll`, so that no cooperative thread blocks and nothing is polled periodically. Only the thread
/// uses the process ID, and only until it reaps the process, so that a signal never reaches another process with a reused
/// ID.
struct ProgramThread: Sendable {
  /// The bit of a control byte that addresses the process group instead of the process.
  static let toGroup: UInt8 = 0x80

  let launch: ProgramLaunch
  /// The thread's end of the control socket: one byte for each signal; end of file when the program object is released.
  let control: Int32
  /// The child's standard input, which is closed here after the child has inherited it.
  let input: Int32
  let lines: AsyncStream<String>.Continuation
  let started: AsyncStream<Result<Int32, TestSupportError>>.Continuation
  let ended: AsyncStream<CommandResult>.Continuation

  /// Runs the program from its start to its exit.
  func run() {
    defer {
      close(control)
      lines.finish()
      started.finish()
      ended.finish()
    }
    do throws(TestSupportError) {
      ended.yield(try runToItsExit())
    } catch {
      started.yield(.failure(error))
    }
  }

  private func runToItsExit() throws(TestSupportError) -> CommandResult {
    var program = try start()
    started.yield(.success(program.pid))
    let ending = watch(&program)
    return CommandResult(
      ending: ending, outputBytes: program.output.bytes, errorBytes: program.error.bytes,
      arguments: [launch.program] + launch.arguments)
  }

  /// Runs a program without input on the current thread, and waits for its exit.
  static func run(_ launch: ProgramLaunch) throws(TestSupportError) -> CommandResult {
    try ProgramThread(
      launch: launch, control: -1, input: open("/dev/null", O_RDONLY | O_CLOEXEC),
      lines: AsyncStream.makeStream().continuation, started: AsyncStream.makeStream().continuation,
      ended: AsyncStream.makeStream().continuation
    ).runToItsExit()
  }

  private struct Running {
    let pid: pid_t
    let exit: Int32
    var output: PipeReader
    var error: PipeReader
  }

  private func start() throws(TestSupportError) -> Running {
    defer { close(input) }
    let vector = try launch.argumentVector()
    guard let output = PipeReader.Pipe(), let error = PipeReader.Pipe() else {
      throw TestSupportError("no pipe for \(launch.program): errno \(errno)")
    }
    var arguments: [UnsafeMutablePointer<CChar>?] = vector.map { strdup($0) } + [nil]
    var environment: [UnsafeMutablePointer<CChar>?] =
      launch.environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var pid: pid_t = 0
    let failure = ctest_spawn(
      &pid, vector[0], &arguments, &environment, launch.directory, input, output.writeEnd, error.writeEnd)
    close(output.writeEnd)
    close(error.writeEnd)
    guard failure == 0 else {
      close(output.readEnd)
      close(error.readEnd)
      throw TestSupportError("\(vector[0]) does not start: \(String(cString: strerror(failure)))")
    }
    return Running(
      pid: pid, exit: ctest_pidfd_open(pid), output: PipeReader(descriptor: output.readEnd, lines: lines),
      error: PipeReader(descriptor: error.readEnd))
  }

  private func watch(_ program: inout Running) -> CommandResult.Ending {
    let deadline = launch.deadline.map { ContinuousClock.now + $0 * timeoutFactor }
    var pastDeadline = false
    var isHeld = true
    while true {
      var polled = [
        pollfd(fd: program.exit, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isHeld ? control : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: program.output.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: program.error.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let remaining = pastDeadline ? nil : deadline.map { max(.zero, $0 - .now) }
      let ready = poll(&polled, 4, remaining.map { Int32(clamping: Int64($0 / .milliseconds(1)) + 1) } ?? -1)
      if ready == 0 {
        pastDeadline = true
        kill(-program.pid, SIGKILL)
      }
      if polled[1].revents != 0 { isHeld = passSignalOn(to: program.pid) }
      if polled[2].revents != 0 { program.output.read() }
      if polled[3].revents != 0 { program.error.read() }
      if polled[0].revents != 0 { break }
    }
    // The output before the exit is read completely; a child that still holds the pipe is not awaited.
    program.output.finish()
    program.error.finish()
    close(program.exit)
    var status: Int32 = 0
    while waitpid(program.pid, &status, 0) < 0, errno == EINTR {}
    if pastDeadline { return .pastDeadline }
    return status & 0x7f == 0 ? .exited((status >> 8) & 0xff) : .signalled(status & 0x7f)
  }

  /// Processes one control byte; returns `false` and kills the program if the program object was released.
  private func passSignalOn(to pid: pid_t) -> Bool {
    var byte: UInt8 = 0
    guard recv(control, &byte, 1, 0) == 1 else {
      kill(-pid, SIGKILL)
      return false
    }
    kill(byte & Self.toGroup == 0 ? pid : -pid, Int32(byte & ~Self.toGroup))
    return true
  }
}
