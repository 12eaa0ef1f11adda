// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Systemd

@Suite struct `Process directories` {
  @Test func `The directory of the current process has its known values`() throws {
    let directory = try #require(ProcDirectory(of: getpid()))
    #expect(directory.text(of: "cgroup")?.contains("/") == true)
    #expect(directory.text(of: "no-such-file") == nil)
    #expect(try #require(directory.startTime) <= ProcDirectory.now)
    let program = try #require(directory.program)
    #expect(program.file == FileIdentity(path: program.path))
    #expect(program.file != FileIdentity(path: "/"))
    #expect(directory.hasOurRoot == true && directory.isInOurUserNamespace == true)
    #expect(directory.fileInRoot(".no-such-file", upTo: 10) == .missing)
  }

  @Test func `An exited process cannot be read through a directory that was opened before`() async throws {
    let child = try ChildProcess(
      ProcessConfiguration(executable: "/bin/sleep", arguments: ["sleep", "86400"], environment: [:]),
      on: .shared)
    let directory = try #require(ProcDirectory(of: child.handle.pid))
    #expect(directory.startTime != nil)
    try child.handle.send(signal: SIGKILL)
    _ = await child.exitStatus()
    #expect(directory.startTime == nil && directory.program == nil && directory.hasOurRoot == nil)
    #expect(directory.isInOurUserNamespace == nil)
    #expect(directory.fileInRoot(".flatpak-info", upTo: 10) == .unreadable)
    #expect(ProcDirectory(of: child.handle.pid) == nil)
  }

  @Test func `A file below the process root must be regular, short enough, and no symbolic link`() throws {
    let tree = try TemporaryDirectory()
    try tree.makeDirectory("7/root/folder")
    try tree.write("1234", to: "7/root/file")
    for (name, aim) in [("link", "file"), ("gone", "nowhere"), ("out", "../../secret")] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(tree.path)/7/root/\(name)", withDestinationPath: aim)
    }
    #expect(mkfifo("\(tree.path)/7/root/pipe", 0o600) == 0)
    let directory = try #require(ProcDirectory(of: 7, below: tree.path))
    #expect(directory.fileInRoot("file", upTo: 4) == .bytes(Array("1234".utf8)))
    #expect(directory.fileInRoot("file", upTo: 3) == .unreadable)
    for name in ["link", "gone", "out", "pipe", "folder"] {
      #expect(directory.fileInRoot(name, upTo: 10) == .unreadable, "\(name)")
    }
    #expect(directory.fileInRoot("absent", upTo: 10) == .missing)
    // Neither is a symbolic link among the directories above.
    try tree.write("5", to: "7/root/folder/file")
    try FileManager.default.createSymbolicLink(
      atPath: "\(tree.path)/7/root/other", withDestinationPath: "folder")
    #expect(directory.fileInRoot("folder/file", upTo: 10) == .bytes(Array("5".utf8)))
    #expect(directory.fileInRoot("other/file", upTo: 10) == .unreadable)
    #expect(directory.fileInRoot("absent/file", upTo: 10) == .missing)
    #expect(directory.fileInRoot("file/file", upTo: 10) == .unreadable)
    #expect(directory.hasOurRoot == false)
    #expect(directory.program == nil && directory.startTime == nil && directory.isInOurUserNamespace == nil)
  }

  @Test func `A process in another user namespace is distinguished from ours`() async throws {
    guard try await Command.run("unshare", ["--map-root-user", "true"]).succeeded else {
      try Test.cancel("no user namespace can be made here")
    }
    let inside = try await RunningProgram.start(
      "unshare", ["--map-root-user", "sh", "-c", "echo in; exec cat"])
    _ = try await inside.line { $0 == "in" }
    let directory = try #require(ProcDirectory(of: inside.processIdentifier))
    #expect(directory.isInOurUserNamespace == false && directory.hasOurRoot == true)
    inside.closeInput()
    _ = await inside.waitUntilExit()
  }
}
