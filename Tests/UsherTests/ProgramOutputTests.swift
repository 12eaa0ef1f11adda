// SPDX-License-Identifier: Apache-2.0
import Glibc
import Systemd
import TestSupport
import Testing

@testable import UsherCommand

@Suite struct `A program whose output is dropped` {
  private func program(_ script: String) -> ProcessConfiguration {
    ProcessConfiguration(
      executable: "/bin/sh", arguments: ["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"])
  }

  @Test func `succeeds if its exit status is 0`() {
    let deadline = ContinuousClock.now + .seconds(60) * timeoutFactor
    #expect(program("true").succeeds(by: deadline))
    #expect(!program("exit 1").succeeds(by: deadline))
    #expect(!program("kill -9 $$").succeeds(by: deadline))
  }

  @Test func `is killed with its children after its deadline`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    var endless = program("exec 3<&0; sleep 1000 & wait")
    endless.input = ends[1]
    #expect(!endless.succeeds(by: .now + .milliseconds(500)))
    close(ends[1])
    // The pipe ends with the last process that has it.
    var byte: UInt8 = 0
    #expect(read(ends[0], &byte, 1) == 0)
  }
}

@Suite struct `A program whose output is read` {
  private func ending(
    _ script: String, input: Int32? = nil,
    by deadline: ContinuousClock.Instant = .now + .seconds(60) * timeoutFactor, or interruption: Int32 = -1
  ) throws -> ProgramOutput.Ending {
    var program = ProcessConfiguration(
      executable: "/bin/sh", arguments: ["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"])
    if let input { program.input = input }
    return try #require(ProgramOutput(program)).ending(by: deadline, or: interruption)
  }

  @Test func `has an exit status, with all of its output`() throws {
    #expect(try ending("echo a") == .ended(.exited(0), output: "a\n"))
    #expect(try ending("echo a; exit 3") == .ended(.exited(3), output: "a\n"))
    #expect(try ending("exit 255") == .ended(.exited(255), output: ""))
    #expect(try ending("echo a; kill -9 $$") == .ended(.signalled(9), output: "a\n"))
  }

  @Test func `has a failure unless it exits or exceeds its time`() {
    let endings: [ProgramOutput.Ending?] = [
      .ended(.exited(3), output: "a"), .timeout, .ended(.signalled(9), output: ""), .unreadable, nil,
    ]
    #expect(
      endings.map(\.failure) == [
        nil, nil, "was ended by signal 9 (Killed)", "printed more than can be read", "cannot be executed",
      ])
  }

  @Test func `is killed after its deadline, or if its output is too long`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { for end in ends { close(end) } }
    #expect(try ending("read line", input: ends[0], by: .now) == .timeout)
    #expect(try ending("exec cat /dev/zero") == .unreadable)
  }

  @Test func `is killed when it is interrupted`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { for end in ends { close(end) } }
    // An interruption that does not arrive.
    #expect(try ending("echo a", or: ends[0]) == .ended(.exited(0), output: "a\n"))
    #expect(write(ends[1], "x", 1) == 1)
    #expect(try ending("exec sleep 86400", by: .now + .seconds(86_400), or: ends[0]) == .timeout)
  }
}
