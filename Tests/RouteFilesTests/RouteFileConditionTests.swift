// SPDX-License-Identifier: Apache-2.0
import RegularLanguages
import RouteFiles
import RouteTables
import Testing

@Suite struct `The conditions of a route file` {
  @Test func `Applications by name and by the beginning of their names`() throws {
    let set = files(
      """
      [route.chat-links]
      match  = "https://{host...}/{rest...}"
      source = ["org.example.Chat", "org.signal.*"]
      ask    = ["org.mozilla.firefox", "org.chromium.Chromium"]
      tests.yes = { "https://a.example/x" = { host = "a.example", rest = ["x"] } }
      """)
    #expect(set.diagnostics.map(\.description) == [])
    #expect(set.runTests().map(\.description) == [])
    for (source, holds) in [
      ("org.example.Chat", true), ("org.example.Chats", false), ("orgXexample.Chat", false),
      ("org.signal.Desktop", true), ("org.signal.", false), ("org.signal", false), ("", false),
    ] {
      #expect(
        try (set.table.match("https://a.example/x", when: ["source": source]) != nil) == holds, "\(source)")
    }
  }

  @Test func `An installed target, of a route and of its group`() throws {
    let set = files(
      """
      [group.g]
      base   = "https://a.example"
      target = "installed"
      [route.app]
      group = "g"
      match = "/app"
      open  = "org.example.App"
      [route.scheme]
      group   = "g"
      match   = "/scheme/{x}"
      rewrite = "APP:{x}"
      [route.program]
      group = "g"
      match = "/program"
      exec  = ["mpv", "--", "{@url}"]
      tests.decide = [
        { url = "https://a.example/program", target = "installed", is = "exec" },
        { url = "https://a.example/program", target = "running", is = "exec" },
        { url = "https://a.example/program", is = "none" },
      ]
      [route.cleaning]
      group   = "g"
      match   = "/cleaning?x"
      rewrite = { drop = ["x"] }
      [route.running]
      group  = "g"
      match  = "/running"
      open   = "org.example.App"
      target = "running"
      tests.decide = [{ url = "https://a.example/running", target = "installed", is = "none" }]
      """)
    #expect(set.diagnostics.map(\.description) == [])
    #expect(set.runTests().map(\.description) == [])
    let targets = set.table.routes.map { route in
      let targets = route.conditions.compactMap { InstalledTarget(conditionName: $0.name) }
      return (route.id, targets)
    }
    #expect(
      Dictionary(uniqueKeysWithValues: targets) == [
        "app": [.application("org.example.App")], "cleaning": [.opener], "program": [.program("mpv")],
        "running": [], "scheme": [.handler(scheme: "app")],
      ])
    let wrong = files("[route.a]\nmatch = \"/\"\nallow = true\ntarget = \"present\"")
    #expect(wrong.diagnostics.map(\.description).first?.contains("\"running\" or \"installed\"") == true)
  }

  @Test func `Assurance, below and above`() throws {
    let levels = ["unknown", "claimed", "executable", "unit", "sandbox"]
    for (spelling, expected) in [
      ("\"< unit\"", ["unknown", "claimed", "executable"]), ("\"<= claimed\"", ["unknown", "claimed"]),
      ("\">unit\"", ["sandbox"]), ("\">= unit\"", ["unit", "sandbox"]), ("\"unit\"", ["unit"]),
      ("[\"sandbox\", \"< claimed\"]", ["unknown", "sandbox"]), ("\"= claimed\"", ["claimed"]),
    ] {
      let set = files("[route.a]\nmatch = \"/\"\ndeny = \"no\"\nsource = { assurance = \(spelling) }")
      #expect(set.diagnostics.map(\.description) == [])
      let held = try levels.filter { try set.table.match("/", when: ["assurance": $0]) != nil }
      #expect(held == expected, "\(spelling)")
    }
  }

  @Test func `The condition on the installed files of the source`() throws {
    for (spelling, expected) in [("\"system\"", ["system"]), ("\"user\"", ["user"])] {
      let set = files("[route.a]\nmatch = \"/\"\ndeny = \"no\"\nsource.installed = \(spelling)")
      #expect(set.diagnostics.map(\.description) == [])
      let held = try ["system", "user", ""].filter {
        try set.table.match("/", when: ["installed": $0]) != nil
      }
      #expect(held == expected, "\(spelling)")
      #expect(try set.table.match("/") == nil)
    }
    for spelling in ["true", "\"root\"", "[\"system\"]", "\"\""] {
      let set = files("[route.a]\nmatch = \"/\"\ndeny = \"no\"\nsource.installed = \(spelling)")
      #expect(set.diagnostics.count == 1 && "\(set.diagnostics)".contains("installed = "), "\(spelling)")
    }
  }

  @Test func `Origins, and several things at once`() throws {
    let set = files(
      """
      [route.a]
      match = "/"
      allow = true
      source.origin = ["https://*.example.org", "https://example.org"]
      source.application = "org.mozilla.*"
      """)
    #expect(set.diagnostics.map(\.description) == [])
    func holds(_ origin: String, _ source: String = "org.mozilla.firefox") throws -> Bool {
      try set.table.match("/", when: ["origin": origin, "source": source]) != nil
    }
    #expect(try holds("https://example.org") && holds("https://a.b.example.org"))
    #expect(try !holds("https://evil.org/x.example.org") && !holds("https://badexample.org") && !holds(""))
    #expect(try !holds("https://example.org", "org.other"))
  }

  @Test(arguments: [
    ("\"null\"", ["null"], ["", "https://a.example", "nulls"]),
    (
      "\"web\"", ["null", "https://a.example", "http://a.example:8080", "HTTPS://A.example/x", "NULL"],
      ["", "web", "app://a", "httpsx://a", "xnull"]
    ),
    ("[\"https://*\", \"null\"]", ["https://a.example:8443", "null"], ["http://a.example", ""]),
    ("\"https://*.a.example\"", ["https://b.a.example"], ["https://b.a.example:8443", "https://a.example"]),
  ])
  func `An origin may be null, any web page, or have a port`(
    written: String, holding: [String], others: [String]
  ) throws {
    let set = files("[route.a]\nmatch = \"/\"\nallow = true\nsource.origin = \(written)")
    #expect(set.diagnostics.map(\.description) == [])
    for origin in holding { #expect(try set.table.match("/", when: ["origin": origin]) != nil, "\(origin)") }
    for origin in others { #expect(try set.table.match("/", when: ["origin": origin]) == nil, "\(origin)") }
  }

  @Test(arguments: [
    ("https://münchen.example", "https://xn--mnchen-3ya.example"),
    ("HTTPS://Evil.example", "https://evil.example"),
    ("https://evil.example:443", "https://evil.example"), ("http://evil.example:80", "http://evil.example"),
    ("https://evil.example:8443", "https://evil.example:8443"),
    ("https://*.Evil.example", "https://a.evil.example"),
    ("https://*.münchen.example", "https://a.xn--mnchen-3ya.example"),
    ("https://Evil.example:*", "https://evil.example:8443"), ("https://*.0.0.1", "https://127.0.0.1"),
    ("HTTP*://Evil.example", "https://evil.example"), ("App://Evil", "App://Evil"),
    ("https://[2001:DB8:*]", "https://[2001:db8::1]"), ("http://[fd*]:8080", "http://[fd00::1]:8080"),
    ("http://10.*.1", "http://10.0.0.1"), ("http://*.0.1", "http://127.0.0.1"),
  ])
  func `An origin is compared as the broker states it`(written: String, stated: String) throws {
    let text =
      "[route.a]\nmatch = \"app:{x}\"\ndeny = \"no\"\nsource.origin = \"\(written)\"\n"
      + "tests.decide = [{ url = \"app:1\", source = { origin = \"\(stated)\" }, is = \"deny\" }]"
    let set = files(text)
    #expect(set.diagnostics.map(\.description) == [])
    #expect(try set.table.match("app:1", when: ["origin": stated]) != nil)
    #expect(set.runTests().isEmpty)
  }

  @Test func `The origin of a test is compared as the broker states it`() {
    let text =
      "[route.a]\nmatch = \"app:{x}\"\ndeny = \"no\"\nsource.origin = \"https://xn--mnchen-3ya.example\"\n"
      + "tests.decide = [{ url = \"app:1\", source = { origin = \"https://MÜNCHEN.example:443\" }, is = \"deny\" }]"
    #expect(files(text).runTests().isEmpty)
  }

  @Test func `The conditions on user activation and sandbox`() throws {
    for (spelling, expected) in [
      ("user_activation = true", ["clicked", "allowed"]), ("user_activation = \"allowed\"", ["allowed"]),
      ("user_activation = \"clicked\"", ["clicked"]), ("sandboxed = false", ["outside"]),
      ("sandboxed = true", ["inside"]),
    ] {
      let set = files("[route.a]\nmatch = \"/\"\nallow = true\nsource = { \(spelling) }")
      #expect(set.diagnostics.map(\.description) == [])
      let cases = [
        "clicked": ["user-activation": "clicked"], "allowed": ["user-activation": "allowed"], "outside": [:],
        "inside": ["sandboxed": "yes"],
      ]
      let names = ["clicked", "allowed"] + (spelling.hasPrefix("sandboxed") ? ["outside", "inside"] : [])
      let held = try names.filter { try set.table.match("/", when: cases[$0] ?? [:]) != nil }
      #expect(
        held
          == (spelling.hasPrefix("user_activation")
            ? expected : expected == ["outside"] ? ["clicked", "allowed", "outside"] : expected),
        "\(spelling)")
    }
    #expect(
      try files("[route.a]\nmatch = \"/\"\nallow = true\nsource.user_activation = true").table.match("/")
        == nil)
  }

  @Test func `The state of the application that the route names`() throws {
    let set = files(
      """
      [route.a]
      match = "/x"
      open = "org.a.Player"
      target = "running"
      [route.b]
      match = "/x"
      allow = true
      """)
    #expect(set.diagnostics.map(\.description) == [])
    #expect(set.table.routes.flatMap(\.conditions).compactMap(\.target) == ["org.a.Player"])
    #expect(try set.table.match("/x", when: ["target:org.a.Player": "running"])?.route.id == "a")
    #expect(try set.table.match("/x")?.route.id == "b")
    let any = files("[route.a]\nmatch = \"/x\"\ndeny = \"no\"\ntarget = \"running\"")
    #expect(any.table.routes.flatMap(\.conditions).compactMap(\.target) == [""])
  }

  @Test(arguments: [
    (
      "\"org.a.B\"", ["org.a.B", "org.a.A org.a.B org.a.C"], ["", "org.a.Bx", "xorg.a.B", "org.a.A org.a.Bc"]
    ),
    ("[\"org.a.B\", \"org.c.D\"]", ["org.a.B", "org.c.D", "org.a.B org.c.D"], ["", "org.a.C"]),
    ("{ any = \"org.a.B\" }", ["org.a.B"], [""]),
    ("{ none = [\"org.a.B\", \"org.c.D\"] }", ["", "org.a.C"], ["org.a.B", "org.c.D org.x.Y"]),
    (
      "{ any = [\"org.a.B\"], none = \"org.c.D\" }", ["org.a.B", "org.a.B org.x.Y"],
      ["", "org.c.D", "org.a.B org.c.D"]
    ),
    ("\"org.a.B.desktop\"", ["org.a.B", "org.a.B.desktop"], ["", "org.a"]),
  ])
  func `The condition on running applications`(written: String, holding: [String], others: [String]) throws {
    let set = files("[route.a]\nmatch = \"/\"\nallow = true\nrunning = \(written)")
    #expect(set.diagnostics.map(\.description) == [])
    for value in holding {
      #expect(try set.table.match("/", when: ["running": value]) != nil, "\(written) \(value)")
    }
    for value in others {
      #expect(try set.table.match("/", when: ["running": value]) == nil, "\(written) \(value)")
    }
  }

  @Test func `The narrower condition on running applications wins, and exclusive ones do not overlap`() throws
  {
    let set = files(
      """
      [group.g]
      base    = "x:"
      running = "org.a.B"
      [route.one]
      group = "g"
      match = "/y"
      deny  = "one"
      tests.decide = [
        { url = "x:/y", running = "org.a.B", is = "deny", by = "one" },
        { url = "x:/y", running = ["org.c.D", "org.a.B"], is = "deny", by = "one" },
        { url = "x:/y", running = "org.c.D", is = "ask", by = "either" },
        { url = "x:/y", is = "allow", by = "neither" },
      ]
      [route.either]
      match   = "x:/y"
      running = ["org.a.B", "org.c.D"]
      ask     = true
      [route.neither]
      group   = "g"
      match   = "/y"
      running = { none = ["org.a.B", "org.c.D"] }
      allow   = true
      """)
    #expect(set.diagnostics.map(\.description) == [])
    #expect(set.runTests().map(\.description) == [])
    let conditions = Dictionary(
      uniqueKeysWithValues: set.table.routes.map {
        ($0.id, $0.conditions.compactMap { RunningApplications($0) })
      })
    #expect(
      conditions == [
        "one": [RunningApplications(oneOf: ["org.a.B"])],
        "either": [RunningApplications(oneOf: ["org.a.B", "org.c.D"])],
        "neither": [RunningApplications(noneOf: ["org.a.B", "org.c.D"])],
      ])
    let languages = Dictionary(
      uniqueKeysWithValues: set.table.routes.map { ($0.id, $0.conditions[0].language) })
    let (one, either, neither) = (languages["one"], languages["either"], languages["neither"])
    #expect(try #require(one).relation(to: try #require(either)) == .narrower)
    #expect(try #require(neither).relation(to: try #require(either)) == .disjoint)
  }

  @Test func `A running target also counts among the running applications of a test`() {
    let set = files(
      """
      [route.a]
      match  = "x:y"
      open   = "org.a.B"
      target = "running"
      tests.decide = [
        { url = "x:y", running = "org.a.B", is = "open" },
        { url = "x:y", running = "org.c.D", is = "none" },
      ]
      """)
    #expect(set.diagnostics.map(\.description) == [] && set.runTests().map(\.description) == [])
  }

  @Test func `Final routes are the administrator's, and precede the user's`() throws {
    let text = "format = 1\nowner = \"o\"\n[route.a]\nmatch = \"/{x}\"\ndeny = \"no\"\nfinal = true"
    let user = "format = 1\nowner = \"user\"\n[route.b]\nmatch = \"/x\"\nallow = true"
    for rank in PolicyLayer.allCases where rank != .finalAdministrator {
      let set = RouteFileSet([
        RouteFileSource(name: "a.toml", text: text, rank: rank), RouteFileSource(name: "u.toml", text: user),
      ])
      #expect(set.diagnostics.isEmpty == (rank == .administrator))
      #expect(try set.table.match("/x")?.action == (rank == .administrator ? .deny(reason: "no") : .allow))
    }
  }

  @Test(arguments: [
    ("source = 7", "5:10: expected an application's ID"),
    ("source = []", "5:10: the list is empty"),
    ("source = {}", "5:10: `source` is empty"),
    ("source = \"org.*.x\"", "5:10: `*` is valid only at the end of an ID"),
    ("source = \"a b\"", "5:10: `source` must be an application's ID"),
    ("source = { sauce = 1 }", "5:12: unknown key `sauce`; the nearest is"),
    (
      "source.assurance = \"< certain\"",
      "5:20: `< certain` is not an assurance: write one of sandbox > unit >"
    ),
    ("source.assurance = \"> sandbox\"", "5:20: no source has this assurance"),
    ("source.origin = \"example.org\"", "5:17: an origin is a scheme and a host"),
    ("source.origin = \"https://example.org/\"", "5:17: an origin is a scheme and a host"),
    (
      "source.origin = \"https://example.org/x\"",
      "5:17: `https://example.org/x` is the origin of no page: write a scheme"
    ),
    (
      "source.origin = \"https://example.org:x\"",
      "5:17: `https://example.org:x` is the origin of no page: its host or port"
    ),
    (
      "source.origin = \"https://*.A.example:443\"",
      "5:17: `https://*.A.example:443` is the origin of no page: write `https://*.a.example`"
    ),
    (
      "source.origin = \"http*://a.example:80\"",
      "5:17: `http*://a.example:80` is the origin of no page: write an origin for `http` and one for `https`"
    ),
    (
      "source.origin = \"https://mün*.example\"",
      "5:17: `https://mün*.example` is the origin of no page: its host or port is invalid; write"
    ),
    (
      "source.user_activation = false",
      "5:26: write `user_activation = true` for a link that the user clicked or allowed"
    ),
    (
      "source.user_activation = \"swore\"",
      "5:26: write `user_activation = true` for a link that the user clicked or allowed"
    ),
    ("source.sandboxed = \"no\"", "5:20: `sandboxed` is a string: write `true` or `false`"),
    ("requires_confirmation = true", "5:1: `requires_confirmation` is valid only with `handler`"),
    ("running = 7", "5:11: expected the ID of an application"),
    ("running = []", "5:11: the list is empty"),
    ("running = {}", "5:11: `running` is empty"),
    ("running = \"org.signal.*\"", "5:11: `running` names applications by their whole IDs"),
    ("running = \"a b\"", "5:11: `running` must be an application's ID"),
    ("running = \"firefox\"", "5:11: `firefox` is never found running, because it is no name on the bus"),
    (
      "running = { none = \"firefox-esr@Work\" }",
      "5:20: `firefox-esr@Work` is never found running, because it is no name on the bus"
    ),
    ("running = { nine = \"org.a.B\" }", "5:13: unknown key `nine`; the nearest is `none`"),
    ("target = \"stopped\"", "5:10: `target` is \"running\""),
    ("final = true", "5:1: `final` is valid only in the administrator's files"),
    ("final = 1", "5:9: write `final = true`"),
    ("generate = \"no\"", "5:12: `generate` is a string: write `true` or `false`"),
    ("wins_over = \"b\"", "5:13: unknown route `b`"),
    (
      "source = { group = \"sales\" }",
      "5:12: `group` is not a key of `source`, because conditions cannot select a desktop user or group; put the route into that user's ~/.config/usher/routes"
    ),
    (
      "note = \"open",
      "5:13: invalid TOML: a string is not closed in its line: add the quotation mark at its end"
    ),
    ("wins_over = []", "5:13: the list is empty"),
    ("case = \"igno\"", "5:8: `case` is \"ignore\" or \"strict\""),
    ("slash = true", "5:9: `slash` is \"ignore\" or \"strict\""),
    ("plus = 1", "5:8: `plus` is \"literal\" or \"automatic\""),
    ("authority = \"none\"", "5:13: `authority` is \"segment\" or \"host\""),
    (
      "overlap = \"error\"", "5:1: `overlap` is not a key of a route: it is a key of the file"
    ),
    ("group = \"g\"", "5:9: unknown group `g`: write `[group.g]`"),
  ])
  func `Invalid conditions and options`(line: String, diagnostic: String) {
    let set = files("[route.a]\nmatch = \"/x\"\n\(line)\nallow = true")
    #expect(set.diagnostics.count == 1, "\(set.diagnostics)")
    if let first = set.diagnostics.first {
      #expect(first.description.hasPrefix("a.toml:" + diagnostic), "\(first)")
    }
  }

  @Test(arguments: [
    ("true", false), ("\"container:*\"", false), ("[\"container:work\", \"*\"]", false),
    ("\"container:work\"", true), ("false", true),
  ])
  func `A rewrite to file: names each machine`(machines: String, isValid: Bool) {
    let set = files(
      """
      [route.a]
      match = "file:///src/{path...}"
      source = { remote = \(machines) }
      rewrite = "file:///home/ada/src/{path}"
      """)
    let reported = set.diagnostics.map(\.description)
    #expect(reported.isEmpty == isValid, "\(reported)")
    #expect(
      isValid || reported.first?.hasPrefix("a.toml:5:10: a `rewrite` to `file:` says") == true, "\(reported)")
  }

  @Test func `wins_over precedes narrower patterns`() throws {
    let set = files(
      """
      [route.wide]
      match = "/{x:/[a-m]+/}/y"
      handler = "wide"
      wins_over = ["narrow", "org.b/other"]
      [route.narrow]
      match = "/{x:/[a-z]/}/{y}"
      handler = "narrow"
      """)
    #expect(
      set.diagnostics.map(\.description) == [
        "a.toml:6:24: unknown route `org.b/other`; the nearest is `narrow`"
      ])
    #expect(try set.table.match("/a/y")?.route.id == "wide")
    #expect(try set.table.match("/a/z")?.route.id == "narrow")
  }
}
