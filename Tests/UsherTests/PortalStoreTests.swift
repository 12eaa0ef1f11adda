// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Choices in the permission store of the desktop portal, with the real `xdg-permission-store`.
@Suite(
  .enabled(
    if: access(PermissionStore.program, X_OK) == 0,
    "xdg-permission-store is missing; run: scripts/bootstrap"))
struct `The portal's permission store` {
  /// Runs `body` on a desktop with two applications for `notes:`, of which the first is the default, and a store that
  /// the bus can start.
  private func with(
    _ body: (ThrowAwayDesktop, PermissionStore) async throws -> Void
  ) async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      try desktop.installUsher()
      for id in ["org.example.Notes", "org.example.Former"] {
        try desktop.installDesktopEntry(id, exec: "/bin/true %u", schemes: ["notes"], in: .system)
      }
      try await desktop.updateDesktopDatabase()
      let store = try PermissionStore(on: desktop)
      try await bus.reload()
      try await desktop.usher("register", "org.example.Notes", "--scheme", "notes").orThrow()
      try await body(desktop, store)
    }
  }

  @Test func `is not started if it can have no entries`() async throws {
    try await with { desktop, store in
      let doctor = try await desktop.usher("doctor")
      #expect(doctor.status == 0, "\(doctor)")
      #expect(try await desktop.usher("handlers").succeeded)
      #expect(try await store.isRunning == false)
    }
  }

  @Test func `precedes the default for the applications that it names, and is reset by doctor`() async throws
  {
    try await with { desktop, store in
      try await store.choose("org.example.Former", for: "notes", caller: "org.example.Chat", count: 3)
      try await store.choose("org.example.Former", for: "notes", caller: "", count: 7)
      // These precede nothing: too few times, the default itself, and web links.
      try await store.choose("org.example.Former", for: "notes", caller: "org.example.Rare", count: 2)
      try await store.choose("org.usher.Handler", for: "notes", caller: "org.example.Same", count: 3)
      let (object, _) = try await desktop.usherJSON("doctor")
      let found = object.objects("findings")
      #expect(
        found.map { $0["check"] } == ["portal", "portal"]
          && found.allSatisfy { $0.boolean("fixable") == true })
      #expect(
        found.last?["message"]?.contains("links of org.example.Chat are opened with org.example.Former")
          == true)
      #expect(found.first?["message"]?.contains("programs that the portal cannot identify") == true)

      let (handlers, _) = try await desktop.usherJSON("handlers")
      let notes = handlers.objects("handlers").first { $0["scheme"] == "notes" }
      #expect(notes?.objects("portal").map { $0["caller"] } == ["", "org.example.Chat"])
      #expect(
        try await desktop.usher("handlers").output.contains("portal: org.example.Former for org.example.Chat")
      )
      let (explained, _) = try await desktop.usherJSON("explain", "notes:1")
      let portal = explained.objects("other-openers").filter {
        $0["tool"] == "portal" && $0["state"] == "differs"
      }
      #expect(portal.map { $0["caller"] } == ["", "org.example.Chat"], "\(explained)")

      // The command of a finding removes that choice alone.
      let command = try #require(found.last?["command"])
      try await Command.run("sh", ["-c", command], environment: desktop.environment).orThrow()
      #expect(try await store.callers(of: "notes") == ["", "org.example.Rare", "org.example.Same"])
      let (fixed, result) = try await desktop.usherJSON("doctor", "--fix")
      #expect(result.status == 0 && fixed.objects("findings").isEmpty)
      #expect(fixed.objects("repairs").map { $0.boolean("fixed") } == [true])
      #expect(try await store.callers(of: "notes") == ["org.example.Rare", "org.example.Same"])
    }
  }

  @Test func `is named by register, and reset only on request`() async throws {
    try await with { desktop, store in
      try await store.choose("org.example.Former", for: "notes", caller: "org.example.Chat", count: 3)
      try await store.choose("org.example.Former", for: "other", caller: "org.example.Chat", count: 3)
      let (kept, _) = try await desktop.usherJSON("register", "org.example.Notes", "--scheme", "notes")
      #expect(kept.texts("warnings").contains { $0.contains("add --reset-portal") }, "\(kept)")
      #expect(kept.objects("portal-reset").isEmpty)
      #expect(try await store.callers(of: "notes") == ["org.example.Chat"])
      let (reset, _) = try await desktop.usherJSON(
        "register", "org.example.Notes", "--scheme", "notes", "--reset-portal")
      #expect(reset.texts("warnings").isEmpty)
      #expect(reset.objects("portal-reset").map { $0["application"] } == ["org.example.Former"])
      #expect(try await store.callers(of: "notes").isEmpty)
      #expect(try await store.callers(of: "other") == ["org.example.Chat"])
    }
  }

  @Test func `that does not answer is a finding, and delays nothing for long`() async throws {
    try await with { desktop, store in
      try await store.choose("org.example.Former", for: "notes", caller: "org.example.Chat", count: 3)
      try await store.stop()
      let (object, _) = try await desktop.usherJSON("doctor")
      let found = object.objects("findings").filter { $0["check"] == "portal" }
      #expect(found.count == 1 && found.first?["message"]?.contains("cannot be read") == true, "\(object)")
      #expect(try await desktop.usher("handlers").succeeded)
      try await store.resume()
    }
  }
}

/// The real permission store, which the bus of a desktop starts.
struct PermissionStore {
  static let program = "/usr/libexec/xdg-permission-store"
  private static let name = "org.freedesktop.impl.portal.PermissionStore"
  private static let table = "desktop-used-apps"
  private let desktop: ThrowAwayDesktop

  /// Makes the store activatable; the bus must read its activation files again.
  init(on desktop: ThrowAwayDesktop) throws {
    self.desktop = desktop
    try desktop.write(
      "[D-BUS Service]\nName=\(Self.name)\nExec=\(Self.program)\n",
      to: "share/dbus-1/services/\(Self.name).service")
  }

  /// Stores a choice as the portal does after the user has made it.
  func choose(_ application: String, for scheme: String, caller: String, count: Int) async throws {
    try await call(
      "SetPermission", "sbssas", Self.table, "true", "x-scheme-handler/" + scheme, caller, "3", application,
      "\(count)", "3"
    ).orThrow()
  }

  /// Returns the callers with a choice for a scheme, sorted.
  func callers(of scheme: String) async throws -> [String] {
    let output = try await call("Lookup", "ss", Self.table, "x-scheme-handler/" + scheme, json: true)
      .orThrow().output
    let reply = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
    let permissions = (reply?["data"] as? [Any])?.first as? [String: Any]
    return (permissions ?? [:]).keys.sorted()
  }

  /// Indicates whether the store runs.
  var isRunning: Bool {
    get async throws { try await processID() != nil }
  }

  /// Suspends the store, so that it answers no call.
  func stop() async throws { kill(try #require(try await processID()), SIGSTOP) }
  /// Continues the store.
  func resume() async throws { kill(try #require(try await processID()), SIGCONT) }

  private func processID() async throws -> pid_t? {
    let result = try await Command.run(
      "busctl",
      [
        "--user", "call", "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
        "GetConnectionUnixProcessID", "s", Self.name,
      ], environment: desktop.environment)
    return result.succeeded
      ? result.output.split(whereSeparator: \.isWhitespace).last.flatMap { pid_t($0) } : nil
  }

  private func call(_ method: String, _ arguments: String..., json: Bool = false) async throws
    -> CommandResult
  {
    try await Command.run(
      "busctl",
      ["--user"] + (json ? ["--json=short"] : []) + [
        "call", Self.name, "/org/freedesktop/impl/portal/PermissionStore", Self.name, method,
      ] + arguments, environment: desktop.environment)
  }
}
