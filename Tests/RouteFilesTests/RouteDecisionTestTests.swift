// SPDX-License-Identifier: Apache-2.0
import RouteFiles
import RouteTables
import Testing

@Suite struct `tests.decide` {
  private static func administrator(_ files: [String]) -> RouteFileSet {
    RouteFileSet(
      files.enumerated().map { number, body in
        RouteFileSource(
          name: "\(number).toml", text: "format = 1\nowner = \"administrator\"\n\(body)", rank: .administrator
        )
      })
  }

  private static let calls = """
    [route.calls]
    match = "tel:{number}"
    ask   = true

    [route.calls-by-contacts]
    match  = "tel:{number}"
    source = { application = "org.gnome.Contacts", assurance = ">= unit" }
    allow  = true

    [route.calls-of-pages]
    match  = "tel:{number}"
    source = { origin = "https://*.corp.example", user_activation = true, sandboxed = false }
    exec   = ["call", "--", "{number}"]

    [route.no-calls-from-sandboxes]
    match  = "tel:{number}"
    source = { sandboxed = true }
    deny   = "no"
    final  = true

    [route.player]
    match  = "play:x"
    open   = "org.example.Player"
    target = "running"

    """

  @Test func `A decision holds for the caller that it names`() {
    let set = Self.administrator([
      Self.calls + """
        tests.decide = [
          { url = ["tel:112", "TEL:%31"], is = "ask", by = "calls" },
          { url = "tel:112", source = { application = "org.gnome.Contacts", assurance = "unit" }, is = "allow" },
          { url = "tel:112", source = { application = "org.gnome.Contacts", assurance = "sandbox" }, is = "deny" },
          { url = "tel:112", source = { application = "org.gnome.Contacts", assurance = "executable" }, is = "ask" },
          { url = "tel:112", source = "org.gnome.Contacts", is = "ask" },
          { url = "tel:112", source = { sandboxed = true }, is = "deny", by = "administrator/no-calls-from-sandboxes" },
          { url = "tel:112", source = { origin = "https://a.corp.example", user_activation = true }, is = "exec" },
          { url = "tel:112", source = { origin = "https://a.corp.example" }, is = "ask" },
          { url = "tel:112", source = { origin = "https://other.example", user_activation = "clicked" }, is = "ask" },
          { url = "mailto:x", is = "none" },
          { url = "play:x", is = "none" },
          { url = "play:x", target = "running", is = "open" },
        ]
        """
    ])
    #expect(set.diagnostics.map(\.description) == [])
    #expect(set.tests.count == 13)
    #expect(set.runTests().map(\.description) == [])
  }

  @Test func `A caller is installed by the user unless the test says system`() {
    let set = Self.administrator([
      """
      [route.approved]
      match = "x:y"
      source = { application = "org.a", installed = "system" }
      allow = true
      tests.decide = [
        { url = "x:y", source = { application = "org.a", assurance = "unit", installed = "system" }, is = "allow" },
        { url = "x:y", source = { application = "org.a", assurance = "unit", installed = "user" }, is = "deny" },
        { url = "x:y", source = { application = "org.a", assurance = "unit" }, is = "deny" },
        { url = "x:y", source = { application = "org.a", installed = "user" }, is = "deny" },
        { url = "x:y", is = "none" },
      ]
      [route.own]
      match = "x:y"
      source.installed = "user"
      deny = "not what the user installed"
      """
    ])
    #expect(set.diagnostics.map(\.description) == [])
    #expect(set.runTests().map(\.description) == [])
    for source in ["{ application = \"org.a\", installed = \"system\" }", "{ installed = \"user\" }"] {
      let wrong = Self.administrator([
        "[route.a]\nmatch = \"x:y\"\nallow = true\ntests.decide = [{ url = \"x:y\", source = \(source), is = \"allow\" }]"
      ])
      #expect(
        wrong.diagnostics.count == 1 && "\(wrong.diagnostics)".contains("`installed"), "\(wrong.diagnostics)")
    }
  }

  @Test func `A sandboxed caller's click is a claim, as in the broker`() {
    let set = Self.administrator([
      """
      [route.clicked]
      match = "x:y"
      source.user_activation = true
      allow = true
      tests.decide = [
        { url = "x:y", source = { user_activation = true }, is = "allow" },
        { url = "x:y", source = { user_activation = true, sandboxed = true }, is = "none" },
      ]
      """
    ])
    #expect(set.diagnostics.isEmpty && set.runTests().map(\.description) == [])
  }

  @Test func `A rewrite that changes nothing decides nothing, as in the broker`() {
    let set = Self.administrator([
      """
      [route.wiki]
      match = "{:http|https}://wiki.example/{page}"
      rewrite = "https://wiki.example/{page}"
      final = true
      [route.other]
      match = "https://wiki.example/{page}"
      ask = true
      [route.loose]
      match = "x:{a}"
      rewrite = "x:{a}"
      tests.decide = [
        { url = "http://wiki.example/a", is = "rewrite", by = "wiki" },
        { url = "https://wiki.example/a", is = "ask", by = "other" },
        { url = "x:y", is = "none" },
        { url = "x:y", is = "rewrite" },
      ]
      """
    ])
    #expect(set.diagnostics.map(\.description) == [])
    #expect(
      set.runTests().map(\.description) == [
        "0.toml:17:11: for an unknown program, the expected decision is `rewrite`, but it is `none`: `loose` does not change the URL, so it does not decide"
      ])
  }

  @Test
  func `A program and an action are denied to a sandboxed caller that the route does not name for sure`() {
    let set = Self.administrator([
      """
      [route.any]
      match = "a:{x}"
      exec = ["true", "--", "{x}"]
      [route.named]
      match = "b:{x}"
      source = "org.example.Chat"
      perform = { application = "org.example.Player", action = "play" }
      tests.decide = [
        { url = ["a:1", "b:1"], source = "org.example.Chat", is = "deny" },
        { url = "a:1", is = "exec" },
      ]
      tests.no = ["c:1"]
      """,
      """
      [route.more]
      match = "c:1"
      allow = true
      tests.decide = [
        { url = "a:1", source = { sandboxed = true }, is = "deny", by = "any" },
        { url = "a:1", source = { application = "org.example.Chat", assurance = "sandbox" }, is = "deny" },
        { url = "b:1", source = { application = "org.example.Chat", assurance = "sandbox" }, is = "perform" },
        { url = "b:1", source = { application = "org.example.Chat", assurance = "unit", sandboxed = true }, is = "perform" },
        { url = "b:1", source = { application = "org.example.Chat", sandboxed = true }, is = "deny", by = "named" },
        { url = "b:1", source = { application = "org.example.Chat", assurance = "executable", sandboxed = true }, is = "deny" },
        { url = "b:1", source = "org.example.Chat", is = "perform" },
      ]
      """,
    ])
    #expect(set.diagnostics.map(\.description) == [])
    #expect(set.runTests().count == 2, "\(set.runTests().map(\.description))")
    #expect(set.runTests().allSatisfy { $0.location.file == "0.toml" })
  }

  @Test func `A claim of a sandboxed caller lifts no denial`() {
    let set = Self.administrator([
      """
      [route.no-tel]
      scheme = "tel"
      deny = "no calls"
      final = true
      [route.tel-corp]
      match = "tel:{n}"
      source.origin = "https://corp.example"
      ask = true
      final = true
      wins_over = "no-tel"
      [route.no-unnamed]
      scheme = "app"
      source = { sandboxed = true, assurance = "unknown" }
      deny = "no"
      [route.app]
      scheme = "app"
      allow = true
      [route.page]
      match = "page:{x}"
      source.origin = "https://corp.example"
      ask = true
      final = true
      [route.no-page]
      scheme = "page"
      deny = "no"
      tests.decide = [
        { url = "tel:1", source = { origin = "https://corp.example" }, is = "ask" },
        { url = "tel:1", source = { sandboxed = true, origin = "https://corp.example" }, is = "deny", by = "no-tel" },
        { url = "app:1", source = { sandboxed = true }, is = "deny" },
        { url = "app:1", source = { sandboxed = true, application = "org.example.Chat" }, is = "deny", by = "no-unnamed" },
        { url = "app:1", source = { application = "org.example.Chat", assurance = "sandbox" }, is = "allow" },
        { url = "page:1", source = { origin = "https://corp.example" }, is = "ask" },
        { url = "page:1", source = { sandboxed = true, origin = "https://corp.example" }, is = "deny", by = "no-page" },
      ]
      """
    ])
    #expect(set.diagnostics.map(\.description) == [])
    #expect(set.runTests().map(\.description) == [])
  }

  @Test func `A failure names the caller, the expectation and the deciding route`() {
    let set = Self.administrator([
      Self.calls + """
        tests.decide = [
          { url = "tel:1", source = { application = "org.gnome.Contacts", assurance = "unit" }, is = "deny" },
          { url = "tel:1", source = { sandboxed = true, origin = "https://a.example" }, is = "allow" },
          { url = "tel:1", is = "ask", by = "others" },
          { url = "mailto:x", target = "running", is = "deny" },
        ]
        """
    ])
    #expect(set.diagnostics.isEmpty)
    let line = 2 + Self.calls.split(separator: "\n", omittingEmptySubsequences: false).count
    #expect(
      set.runTests().map(\.description) == [
        "0.toml:\(line + 1):11: for org.gnome.Contacts (unit), the expected decision is `deny`, but it is `allow` by "
          + "`calls-by-contacts` of `administrator` (tel:{number}, 0.toml:7:8)",
        "0.toml:\(line + 2):11: for an unknown program (sandboxed, from https://a.example), the expected decision is `allow`, "
          + "but it is `deny` by `no-calls-from-sandboxes` of `administrator` (tel:{number}, 0.toml:17:8)",
        "0.toml:\(line + 3):11: for an unknown program, the expected decision is `ask` by `others`, but it is `ask` by `calls` of "
          + "`administrator` (tel:{number}, 0.toml:3:8)",
        "0.toml:\(line + 4):11: for an unknown program (target running), the expected decision is `deny`, but it is `none`: "
          + "no route matches",
      ])
  }

  @Test func `All files of the directory decide, with final rules and those that win over them`() {
    let test = """
      [route.staff]
      match = "corpal:staff/{x}"
      allow = true
      final = true
      tests.decide = [
        { url = "corpal:staff/7", is = "allow" },
      ]
      """
    let denial = """
      [route.no-corpal]
      match = "corpal:{x...}"
      deny  = "no"
      final = true
      """
    let pattern = "(corpal:{x...}, 1.toml:3:8)"
    #expect(Self.administrator([test]).runTests().map(\.description) == [])
    #expect(
      Self.administrator([test, denial]).runTests().map(\.description) == [
        "0.toml:8:11: for an unknown program, the expected decision is `allow`, but it is `deny` by `no-corpal` of `administrator` "
          + pattern
      ])
    #expect(
      Self.administrator([test + "\nwins_over = \"no-corpal\"", denial]).runTests().map(\.description) == [])
  }

  @Test
  func `A denied query key with an exception for values of all its items is denied for any other value`() {
    let set = Self.administrator([
      """
      [route.no-mode]
      match = "app:run?mode"
      deny  = "no"
      [route.mode]
      match = "app:run?mode={mode:view|print*}"
      allow = true
      tests.decide = [
        { url = ["app:run?mode=view", "app:run?mode=view&mode=print"], is = "allow" },
        { url = ["app:run?mode=view&mode=edit", "app:run?mode=edit&mode=view", "app:run?mode=view&%6Dode=edit&mode=view", "app:run?mode"], is = "deny" },
      ]
      """
    ])
    #expect(set.diagnostics.isEmpty && set.runTests().map(\.description) == [])
  }

  @Test func `An unreadable URL is denied as in the broker`() {
    let set = Self.administrator([
      """
      [route.bad]
      match = "https://bad.example/{x...?}"
      deny  = "no"
      tests.decide = [
        { url = ["https://bad.example/%zz", "https:bad.example", "http://0x7f.1/", "https://x@ｂａｄ.example/"], is = "deny" },
        { url = "https://good.example/%zz", is = "none" },
      ]
      """
    ])
    #expect(set.diagnostics.isEmpty && set.runTests().map(\.description) == [])
  }

  @Test func `Each mistake has a diagnostic with the correction`() {
    let set = Self.administrator([
      """
      [route.x]
      match = "x:y"
      deny = "no"
      tests.decide = [
        { url = "x:y" },
        { is = "deny" },
        { url = "x:y", is = "denied" },
        { url = "x:y", is = "deny", source = { assurance = "< unit" } },
        { url = "x:y", is = "deny", source = { assurance = "unit" } },
        { url = "x:y", is = "deny", source = { application = "org.a", assurance = "unknown" } },
        { url = "x:y", is = "deny", source = { application = "org.a", assurance = "sandbox", sandboxed = false } },
        { url = "x:y", is = "deny", source = "org.*" },
        { url = "x:y", is = "deny", source = { user_activaton = true } },
        { url = "x:y", is = "deny", source = { user_activation = 1 } },
        "x:y",
      ]
      [route.z]
      match = "z:y"
      deny = "no"
      tests.decide = { url = "z:y", is = "deny" }
      """
    ])
    let spelling =
      "`{ url = \"tel:112\", source = { application = \"org.example.Chat\", assurance = \"unit\" }, is = \"allow\" }`"
    #expect(
      set.diagnostics.map(\.description) == [
        "0.toml:7:3: the decision has no `is`: write \(spelling)",
        "0.toml:8:3: the decision has no `url`: write \(spelling)",
        "0.toml:9:23: `denied` is not an outcome: write one of `deny`, `ask`, `allow`, `open`, `perform`, `exec`, `rewrite`, `handler`, `none`",
        "0.toml:10:54: `< unit` is not an assurance: write one of `sandbox`, `unit`, `executable`, `claimed`, `unknown`",
        "0.toml:11:40: a caller with the assurance `unit` is identified: write its `application`",
        "0.toml:12:40: a caller with an `application` is at least `claimed`: remove `application` for an unknown caller",
        "0.toml:13:40: the assurance `sandbox` implies `sandboxed`: remove `sandboxed`",
        "0.toml:14:40: a test has exactly one source: write its whole ID, without `*`",
        "0.toml:15:42: unknown key `user_activaton`; the nearest is `user_activation`",
        "0.toml:16:60: `user_activation` must be `true`, `\"clicked\"` or `\"allowed\"`",
        "0.toml:17:3: a decision must be a table, but this is a string: write \(spelling)",
        "0.toml:22:16: `tests.decide` is a table: write a list of \(spelling)",
      ])
    #expect(set.table.routes.isEmpty)
  }
}
