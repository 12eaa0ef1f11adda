// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `usher explain --as` {
  private static let policy = """
    format = 1
    owner = "corp"
    [route.calls]
    match = "play:{x}"
    ask = true
    final = true
    [route.calls-by-contacts]
    match = "play:{x}"
    source = { application = "org.gnome.Contacts", assurance = ">= unit" }
    allow = true
    final = true
    [route.none-from-sandboxes]
    match = "play:{x}"
    source.sandboxed = true
    deny = "not from a sandbox"
    final = true
    [route.clicked]
    match = "play:{x}"
    source = { origin = "https://corp.example", user_activation = true, sandboxed = false }
    allow = true
    final = true
    [route.not-what-the-user-installed]
    match = "play:{x}"
    source = { application = "org.corp.Tool", installed = "user" }
    deny = "not what the user installed"
    final = true
    """

  /// The arguments of a call, with the expected verdict.
  private static let calls: [(words: [String], decision: String, source: String)] = [
    (["--as", "org.gnome.Contacts:unit"], "deliver", "org.gnome.Contacts (unit)"),
    (["--as", "org.gnome.Contacts.desktop:unit"], "deliver", "org.gnome.Contacts (unit)"),
    (["--as", "org.gnome.Contacts:executable"], "ask", "org.gnome.Contacts (executable)"),
    (["--as", "org.gnome.Contacts"], "ask", "org.gnome.Contacts (claimed)"),
    (
      ["--as", "org.gnome.Contacts:sandbox"], "deny", "org.gnome.Contacts (sandbox), treated as sandboxed"
    ),
    (
      ["--as", "org.gnome.Contacts:unit", "--sandboxed"], "deny",
      "org.gnome.Contacts (unit), treated as sandboxed"
    ),
    (["--as", "org.corp.Tool:unit"], "deny", "org.corp.Tool (unit)"),
    (["--as", "org.corp.Tool:unit", "--installed", "user"], "deny", "org.corp.Tool (unit)"),
    (["--as", "org.corp.Tool:unit", "--installed", "system"], "ask", "org.corp.Tool (unit)"),
    (["--as", "unknown"], "ask", "unknown"),
    (["--as", "unknown", "--sandboxed"], "deny", "unknown, treated as sandboxed"),
    (["--as", "unknown", "--origin", "https://corp.example", "--clicked"], "deliver", "unknown"),
    (["--as", "unknown", "--origin", "https://corp.example"], "ask", "unknown"),
    (
      ["--as", "unknown", "--sandboxed", "--origin", "https://corp.example", "--clicked"], "deny",
      "unknown, treated as sandboxed"
    ),
    (["--origin", "https://corp.example", "--clicked"], "deliver", "unknown"),
    ([], "ask", "unknown"),
  ]

  private static func prepare(_ desktop: ThrowAwayDesktop) throws {
    _ = try desktop.installPlayer()
    try desktop.setDefaults(["play": ["player"]])
    try desktop.write(policy, to: "etc/usher/routes/corp.toml")
  }

  private static func expectAll(on desktop: ThrowAwayDesktop, by decider: String) async throws {
    for (words, decision, source) in calls {
      let result = try await Command.run(
        BuiltProducts.usher, ["explain", "--skip-comparison", "--json", "play:1"] + words,
        environment: desktop.environment)
      let object = try JSONObject(result.output)
      #expect(object["decision"] == decision && object["decided-by"] == decider, "\(words): \(result)")
      let reported = try await Command.run(
        BuiltProducts.usher, ["explain", "--skip-comparison", "play:1"] + words,
        environment: desktop.environment)
      // Without --as the caller is this test, whose identity depends on its environment.
      if words.contains("--as") {
        #expect(reported.lines.contains("  source: \(source)"), "\(words): \(reported)")
      }
    }
  }

  @Test func `decides as for that caller, here and by the broker, and opens nothing`() async throws {
    let here = try ThrowAwayDesktop(hasBus: false)
    try Self.prepare(here)
    try await Self.expectAll(on: here, by: "usher")
    try await ThrowAwayDesktop.withBus { desktop, _ in
      try desktop.installUsher()
      try Self.prepare(desktop)
      try await Self.expectAll(on: desktop, by: "broker")
    }
  }

  @Test func `rejects impossible callers`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    for words in [
      ["--as", "org.a:certain"], ["--as", "org.a:unknown"], ["--as", ":unit"], ["--as", ""], ["--sandboxed"],
      ["--as", "org.a", "--source-application", "org.b"], ["--as", "org.a", "--in-app"],
      ["--installed", "system"], ["--as", "unknown", "--installed", "user"],
      ["--as", "org.a", "--installed", "system"], ["--as", "org.a:unit", "--installed", "root"],
    ] {
      let result = try await Command.run(
        BuiltProducts.usher, ["explain", "play:1"] + words, environment: desktop.environment)
      #expect(result.status == 64, "\(words): \(result)")
    }
  }
}
