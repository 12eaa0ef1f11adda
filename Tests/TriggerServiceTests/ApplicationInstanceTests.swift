// SPDX-License-Identifier: Apache-2.0
import BrokerService
import DBus
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
