// SPDX-License-Identifier: Apache-2.0
import BrokerService
import DBus
import Foundation
import Freedesktop
import Logging
import Systemd
import TestSupport
import Testing

/// The owner of an application's bus name, to which tokens and progress are sent.
@Suite struct `The instance of an application` {
  @Test func `is not a program in a sandbox that may be another one`() async throws {
    guard try await Command.run("bwrap", ["--unshare-user", "--ro-bind", "/", "/", "true"]).succeeded else {
      try Test.cancel("no sandbox can be made here")
    }
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let id = try #require(ApplicationID("org.example.Notes"))
      try desktop.installDesktopEntry(id.rawValue, exec: "/bin/true")
      let connection = try await BusConnection.open(.address(bus.address), on: .shared)
      let identification = await SourceIdentification(
        on: connection, environment: desktop.environment, log: Logger(label: "test"))
      #expect(await identification.instance(of: id) == nil)
      let owners = try await connection.owners(of: "org.example.Notes")
      var changes = owners.makeAsyncIterator()
      let program = [
        "/usr/bin/python3", "-m", "dbusmock", "--session", "org.example.Notes", "/org/example",
        "org.example.Name",
      ]
      let box = [
        "bwrap", "--unshare-user", "--unshare-pid", "--die-with-parent", "--ro-bind", "/", "/", "--proc",
        "/proc",
        "--dev", "/dev", "--bind", desktop.root, desktop.root,
      ]
      for isBoxed in [true, false] {
        let command = (isBoxed ? box : ["env"]) + program
        let owner = try await RunningProgram.start(
          command[0], Array(command.dropFirst()), environment: desktop.environment)
        while await changes.next() == .some(nil) {}
        #expect(await (identification.instance(of: id) == nil) == isBoxed)
        owner.kill()
        _ = await owner.waitUntilExit()
        while let change = await changes.next(), change != nil {}
      }
      await connection.close()
    }
  }
}

/// The desktop entries of applications, one of which is on a file system that does not respond.
@Suite struct `The entry of an application` {
  /// The files of the machine, one of which blocks until the test allows its read.
  private struct HangingFiles: FileReading {
    let name: String
    let mayRead = DispatchSemaphore(value: 0)
    let reads = AsyncStream<Void>.makeStream()

    func read(_ path: String) -> FileOutcome {
      if path.hasSuffix("/\(name)") {
        reads.continuation.yield()
        mayRead.wait()
      }
      return LocalFiles().read(path)
    }
    func readWithStatus(_ path: String) -> (outcome: FileOutcome, status: FileStatus?) {
      LocalFiles().readWithStatus(path)
    }
    func list(_ directory: String) -> DirectoryOutcome { LocalFiles().list(directory) }
    func isExecutable(_ path: String) -> Bool { LocalFiles().isExecutable(path) }
  }

  @Test func `delays no other call if it cannot be read`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let (slow, other) = (
        try #require(ApplicationID("org.example.Slow")), try #require(ApplicationID("org.example.Other"))
      )
      for id in [slow, other] { try desktop.installDesktopEntry(id.rawValue, exec: "/bin/true") }
      let connection = try await BusConnection.open(.address(bus.address), on: .shared)
      let files = HangingFiles(name: slow.desktopFileName)
      let identification = await SourceIdentification(
        on: connection, environment: desktop.environment, files: files, log: Logger(label: "test"))
      async let entry = identification.entry(of: slow)
      try await withDeadline(Command.defaultDeadline, "calls beside the read") {
        _ = await files.reads.stream.first { _ in true }
        #expect(await identification.isInstalled(slow))
        #expect(await identification.isInstalled(other))
      }
      #expect(await entry == nil)
      files.mayRead.signal()
      #expect(await identification.entry(of: other)?.name() == other.rawValue)
      await connection.close()
    }
  }
}
