// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// Suggested commands after an error of the broker.
@Suite struct `Suggested commands of usher open` {
  @Test func `follow a rejection, a timeout, and a failed application`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      try desk.desktop.installRoutes(
        "no", "format = 1\nowner = \"user\"\n[route.no]\nmatch = \"served:no\"\ndeny = \"not for you\"\n")
      let refused = try await desk.usher("open", "served:no")
      #expect(
        refused.errorOutput == """
          usher: the user's route “no” denies the link: not for you
            try: usher explain served:no  # show which application opens it, and why

          """, "\(refused)")
      let fallback = try await desk.usher("open", "--fallback", "served:no", "nobody:1")
      #expect(
        fallback.errorOutput.hasPrefix("usher: the user's route “no” denies the link: not for you\n")
          && fallback.errorOutput.contains("  try: usher explain served:no  #"), "\(fallback)")
      let late = try await desk.usher("open", "--wait", "handled", "--timeout", "0.2", "served:late")
      #expect(late.status == 5 && late.errorOutput.contains("\n  try: usher history  #"), "\(late)")
      await application.gate.open()
      let unhandled = try await desk.usher("open", "nobody:1")
      #expect(
        unhandled.status == 2 && unhandled.errorOutput.contains("\n  try: usher handlers  #"), "\(unhandled)")
      // Each of them is a valid command.
      for words in [
        ["explain", "--skip-comparison", "served:no"], ["grants", "list"], ["history"], ["handlers"],
      ] {
        let next = try await desk.run("usher", words)
        #expect(next.status == 0 || words[0] == "explain" && next.status == 3, "\(next)")
      }
    }
  }

  @Test func `are absent if there is none`() async throws {
    try await InstalledDesktop.with { desk in
      let history = try await desk.usher("history").orThrow()
      #expect(history.output.isEmpty && history.errorOutput == "usher: the history is empty\n")
      let grants = try await desk.usher("grants", "list").orThrow()
      #expect(grants.output.isEmpty && grants.errorOutput.contains("no grant matches"))
    }
  }

  @Test func `are highlighted on a terminal, and absent in a log`() async throws {
    try await InstalledDesktop.with { desk in
      let shown = try await desk.run(
        "script", ["-qc", "usher open nobody:1", "/dev/null"], adding: ["TERM": "xterm"])
      #expect(
        shown.output.contains("\u{1B}[1musher:\u{1B}[0m no application opens nobody: links"), "\(shown)")
      #expect(shown.output.contains("  try: \u{1B}[1musher handlers\u{1B}[0m"), "\(shown)")
      let logged = try await desk.usher("open", "--from-desktop", "nobody:1")
      #expect(!logged.errorOutput.contains("try:"), "\(logged)")
    }
  }
}
