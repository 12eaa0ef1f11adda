// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `The GApplication example` {
  private struct Opened: Decodable {
    let uri: String
    let first: Bool
  }

  private func opened(by arguments: [String], in desktop: ThrowAwayDesktop, _ bus: PrivateBus) async throws
    -> Opened
  {
    try await Command.run(arguments[0], Array(arguments.dropFirst()), environment: desktop.environment)
      .orThrow()
    return try JSONDecoder().decode(Opened.self, from: Data(await bus.line().utf8))
  }

  private func call(_ uri: String) -> [String] {
    [
      "busctl", "--user", "call", "org.example.GtkNotes", "/org/example/GtkNotes",
      "org.freedesktop.Application",
      "Open", "asa{sv}", "1", uri, "0",
    ]
  }

  @Test(arguments: [
    "gtk-notes://note/7?tab=edit", "gtk-notes:$HOME${x};&'\"", "GTK-NOTES:%zz%C3%A9%20",
    "gtk-notes:///a/../b//c#f",
  ])
  func `A call on the bus brings every byte`(uri: String) async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      try desktop.installGtkNotes()
      #expect(Array(try await opened(by: call(uri), in: desktop, bus).uri.utf8) == Array(uri.utf8))
    }
  }

  @Test func `A link of a hundred kilobytes arrives`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      try desktop.installGtkNotes()
      let uri = "gtk-notes:" + String(repeating: "x", count: 100 << 10)
      #expect(try await opened(by: call(uri), in: desktop, bus).uri.count == uri.count)
    }
  }

  @Test func `gio open reaches it cold, and the same process warm`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      try desktop.installGtkNotes()
      try desktop.setDefaults(["gtk-notes": ["org.example.GtkNotes"]])
      try await desktop.updateDesktopDatabase()
      let cold = try await opened(by: ["gio", "open", "gtk-notes:1"], in: desktop, bus)
      #expect(cold.uri == "gtk-notes:1" && cold.first)
      let warm = try await opened(by: ["gio", "open", "gtk-notes:2"], in: desktop, bus)
      #expect(warm.uri == "gtk-notes:2" && !warm.first)
      #expect(desktop.processes.filter { $0.arguments.contains(BuiltProducts.gtkNotes) }.count == 1)
    }
  }

  @Test func `The shipped entry is valid`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installGtkNotes()
    let entry = "\(desktop.dataHome)/applications/org.example.GtkNotes.desktop"
    let result = try await Command.run("desktop-file-validate", [entry])
    #expect(result.succeeded && result.output.isEmpty, "\(result)")
  }
}
