// SPDX-License-Identifier: Apache-2.0
import Glibc
import Systemd
import TestSupport
import Testing

@Suite struct `A piped process` {
  private func start(_ script: String) throws -> PipedProcess {
    try PipedProcess(
      ProcessConfiguration(
        executable: "/bin/sh", arguments: ["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"]))
  }

  private var deadline: ContinuousClock.Instant { .now + .seconds(60) * timeoutFactor }

  @Test func `replies line by line, and reports its exit`() throws {
    let program = try start("while read -r line; do echo \"got $line\"; done; exit 7")
    for word in ["one", "two"] {
      program.send(Array("\(word)\n".utf8))
      #expect(program.next(by: deadline) == .line(Array("got \(word)".utf8)))
      #expect(program.unreadCount == 0)
    }
    #expect(program.next(by: .now) == .late)
    program.endInput()
    #expect(program.next(by: deadline) == .ended(.exited(7)))
    #expect(program.next(by: deadline) == .ended(.exited(7)))
  }

  @Test func `bound to its thread gets its environment, its directory and no other descriptor`() throws {
    var configuration = ProcessConfiguration(
      executable: "/bin/sh", arguments: ["sh", "-c", "echo $WORD; pwd; ls /proc/self/fd | wc -l; exit 3"],
      environment: ["PATH": "/usr/bin:/bin", "WORD": "a b"], workingDirectory: "/usr")
    configuration.isBoundToThread = true
    let program = try PipedProcess(configuration)
    // The fourth descriptor is the directory that `ls` reads.
    for line in ["a b", "/usr", "4"] { #expect(program.next(by: deadline) == .line(Array(line.utf8))) }
    #expect(program.next(by: deadline) == .ended(.exited(3)))
    configuration.executable = "/no/such/program"
    let error = #expect(throws: SystemdError.self) { try PipedProcess(configuration) }
    #expect(error?.code == ENOENT)
  }

  /// Transfers more than the capacity of a pipe, in both directions at once.
  @Test func `transfers more than the capacity of a pipe`() throws {
    let program = try start("cat")
    let line = String(repeating: "x", count: 900_000)
    program.send(Array("\(line)\n".utf8))
    #expect(program.next(by: deadline) == .line(Array(line.utf8)))
    program.send(Array(repeating: UInt8(ascii: "y"), count: PipedProcess.longestLine + 100_000))
    #expect(program.next(by: deadline) == .tooLong)
    program.end(timeout: .seconds(60) * timeoutFactor)
  }

  @Test func `leaves input unread that it does not read before it exits`() throws {
    let program = try start("echo ready; read -r line; exit 0")
    #expect(program.next(by: deadline) == .line(Array("ready".utf8)))
    program.send(Array("read\nleft\n".utf8))
    #expect(program.next(by: deadline) == .ended(.exited(0)))
    #expect(program.unreadCount == 5)
  }

  @Test func `returns its last output before its exit, also without a newline`() throws {
    let program = try start("echo first; printf last; kill -9 $$")
    #expect(program.next(by: deadline) == .line(Array("first".utf8)))
    #expect(program.next(by: deadline) == .line(Array("last".utf8)))
    #expect(program.next(by: deadline) == .ended(.signalled(SIGKILL)))
  }

  /// The last output and the exit occur together: between two polls, or during one.
  @Test func `returns its last output independent of the time of its exit`() throws {
    for _ in 1...200 {
      let program = try start("printf last; kill -9 $$")
      #expect(program.next(by: deadline) == .line(Array("last".utf8)))
      #expect(program.next(by: deadline) == .ended(.signalled(SIGKILL)))
    }
  }

  @Test func `is ended with all its children, even if it ignores signals`() async throws {
    let program = try start("trap '' TERM; sleep infinity & echo $!; while :; do wait; done")
    guard case .line(let text) = program.next(by: deadline),
      let child = Int32(String(decoding: text, as: UTF8.self))
    else {
      return #expect(Bool(false), "it tells no number")
    }
    program.end(timeout: .milliseconds(100))
    #expect(program.next(by: deadline) == .ended(.signalled(SIGKILL)))
    #expect(await ThrowAwayDesktop.waitForEnd(of: child, until: deadline))
  }

  @Test func `that writes without end is ended`() throws {
    let program = try start("exec yes ''")
    program.end(timeout: .milliseconds(100))
    var event = program.next(by: deadline)
    while case .line = event { event = program.next(by: deadline) }
    #expect([.ended(.signalled(SIGTERM)), .ended(.signalled(SIGKILL))].contains(event))
  }

  @Test func `that writes without end does not delay the timers of its loop`() async {
    let loop = EventLoop()
    let isStarted = await withCheckedContinuation { done in
      loop.submit {
        guard let program = try? start("exec yes ''") else { return done.resume(returning: false) }
        program.watch(on: loop) { while case .line = program.next(by: .now) {} }
        _ = LoopTimer(on: loop, after: .milliseconds(500)) {
          program.end(timeout: .milliseconds(100))
          done.resume(returning: true)
        }
      }
    }
    #expect(isStarted)
  }

  @Test func `that is not there is an error`() {
    #expect(throws: SystemdError("start /no/such", code: ENOENT)) {
      try PipedProcess(ProcessConfiguration(executable: "/no/such", arguments: ["x"], environment: [:]))
    }
  }
}
