// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Systemd

@Suite struct `Process handles` {
  @Test func `A running process receives signals, an exited one does not`() async throws {
    let child = try ChildProcess(
      ProcessConfiguration(executable: "/bin/sleep", arguments: ["sleep", "86400"], environment: [:]),
      on: .shared)
    let other = try #require(ProcessHandle(pid: child.handle.pid))
    #expect(other.isAlive)
    try other.send(signal: SIGKILL)
    #expect(await child.exitStatus() == .signalled(SIGKILL))
    #expect(!other.isAlive)
    let error = #expect(throws: SystemdError.self) { try other.send(signal: SIGTERM) }
    #expect(error?.code == ESRCH)
    #expect(error?.description == "cannot send signal 15 to process \(other.pid): No such process")
  }

  @Test(arguments: [0, -1, Int32.max] as [Int32])
  func `There is no handle for a process that does not exist`(pid: Int32) {
    #expect(ProcessHandle(pid: pid) == nil)
  }

  @Test func `A process that ended has no handle`() async throws {
    let child = try ChildProcess(
      ProcessConfiguration(executable: "/bin/true", arguments: ["true"], environment: [:]), on: .shared)
    _ = await child.exitStatus()
    #expect(ProcessHandle(pid: child.handle.pid) == nil)
  }

  @Test func `A pidfd from another process refers to the same process`() async throws {
    let child = try ChildProcess(
      ProcessConfiguration(executable: "/bin/sleep", arguments: ["sleep", "86400"], environment: [:]),
      on: .shared)
    let same = try #require(ProcessHandle(duplicating: child.handle.descriptor))
    #expect(same.pid == child.handle.pid && same.isAlive)
    try same.send(signal: SIGKILL)
    _ = await child.exitStatus()
    #expect(!same.isAlive)
    #expect(ProcessHandle(duplicating: child.handle.descriptor) == nil)
  }

  @Test(arguments: [-1, 0, Int32.max] as [Int32])
  func `A descriptor of anything else is no handle`(descriptor: Int32) {
    #expect(ProcessHandle(duplicating: descriptor) == nil)
  }
}
