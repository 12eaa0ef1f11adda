// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Systemd

@Suite struct `Watched directories` {
  @Test func `Created, written, moved and removed files are reported in order`() async throws {
    let directory = try TemporaryDirectory()
    let changes = try await EventLoop.shared.changes(in: directory.path)
    try directory.write("x", to: "one")
    rename("\(directory.path)/one", "\(directory.path)/two é")
    unlink("\(directory.path)/two é")
    mkdir("\(directory.path)/end", 0o700)
    let names = try await withDeadline(Command.defaultDeadline, "changes") {
      var names: [String] = []
      for await change in changes {
        #expect(change.directory == directory.path)
        let name = change.name ?? "?"
        if names.last != name { names.append(name) }
        if name == "end" { break }
      }
      return names
    }
    #expect(names.contains("one") && names.suffix(2) == ["two é", "end"], "\(names)")
  }

  @Test func `The removal of the directory itself is reported`() async throws {
    let directory = try TemporaryDirectory()
    let inner = try directory.makeDirectory("inner")
    let changes = try await EventLoop.shared.changes(in: inner)
    rmdir(inner)
    let change = try await withDeadline(Command.defaultDeadline, "a change") {
      await changes.first { _ in true }
    }
    #expect(change == FileChange(directory: inner, name: nil))
  }

  @Test func `A missing directory is an error that names it`() async {
    await #expect(throws: SystemdError("watch /no/such", code: ENOENT)) {
      try await EventLoop.shared.changes(in: "/no/such")
    }
  }

  @Test func `Two watchers of one directory both receive all events, and one can end without the other`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let first = try await EventLoop.shared.changes(in: directory.path)
    let second = try await EventLoop.shared.changes(in: directory.path)
    mkdir("\(directory.path)/a", 0o700)
    let task = Task { await first.first { $0.name == "a" } }
    #expect(await task.value != nil)
    // The call of `first` ended its consumer; the other one still receives everything.
    mkdir("\(directory.path)/b", 0o700)
    let seen = try await withDeadline(Command.defaultDeadline, "changes") {
      await second.first { $0.name == "b" }
    }
    #expect(seen != nil)
  }
}

@Suite struct `Signals of the process` {
  // The test runs in its own process, because all tests share the signals of this one.
  @Test func `Signals arrive in order instead of ending the process`() async {
    await #expect(processExitsWith: .success) {
      let signals = EventLoop.shared.signals([SIGUSR1, SIGTERM])
      for number in [SIGUSR1, SIGTERM, SIGUSR1] {
        kill(getpid(), number)
        let seen = try await withDeadline(Command.defaultDeadline, "a signal") {
          await signals.first { _ in true }
        }
        #expect(seen == number)
      }
    }
  }
}
