// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests of `--universal-links-only`, from the command to the application.
@Suite struct `A link that browsers must not open` {
  @Test func `is NoHandler, until a route assigns it to an application`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setDefaults([
        "play": ["org.usher.Handler", target.kind.id], "https": ["org.usher.Handler", target.kind.id],
      ])
      let link = "https://tunes.example/7"
      let refused = try await desk.open("--universal-links-only", link)
      #expect(refused.status == 2 && refused.error == "NoHandler", "\(refused)")
      #expect(refused.message.contains("universal-links-only requires a route"), "\(refused)")
      let explained = try await desk.usher("explain", "--skip-comparison", "--universal-links-only", link)
      #expect(explained.status == 2 && explained.output.contains("no route names"), "\(explained)")
      try await desk.usher("open", "--universal-links-only", "play:own").orThrow()
      #expect(try await target.next().urls == ["play:own"])
      try desk.desktop.writeRoutes(
        "rules.toml", "[route.tunes]\nmatch = \"https://tunes.example/{n}\"\nopen = \"\(target.kind.id)\"\n")
      try await desk.usher("open", "--universal-links-only", link).orThrow()
      #expect(try await target.next().urls == [link])
      // The caller itself names the fallback, which may be opened in a browser.
      let other = try await desk.open(
        "--universal-links-only", "--fallback", "https://other.example/", "https://other.example/1")
      #expect(other.status == 0, "\(other)")
      #expect(try await target.next().urls == ["https://other.example/"])
    }
  }
}
