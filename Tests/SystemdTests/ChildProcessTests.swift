// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Systemd

@Suite struct `Child processes` {
  private func shell(
    _ script: String, environment: [String: String] = Command.bareEnvironment, in directory: String? = nil
  ) -> ProcessConfiguration {
    ProcessConfiguration(
      executable: "/bin/sh", arguments: ["sh", "-c", script], environment: environment,
      workingDirectory: directory)
  }

  @Test(arguments: [0, 1, 7, 126, 255] as [Int32])
  func `The exit status is returned`(status: Int32) async throws {
    let child = try ChildProcess(shell("exit \(status)"), on: .shared)
    let ended = await child.exitStatus()
    #expect(ended == .exited(status))
    #expect(ended?.isSuccess == (status == 0))
    #expect(ended?.description == "exit status \(status)")
  }

  @Test func `The signal that ended it is returned`() async throws {
    let child = try ChildProcess(shell("kill -TERM $$"), on: .shared)
    let ended = await child.exitStatus()
    #expect(ended == .signalled(SIGTERM))
    #expect(ended?.description == "signal 15 (Terminated)")
  }

  @Test func `Later and concurrent waits return the same exit status`() async throws {
    let child = try ChildProcess(shell("exit 3"), on: .shared)
    #expect(await child.exitStatus() == .exited(3))
    #expect(await child.exitStatus() == .exited(3))
    let other = try ChildProcess(shell("read line"), on: .shared)
    await withTaskGroup { group in
      for _ in 0..<10 { group.addTask { #expect(await other.exitStatus() == .exited(1)) } }
    }
  }

  @Test func `It is reaped without a waiting task`() async throws {
    let child = try ChildProcess(shell("exit 0"), on: .shared)
    // A child is a zombie until it is reaped, and its pidfd accepts signals until then.
    try await withDeadline(Command.defaultDeadline, "the end of a child") {
      while child.handle.isAlive { await Task.yield() }
    }
    #expect(kill(child.handle.pid, 0) == -1)
  }

  @Test func `An exit status that another call has collected is not invented`() async throws {
    let loop = EventLoop()
    let child = try await withCheckedContinuation {
      (made: CheckedContinuation<Result<ChildProcess, SystemdError>, Never>) in
      // Runs on the loop, so that this wait precedes the loop's own.
      loop.submit {
        made.resume(
          returning: Result { () throws(SystemdError) in
            let child = try ChildProcess(shell("exit 5"), on: loop)
            waitpid(child.handle.pid, nil, 0)
            return child
          })
      }
    }.get()
    #expect(await child.exitStatus() == nil)
  }

  @Test func `A program that is missing is an error that names it`() throws {
    let missing = ProcessConfiguration(
      executable: "/no/such/program", arguments: ["program"], environment: [:])
    let error = #expect(throws: SystemdError.self) { try ChildProcess(missing, on: .shared) }
    #expect(error?.code == ENOENT)
    #expect(error?.description == "cannot start /no/such/program: No such file or directory")
    let forbidden = ProcessConfiguration(executable: "/etc/passwd", arguments: ["passwd"], environment: [:])
    #expect(throws: SystemdError("start /etc/passwd", code: EACCES)) {
      try ChildProcess(forbidden, on: .shared)
    }
  }

  @Test func `A working directory that is missing is not blamed on the program`() throws {
    let error = #expect(throws: SystemdError.self) { try shell("true", in: "/no/such/folder").spawn() }
    #expect(error?.description == "cannot enter /no/such/folder to start /bin/sh: No such file or directory")
  }

  @Test(arguments: [
    ProcessConfiguration(executable: "/bin/sh\0x", arguments: ["sh"], environment: [:]),
    ProcessConfiguration(executable: "/bin/sh", arguments: ["sh", "a\0b"], environment: [:]),
    ProcessConfiguration(executable: "/bin/sh", arguments: ["sh"], environment: ["A": "b\0c"]),
    ProcessConfiguration(executable: "/bin/sh", arguments: ["sh"], environment: ["A\0": "b"]),
    ProcessConfiguration(executable: "/bin/sh", arguments: ["sh"], environment: [:], workingDirectory: "/\0"),
  ])
  func `A string with a NUL byte is rejected`(program: ProcessConfiguration) {
    let error = #expect(throws: SystemdError.self) { try program.spawn() }
    #expect(error?.code == EINVAL)
  }

  @Test func `Only arguments, environment and directory arrive, byte for byte`() async throws {
    let directory = try TemporaryDirectory()
    let arguments = ["sh", "-c", #"printf '%s\0' "$@" >args; env -0 >env; pwd -P >cwd"#, "-"]
    let awkward = ["$HOME ${x} $$ % \"", "", "a b\tc\nd", "é\u{301}", "-n", "\\x41"]
    let child = try ChildProcess(
      ProcessConfiguration(
        executable: "/bin/sh", arguments: arguments + awkward,
        environment: ["PATH": "/usr/bin:/bin", "X": "$Y %d \"q\"\n"], workingDirectory: directory.path),
      on: .shared)
    #expect(await child.exitStatus() == .exited(0))
    func content(_ name: String) throws -> [Substring.UTF8View] {
      try String(contentsOfFile: "\(directory.path)/\(name)", encoding: .utf8).utf8.split(separator: 0)
        .map { Substring($0).utf8 }
    }
    let text = try String(contentsOfFile: "\(directory.path)/args", encoding: .utf8)
    #expect(Array(text.utf8) == Array((awkward.joined(separator: "\0") + "\0").utf8))
    let environment = Set(try content("env").map { String($0) ?? "" })
    #expect(environment.subtracting(["PWD=\(directory.path)"]) == ["PATH=/usr/bin:/bin", "X=$Y %d \"q\"\n"])
    #expect(try String(contentsOfFile: "\(directory.path)/cwd", encoding: .utf8) == "\(directory.path)\n")
  }

  @Test func `A child inherits no descriptors, and has default signals and its own session`() async throws {
    let directory = try TemporaryDirectory()
    // A descriptor that the program would inherit if it were not closed.
    let leaked = open("/dev/null", O_RDONLY)
    defer { close(leaked) }
    let before = signal(SIGWINCH, SIG_IGN)
    defer { signal(SIGWINCH, before) }
    let script = """
      ls /proc/self/fd >fds; readlink /proc/self/fd/0 >input; grep ^Sig /proc/self/status >signals
      echo $$ $(ps -o sid= -p $$) >session
      """
    let child = try ChildProcess(shell(script, in: directory.path), on: .shared)
    #expect(await child.exitStatus() == .exited(0))
    func lines(_ name: String) throws -> [String] {
      try String(contentsOfFile: "\(directory.path)/\(name)", encoding: .utf8).split(separator: "\n").map(
        String.init)
    }
    // Descriptor 3 is the directory that ls itself reads.
    #expect(try lines("fds") == ["0", "1", "2", "3"])
    #expect(try lines("input") == ["/dev/null"])
    let signals = try lines("signals").map { $0.split(separator: "\t").map(String.init) }
    for name in ["SigBlk:", "SigIgn:"] {
      let mask = try #require(signals.first { $0.first == name }?.last.flatMap { UInt64($0, radix: 16) })
      // Signals 32 and 33 are glibc's own, and cannot be set.
      #expect(mask & ~0x1_8000_0000 == 0, "\(signals)")
    }
    let session = try #require(try lines("session").first).split(separator: " ")
    #expect(session.first == session.last)
  }

  @Test(arguments: [false, true])
  func `Errors are written to a descriptor that is given`(isBoundToThread: Bool) throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { for end in ends { close(end) } }
    var program = shell("echo error >&2")
    program.errorOutput = ends[1]
    program.isBoundToThread = isBoundToThread
    let child = try SpawnedProcess(program)
    #expect(child.exitStatus(by: Command.deadlineFromNow) == .exited(0))
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(ends[0], &bytes, bytes.count)
    #expect(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self) == "error\n")
  }

  @Test func `Fifty children exit, each with its own status`() async throws {
    let children = try (0..<50).map { try ChildProcess(shell("exit \($0)"), on: .shared) }
    for (number, child) in children.enumerated() {
      #expect(await child.exitStatus() == .exited(Int32(number)))
    }
  }
}
