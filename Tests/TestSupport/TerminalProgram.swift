// SPDX-License-Identifier: Apache-2.0
import CTestSupport
import Foundation
import Glibc

/// A program on a pseudo-terminal, with its screen.
///
/// ```swift
/// let shell = try TerminalProgram("sh", ["-c", "usher monitor --watch"], environment: desktop.environment)
/// _ = try await shell.screen { $0.lines.contains { $0.contains("monitor") } }
/// await shell.press("q")
/// ```
///
/// It is killed with its process group when the last reference is released.
public actor TerminalProgram {
  /// The process ID.
  public nonisolated let processIdentifier: Int32
  /// The screen after all output so far.
  public private(set) var current: TerminalScreen
  /// All output so far.
  public private(set) var output: [UInt8] = []
  /// The test's end of the terminal; -1 after `hangUp()`.
  private var terminal: Int32

  /// Starts `program` (a path, or a name in the `PATH` of `environment`) as the leader of a session on a new terminal.
  public init(
    _ program: String, _ arguments: [String], environment: [String: String], rows: Int = 24, columns: Int = 80
  ) throws(TestSupportError) {
    var path = [CChar](repeating: 0, count: 256)
    terminal = ctest_open_terminal(Int32(rows), Int32(columns), &path, path.count)
    guard terminal >= 0 else { throw TestSupportError("no pseudo-terminal: errno \(errno)") }
    let launch = ProgramLaunch(program: program, arguments: arguments, environment: environment)
    let vector = try launch.argumentVector()
    var words: [UnsafeMutablePointer<CChar>?] = vector.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var pid: Int32 = 0
    let failure = ctest_spawn_on_terminal(&pid, vector[0], &words, &variables, path)
    guard failure == 0 else {
      throw TestSupportError("\(program) does not start: \(String(cString: strerror(failure)))")
    }
    processIdentifier = pid
    current = TerminalScreen(rows: rows, columns: columns)
  }

  deinit {
    // The end of its terminal reaches the programs that it has started.
    if terminal >= 0 { close(terminal) }
    kill(-processIdentifier, SIGKILL)
    var status: Int32 = 0
    while waitpid(processIdentifier, &status, 0) < 0, errno == EINTR {}
  }

  /// Writes what the keys of a user send.
  public func press(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
  }

  /// A Boolean value that indicates whether the terminal prints what is typed.
  public var echoes: Bool {
    var settings = termios()
    return tcgetattr(terminal, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Ends the terminal, as the window of a terminal does that is closed.
  public func hangUp() {
    close(terminal)
    terminal = -1
  }

  /// Changes the size of the terminal, of which the kernel notifies the program.
  public func resize(rows: Int, columns: Int) {
    current.resize(rows: rows, columns: columns)
    _ = ctest_resize_terminal(terminal, Int32(rows), Int32(columns))
  }

  /// Shows the output as it arrives, and returns the screen as soon as `condition` holds.
  public func screen(
    within time: Duration = Command.defaultDeadline,
    where condition: @Sendable (TerminalScreen) -> Bool
  ) async throws -> TerminalScreen {
    let deadline = ContinuousClock.now + time * timeoutFactor
    while !condition(current) {
      let terminal = terminal
      let bytes = try await BlockingWork.runAtOnce { Self.read(terminal, until: deadline) }
      guard !bytes.isEmpty else {
        throw TestSupportError("the awaited screen never came:\n\(current.lines.joined(separator: "\n"))")
      }
      output += bytes
      current.write(bytes)
    }
    return current
  }

  /// Returns the next output; empty at the end of the terminal or at the deadline.
  private static func read(_ terminal: Int32, until deadline: ContinuousClock.Instant) -> [UInt8] {
    var polled = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    let left = Int32(clamping: Int64(max(.zero, deadline - .now) / .milliseconds(1)) + 1)
    guard poll(&polled, 1, left) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(terminal, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }
}
