// SPDX-License-Identifier: Apache-2.0
import RouteFiles
import RouteTables
import Testing

@Suite struct `A browser in a route file` {
  private func action(_ line: String) throws -> RouteAction {
    let set = files("[route.a]\nmatch = \"https://a.example/{r...?}\"\n\(line)")
    #expect(set.diagnostics.map(\.description) == [])
    return try #require(try set.table.match("https://a.example/x")).action
  }

  @Test func `is a target with a profile and a window`() throws {
    #expect(try action(#"open = { browser = "firefox" }"#) == .browse(BrowserTarget("firefox")))
    #expect(
      try action(#"open = { browser = "firefox", profile = "Work", private = true, new_window = true }"#)
        == .browse(BrowserTarget("firefox", profile: "Work", isPrivate: true, opensNewWindow: true)))
    #expect(
      try action(#"open = { browser = "org.mozilla.firefox", new-window = true, private = false }"#)
        == .browse(BrowserTarget("org.mozilla.firefox", opensNewWindow: true)))
    #expect(
      try action("[route.a.open]\nbrowser = 'chromium'\nprofile = 'Profile 1'")
        == .browse(BrowserTarget("chromium", profile: "Profile 1")))
    #expect(try action(#"open = "firefox-esr@Work""#) == .open(application: "firefox-esr@Work"))
  }

  @Test func `is a choice of a question`() throws {
    #expect(try action(#"ask = "browsers""#) == .ask([.browsers], remember: []))
    #expect(
      try action(
        #"""
        ask = ["org.a", { browser = "firefox", profile = "Work" }]
        remember = "host"
        """#)
        == .ask(
          [.application("org.a"), .browser(BrowserTarget("firefox", profile: "Work"))], remember: [.host]))
  }

  @Test(arguments: [
    ("open = { profile = \"a\" }", "5:8: the table has no `browser`"),
    ("open = {}", "5:8: the table has no `browser`"),
    ("open = { browser = 3 }", "5:20: `browser` is an integer: write a string"),
    ("open = { browser = \"\" }", "5:20: `browser` is empty"),
    ("open = { browser = \"a b\" }", "5:20: `browser` must be an application's ID"),
    ("open = { browser = \"a\", profile = \"\" }", "5:35: `profile` is empty"),
    ("open = { browser = \"a\", private = \"yes\" }", "5:35: `private` is a string: write `true` or `false`"),
    ("open = { browser = \"a\", incognito = true }", "5:25: unknown key `incognito`"),
    ("open = [\"a\"]", "5:8: `open` is an array"),
    ("ask = \"all\"", "5:7: write `ask = true`, `ask = \"browsers\"`"),
    ("ask = [{ profile = \"x\" }]", "5:8: the table has no `browser`"),
    ("ask = [{ browser = \"x\" }, 3]", "5:27: expected an application's ID or a browser"),
    ("open = { browser = \"a\" }\ntarget = \"running\"", "6:1: `target = \"running\"` needs an application"),
  ])
  func `has diagnostics with their position`(_ lines: String, _ expected: String) {
    let set = files("[route.a]\nmatch = \"https://a.example/\"\n\(lines)")
    let diagnostics = set.diagnostics.map { "\($0)" }
    #expect(diagnostics.contains { $0.contains(expected) }, "\(diagnostics)")
  }

  @Test func `has the outcome of open in tests`() {
    let set = files(
      """
      [route.a]
      match = "https://a.example/"
      open = { browser = "firefox", profile = "Work" }
      tests.decide = [{ url = "https://a.example/", is = "open", by = "a" }]
      """)
    #expect(set.runTests().map(\.description) == [])
  }
}
