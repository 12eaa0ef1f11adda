// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import Logging
import State
import TestSupport
import Testing

@testable import BrokerService

@Suite struct `A link to the broker's database` {
  /// Tests that the type detection, which opens and closes a file, does not release the locks of a database.
  @Test func `does not release the locks of the database`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let reader = try Recorder("reader", in: desktop)
      try desktop.installDesktopEntry("reader", exec: "\(reader.execWord) %u")
      try desktop.installMimeApps(
        """
        [Default Applications]
        application/octet-stream=reader.desktop
        application/vnd.sqlite3=reader.desktop

        """)
      let state = "\(desktop.stateHome)/usher/state.sqlite"
      let history = try HistoryStore(at: state)
      try history.add([Self.entry])
      // The name has no extension, so that without the guard the type would be read from the content.
      try FileManager.default.linkItem(atPath: state, toPath: "\(desktop.home)/copy")
      let daemon = await BrokerDaemon(
        on: try await BusConnection.open(.address(bus.address)), environment: desktop.environment,
        log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      #expect(try await daemon.start())
      let report = try await Command.run(
        BuiltProducts.usher, ["open", "file://\(desktop.home)/copy"], environment: desktop.environment)
      try report.orThrow()
      #expect(try await reader.nextStart().arguments == ["file://\(desktop.home)/copy"])
      let script =
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT * FROM history'); c.close()"
      try await Command.run("python3", ["-c", script, state]).orThrow()
      #expect(FileManager.default.fileExists(atPath: state + "-wal"))
      await daemon.bus.close()
    }
  }

  private static let entry = HistoryEntry(
    time: 1, request: "r", urls: "notes:1", source: nil, assurance: "unknown", application: nil,
    delivery: nil, outcome: "handled", error: nil, duration: 7)
}
