// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `Running programs` {
  @Test func `Output, errors and the exit status are returned`() async throws {
    let result = try await Command.run("sh", ["-c", "cat; echo oh >&2; exit 3"], input: "in\nput")
    #expect(result.output == "in\nput")
    #expect(result.errorOutput == "oh\n")
    #expect(result.status == 3)
  }

  @Test func `Arguments and environment arrive as they are, and nothing else`() async throws {
    let environment = ["PATH": "/usr/bin:/bin", "X": "a b=c\n$HOME é"]
    let result = try await Command.run("env", ["-0"], environment: environment)
    #expect(
      Set(result.output.split(separator: "\0").map(String.init)) == [
        "PATH=/usr/bin:/bin", "X=a b=c\n$HOME é",
      ])
  }

  @Test func `A program past its deadline is killed with its children`() async throws {
    let result = try await Command.run("sh", ["-c", "sleep infinity & wait"], deadline: .milliseconds(200))
    #expect(result.ending == .pastDeadline)
  }

  @Test func `Processes left by a program are not awaited`() async throws {
    let result = try await Command.run("sh", ["-c", "sleep infinity & echo $!"])
    let left = try #require(Int32(result.output.dropLast()))
    #expect(kill(left, SIGKILL) == 0)
  }

  @Test func `A missing program is an error that names it`() async {
    let error = await #expect(throws: TestSupportError.self) { try await Command.run("no-such-program") }
    #expect(error?.description.contains("no-such-program") == true)
  }

  @Test func `A megabyte each way passes`() async throws {
    let text = String(repeating: "0123456789abcdef", count: 65536)
    let result = try await Command.run("cat", input: text)
    #expect(result.output == text)
  }

  @Test func `Only three descriptors reach a program`() async throws {
    let result = try await Command.run("ls", ["/proc/self/fd"])
    // The fourth is the directory that ls itself reads.
    #expect(result.lines == ["0", "1", "2", "3"])
  }

  @Test func `A conversation with a running program`() async throws {
    let program = try await RunningProgram.start("sh", ["-c", "while read x; do echo got $x; done; exit 5"])
    program.write("one\n")
    #expect(try await program.line() == "got one")
    program.write("two\nthree\n")
    #expect(try await program.line { $0.hasSuffix("three") } == "got three")
    program.closeInput()
    #expect(await program.waitUntilExit().status == 5)
  }

  @Test func `A running program is ended by a signal, and a missing line reports its output`() async throws {
    let program = try await RunningProgram.start("sh", ["-c", "echo hello; exec sleep infinity"])
    _ = try await program.line()
    program.terminate()
    let error = await #expect(throws: TestSupportError.self) { try await program.line { $0 == "never" } }
    #expect(error?.description.contains("hello") == true)
    #expect(await program.waitUntilExit().ending == .signalled(SIGTERM))
  }

  @Test func `A private user manager that is terminated leaves no process`() async throws {
    if let reason = await UserManagerRig.unavailableReason() { try Test.cancel("\(reason)") }
    try await Semaphore.userManagers.withPermit {
      let program = try await UserManagerRig.start(
        "sh", ["-c", "echo ready; exec sleep infinity"], environment: Command.bareEnvironment)
      #expect(try await program.line() == "ready")
      program.terminate()
      let result = await program.waitUntilExit()
      #expect(result.status == 143 && !result.errorOutput.contains("is not empty"), "\(result)")
    }
  }

  @Test func `An unreferenced program is killed`() async throws {
    var program: RunningProgram? = try await RunningProgram.start(
      "sh", ["-c", "echo $$; exec sleep infinity"])
    let lines = try #require(program).lines
    program = nil
    // The lines end when the process was reaped.
    for await _ in lines {}
  }

  @Test func `A hundred programs at once each give their own status`() async throws {
    let statuses = try await withThrowingTaskGroup(of: Int32?.self) { group in
      for index in 0..<100 { group.addTask { try await Command.run("sh", ["-c", "exit \(index)"]).status } }
      return try await group.reduce(into: Set<Int32?>()) { $0.insert($1) }
    }
    #expect(statuses == Set((0..<100).map { Int32?($0) }))
  }
}
