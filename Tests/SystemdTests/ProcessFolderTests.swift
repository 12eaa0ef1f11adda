import Foundation
import TestSupport
import Testing

@testable import Systemd

@Suite struct `Process folders` {
  @Test func `One's own tells what is known anyway`() throws {
    let folder = try #require(ProcessFolder(of: getpid()))
    #expect(folder.text(of: "cgroup")?.contains("/") == true)
    #expect(folder.text(of: "no-such-file") == nil)
    #expect(try #require(folder.beginning) <= ProcessFolder.now)
    let program = try #require(folder.program)
    #expect(program.file == FileIdentity(path: program.path))
    #expect(program.file != FileIdentity(path: "/"))
    #expect(folder.hasOurRoot == true && folder.isInOurUserNamespace == true)
    #expect(folder.fileInRoot(".no-such-file", upTo: 10) == .missing)
  }

  @Test func `What has ended cannot be read, by a folder that was open before`() async throws {
    let child = try ChildProcess(
      ProgramStart(executable: "/bin/sleep", arguments: ["sleep", "1000"], environment: [:]), on: .shared)
    let folder = try #require(ProcessFolder(of: child.handle.pid))
    #expect(folder.beginning != nil)
    try child.handle.send(signal: SIGKILL)
    _ = await child.exitStatus()
    #expect(folder.beginning == nil && folder.program == nil && folder.hasOurRoot == nil)
    #expect(folder.isInOurUserNamespace == nil)
    #expect(folder.fileInRoot(".flatpak-info", upTo: 10) == .unreadable)
    #expect(ProcessFolder(of: child.handle.pid) == nil)
  }

  @Test func `A file of the root is a regular one, not too long, and no link`() throws {
    let tree = try TemporaryDirectory()
    try tree.makeDirectory("7/root/folder")
    try tree.write("1234", to: "7/root/file")
    for (name, aim) in [("link", "file"), ("gone", "nowhere"), ("out", "../../secret")] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(tree.path)/7/root/\(name)", withDestinationPath: aim)
    }
    #expect(mkfifo("\(tree.path)/7/root/pipe", 0o600) == 0)
    let folder = try #require(ProcessFolder(of: 7, below: tree.path))
    #expect(folder.fileInRoot("file", upTo: 4) == .bytes(Array("1234".utf8)))
    #expect(folder.fileInRoot("file", upTo: 3) == .unreadable)
    for name in ["link", "gone", "out", "pipe", "folder"] {
      #expect(folder.fileInRoot(name, upTo: 10) == .unreadable, "\(name)")
    }
    #expect(folder.fileInRoot("absent", upTo: 10) == .missing)
    #expect(folder.hasOurRoot == false)
    #expect(folder.program == nil && folder.beginning == nil && folder.isInOurUserNamespace == nil)
  }

  @Test func `A process in a user namespace of its own is told from ours`() async throws {
    guard try await Command.run("unshare", ["--map-root-user", "true"]).succeeded else {
      try Test.cancel("no user namespace can be made here")
    }
    let inside = try await RunningProgram.start(
      "unshare", ["--map-root-user", "sh", "-c", "echo in; exec cat"])
    _ = try await inside.line { $0 == "in" }
    let folder = try #require(ProcessFolder(of: inside.processIdentifier))
    #expect(folder.isInOurUserNamespace == false && folder.hasOurRoot == true)
    inside.closeInput()
    _ = await inside.waitUntilExit()
  }
}
