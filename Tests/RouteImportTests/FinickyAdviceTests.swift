// SPDX-License-Identifier: Apache-2.0
import RouteFiles
import RouteImport
import RouteTables
import TestSupport
import Testing

/// Notes about routes of Finicky rules, and about rules without a route.
@Suite struct `A Finicky rule with advice` {
  @Test func `names the files of the catalogue, and private windows`() throws {
    let imported = try ImportSamples.imported(
      """
      export default { rewrite: [
        { match: () => true, url: (url) => { for (const key of [...url.searchParams.keys()]) if (key.startsWith("utm_")) url.searchParams.delete(key); return url } },
        { match: "slack-redir.net/link*", url: (url) => new URL(url.searchParams.get("url")) },
        { match: "a.example/*", url: (url) => other(url) },
      ], handlers: [
        { match: "*.zoom.us/j/*", browser: "us.zoom.xos" },
        { match: "bank.example/*", browser: "Firefox:Private" },
      ] }
      """, .finicky)
    let reasons = imported.leftOut.map(\.reason)
    #expect(reasons[0].contains("enable clean-tracking") && !reasons[0].contains("clean-redirects"))
    #expect(reasons[1].contains("enable clean-redirects") && reasons[1].contains("unwrap = \"url\""))
    #expect(
      reasons[2].contains("by hand") && reasons[3].contains("`usher web catalog enable zoom`"), "\(reasons)")
    #expect(imported.routes.first?.advice.first?.contains("`private = true`") == true)

    let named = try ImportSamples.imported(
      "export default { handlers: [ { match: \"*.zoom.us/j/*\", browser: \"us.zoom.xos\" } ] }", .finicky,
      browsers: ["us.zoom.xos": "Zoom"])
    #expect(named.text.contains("open = \"Zoom\"\ntarget = \"installed\""), "\(named.text)")
    #expect(named.routes.first?.advice.first?.contains("enable zoom") == true)
    let files = ImportSamples.files(named)
    #expect(try files.table.match("https://us02web.zoom.us/j/1") == nil)
  }

  @Test(arguments: [
    ("Zoom Room", "--browser 'Zoom Room=…'"), ("It's", "--browser 'It'\\''s=…'"),
    ("a;b", "--browser 'a;b=…'"),
  ])
  func `names an option that a shell reads as it is meant`(_ name: String, option: String) throws {
    let imported = try ImportSamples.imported(
      "export default { handlers: [ { match: \"a.example/*\", browser: \"\(name)\" } ] }", .finicky)
    #expect(imported.leftOut.first?.reason.hasSuffix(option) == true, "\(imported.leftOut)")
  }

  @Test func `about the default browser needs no route if it is the own browser`() throws {
    let text =
      "export default { defaultBrowser: \"Firefox\", handlers: [ { match: \"a.example/*\", browser: \"Chromium\" } ] }"
    let own = try ImportSamples.imported(text, .finicky, ownBrowser: ["firefox", "firefox-esr"])
    #expect(own.isComplete && own.routes.map(\.id) == ["a-example"] && own.text.contains("needs no route"))
    _ = ImportSamples.files(own)
    let other = try ImportSamples.imported(text, .finicky, ownBrowser: ["chromium"])
    #expect(other.routes.map(\.id) == ["a-example", "default"])
    #expect(other.routes.last?.advice.first?.contains("`usher web enable ID`") == true)
    let profile = try ImportSamples.imported(
      text.replacing("\"Firefox\"", with: "\"Firefox:Home\""), .finicky, ownBrowser: ["firefox"])
    #expect(profile.routes.count == 2)
  }
}
