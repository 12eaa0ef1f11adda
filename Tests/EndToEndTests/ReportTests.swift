// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import TestSupport
import Testing

@Suite struct `usher report with a broker` {
  /// Opens links of several kinds, and writes a report.
  private func report(on desk: InstalledDesktop) async throws -> (path: String, data: String) {
    let target = try await Target.install(.scenes, on: desk.desktop)
    try desk.desktop.setUsherAsDefault(of: [.scenes])
    try desk.desktop.writeRoutes(
      "rules.toml",
      """
      [route.no-ads]
      match = ["notes://ads/{x...}", "notes://banners/{x...}"]
      deny = "no ads"
      [route.note]
      match = "notes://note/{id:int}"
      allow = true

      """)
    _ = try await desk.open("--wait", "handled", "notes://note/7?token=secret#secret")
    _ = try await target.next()
    _ = try await desk.open("notes://ads/1?token=secret")
    _ = try await desk.open("nobody://ada:hushhush@h/1?<b>token</b></script>")
    let path = "\(desk.desktop.home)/report.html"
    try await desk.run("usher", ["report", path]).orThrow()
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let data = try #require(
      text.components(separatedBy: #"id="data">"#).last?.components(separatedBy: "</script>").first)
    return (path, data)
  }

  @Test func `has the history with its states, and the decisions, without secrets`() async throws {
    try await InstalledDesktop.with { desk in
      let (_, data) = try await report(on: desk)
      #expect(try await JSONSchema("usher-report").diagnostics(about: [data]) == [])
      for secret in ["hushhush", "token", "secret"] { #expect(!data.contains(secret), "\(secret)") }
      let report = try PropertyList(json: data)
      let entries = try #require(report["history"]?["entries"]?.array)
      #expect(entries.map { $0["outcome"] } == ["failed", "failed", "handled"], "\(entries)")
      let states = try #require(entries.last?["states"]?.array)
      #expect(states.map { $0["state"] } == ["queued", "sent"])
      let times = states.compactMap { $0["at"]?.integer } + [entries.last?["duration"]?.integer ?? -1]
      #expect(times == times.sorted() && times.count == 3, "\(times)")
      let decisions = try #require(report["decisions"]?.array)
      #expect(
        decisions.map { $0["explanation"]?["decision"] } == ["none", "deny", "deliver"], "\(decisions)")
      let winners = decisions.map { $0["explanation"]?["winner"]?["route"] }
      #expect(winners == [nil, "no-ads", "note"], "\(decisions)")
      let table = report["routes"]?["tables"]?.array?.first { $0["layer"] == "user" }
      let counts = table?["coverage"]?["routes"]?.array?.map { $0["count"] }
      #expect(counts == [1, 1], "\(String(describing: table))")
      // Each pattern has its own links, by the number of the link in the history.
      let links = table?["routes"]?.array?.map { route in
        route["patterns"]?.array?.map { $0["links"]?.array?.compactMap(\.integer) }
      }
      #expect(links == [[[1], []], [[2]]], "\(String(describing: table))")
    }
  }

  @Test func `has the route that would win a link and does not match it`() async throws {
    try await InstalledDesktop.with { desk in
      try desk.desktop.writeRoutes(
        "rules.toml",
        """
        [types]
        team = ["design", "mobile"]
        [route.team]
        match = "notes://h/{team:team}/{id:int}"
        deny = "no teams"
        [route.other]
        match = "notes://h/{x}/{id:int}"
        deny = "nothing else"

        """)
      _ = try await desk.open("notes://h/mobile/7")
      _ = try await desk.open("notes://h/platform/7?token=secret")
      let path = "\(desk.desktop.home)/report.html"
      try await desk.run("usher", ["report", path]).orThrow()
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let data = try #require(
        text.components(separatedBy: #"id="data">"#).last?.components(separatedBy: "</script>").first)
      #expect(try await JSONSchema("usher-report").diagnostics(about: [data]) == [])
      #expect(!data.contains("token"))
      let decisions = try #require(try PropertyList(json: data)["decisions"]?.array)
      #expect(decisions.map { $0["explanation"]?["winner"]?["route"] } == ["other", "team"], "\(decisions)")
      #expect(decisions.last?["near-misses"] == nil)
      let miss = try #require(decisions.first?["near-misses"]?.array?.first)
      #expect(miss["route"] == "team")
      let message = miss["mismatches"]?.array?.first?["message"]?.string
      #expect(message?.contains("one of `design`, `mobile`") == true, "\(miss)")
    }
  }

  @Test func `is read in Chromium by search, filters and keyboard alone`() async throws {
    try await InstalledDesktop.with { desk in
      let (path, _) = try await report(on: desk)
      let result = try await Command.run(
        "\(BuiltProducts.repository)/scripts/try-report", ["--page", path, "--axe-if-here"])
      #expect(result.status == 0, "\(result)")
    }
  }
}
