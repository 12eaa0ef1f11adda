// SPDX-License-Identifier: Apache-2.0
import RouteFiles
import RouteTables
import Testing

/// Returns a set of one file that begins with the two lines of every file.
func files(_ body: String, name: String = "a.toml", owner: String = "org.a") -> RouteFileSet {
  RouteFileSet([RouteFileSource(name: name, text: "format = 1\nowner = \"\(owner)\"\n\(body)")])
}

@Suite struct RouteFileSetTests {
  @Test func `A file becomes a table`() throws {
    let set = files(
      """
      [route.show]
      match = ["notes://note/{id:int}?tab={tab?}", "https://notes.example/{id:int}"]
      handler = "show-note"
      [route.web]
      match = "https://notes.example/"
      open = "org.mozilla.firefox"
      [route.no]
      match = "https://notes.example/admin"
      deny = "by hand only"
      [route.yes]
      match = "https://notes.example/fine"
      allow = true
      """)
    #expect(set.diagnostics.isEmpty)
    let match = try #require(try set.table.match("https://notes.example/7"))
    #expect(match.action == .handler("show-note"))
    #expect(match.route.id == "show")
    #expect(match.route.owner == "org.a")
    #expect(match.route.location == SourceLocation(file: "a.toml", line: 3, column: 8))
    #expect(
      try set.table.match("https://notes.example/")?.action == .open(application: "org.mozilla.firefox"))
    #expect(try set.table.match("https://notes.example/admin")?.action == .deny(reason: "by hand only"))
    #expect(try set.table.match("https://notes.example/fine")?.action == .allow)
  }

  @Test func `Every diagnostic has its position, and all are reported together`() {
    let set = files(
      """
      ownr = "x"
      match = "/x"
      [types]
      n = 7
      [route.a]
      match = "notes:/{id:itn}"
      handlr = "x"
      base = "app:"
      [route.b]
      match = 7
      handler = ""
      [route.c]
      match = ["/a", "/{x...}{y}"]
      exec = ["rm", "{y}", "{z}"]
      [route.d]
      match = "/d"
      open = "a/b"
      deny = "no"
      remember = "source"
      tests.maybe = []
      [route.e]
      handler = "e"
      allow = false
      [route]
      f = 1
      """)
    #expect(
      set.diagnostics.map(\.description) == [
        "a.toml:3:1: unknown key `ownr`; the nearest is `owner`",
        "a.toml:4:1: `match` is not a key of the file: it is a key of a route",
        "a.toml:6:5: the type `n` is an integer: write `'/[a-z]+/'`, a regular expression, "
          + "`[\"one\", \"two\"]`, or `\"uint(1,3)\"`",
        "a.toml:7:8: the route `a` has no action: write one of `handler`, `open`, `perform`, `exec`, "
          + "`rewrite`, `ask`, `allow`, `deny`",
        "a.toml:8:21: unknown type `itn`: write one of `string`, `int`, `uint`, `bool`, `hex`, `uuid`, "
          + "`date`, `duration`, `slug`, `email`, `ipv4`, `ipv6`, `local-network`, `cidr` (in `notes:/{id:itn}`)",
        "a.toml:9:1: unknown key `handlr`; the nearest is `handler`",
        "a.toml:10:1: `base` is not a key of a route: it is a key of a group",
        "a.toml:12:9: expected a pattern (a string), but this is an integer",
        "a.toml:13:11: `handler` is empty: write a text",
        "a.toml:15:18: `{x}` must be the only content of a segment (in `/{x...}{y}`)",
        "a.toml:19:8: `open` must be an application's ID, such as `org.example.Notes`",
        "a.toml:20:1: the route `d` already has `open`: remove one of the two",
        "a.toml:21:1: `remember` needs `ask`: remove it, or write `ask`",
        "a.toml:22:7: unknown key `maybe`; the nearest is `yes`",
        "a.toml:23:8: the route `e` has no `match`: write `match = \"…\"`",
        "a.toml:25:1: the route `e` already has `handler`: remove one of the two",
        "a.toml:27:1: `route.f` is an integer: write a table",
      ])
    #expect(set.table.routes.isEmpty)
  }

  @Test func `An error in a pattern with escapes is located at its string`() {
    let set = files("[route.a]\nhandler = \"a\"\nmatch = \"/\\u0061{\"")
    #expect(set.diagnostics.map(\.location) == [SourceLocation(file: "a.toml", line: 5, column: 9)])
  }

  @Test func `Lines may end in CRLF`() {
    let text = "format = 1\r\nowner = \"o\"\r\n[route.a]\r\nallow = true\r\nmatch = \"/{\"\r\n"
    let set = RouteFileSet([RouteFileSource(name: "a.toml", text: text)])
    #expect(set.diagnostics.map(\.location) == [SourceLocation(file: "a.toml", line: 5, column: 11)])
  }

  @Test(arguments: [
    ("", "a.toml:1:1: `format` is missing: write `format = 1`"),
    ("format = 2\nthing = 1", "a.toml:1:10: unknown format: write `format = 1`"),
    ("format = 1", "a.toml:1:1: `owner` is missing: write `owner = \"…\"`, an application's ID or `user`"),
    ("format = 1\nowner = 5", "a.toml:2:9: `owner` is an integer: write a string"),
  ])
  func `A file states its format and its owner`(text: String, diagnostic: String) {
    let set = RouteFileSet([RouteFileSource(name: "a.toml", text: text)])
    #expect(set.diagnostics.map(\.description) == [diagnostic])
  }

  @Test func `A file that is not TOML does not affect other files`() throws {
    let good = RouteFileSource(
      name: "good.toml", text: "format = 1\nowner = \"o\"\nroute.a = { match = \"/a\", allow = true }")
    let set = RouteFileSet([RouteFileSource(name: "bad.toml", text: "format = 1\nowner = = 1"), good])
    #expect(set.diagnostics.map(\.kind) == [.syntax])
    #expect(set.diagnostics.map(\.location.line) == [2])
    #expect(try set.table.match("/a") != nil)
  }

  @Test func `A conflict excludes both routes and names both`() throws {
    let set = files(
      """
      [route.one]
      match = "/{a}"
      handler = "one"
      tests.yes = { "/x" = {} }
      [route.two]
      match = "/{b}"
      handler = "two"
      [route.three]
      match = "/fine"
      handler = "three"
      """)
    #expect(
      set.diagnostics.map(\.description) == [
        "a.toml:8:9: the routes `one` (/{a}, a.toml:4:9) and `two` (/{b}, a.toml:8:9) match the same URLs, "
          + "for example `/x`: change or remove one of them"
      ])
    #expect(set.table.routes.map(\.id) == ["three"])
    #expect(set.runTests().isEmpty, "a route that is set aside is not tested")
  }

  /// Tests files of which one names a route that it makes conflict, while another has a route of that name.
  @Test func `A conflict costs the routes of other files no wins_over`() throws {
    func file(_ name: String, _ routes: String) -> RouteFileSource {
      RouteFileSource(name: "\(name).toml", text: "format = 1\nowner = \"org.\(name)\"\n\(routes)")
    }
    let set = RouteFileSet([
      file(
        "a",
        """
        [route]
        x = { match = "aaa:/{x}", allow = true }
        y = { match = "aaa:/{y}", allow = true }
        z = { match = "aaa:/z", allow = true, wins_over = "x" }
        """),
      file("b", "route.x = { match = \"bbb:/{x}\", allow = true }"),
      file(
        "c",
        """
        [route]
        integer = { match = "ccc:/{n:int}", allow = true }
        natural = { match = "ccc:/{n:uint}", allow = true, wins_over = "integer" }
        """),
      file(
        "d",
        """
        [route]
        forbid = { match = "ddd:/{rest...}", deny = "no", wins_over = "number" }
        number = { match = "ddd:/{n:int}", open = "org.d.App" }
        """),
    ])
    #expect(set.diagnostics.map(\.location.file) == ["a.toml"], "\(set.diagnostics)")
    #expect(try set.table.match("aaa:/1") == nil && set.table.match("bbb:/1")?.route.id == "x")
    #expect(try set.table.match("ccc:/7")?.route.id == "natural")
    #expect(try set.table.match("ddd:/7")?.route.id == "forbid")
  }

  @Test func `The order of files has no effect`() throws {
    func file(_ name: String, _ owner: String, _ pattern: String, _ handler: String) -> RouteFileSource {
      RouteFileSource(
        name: name,
        text:
          "format = 1\nowner = \"\(owner)\"\nroute.r = { match = \"\(pattern)\", handler = \"\(handler)\" }")
    }
    let sources = [file("a", "org.b", "/x", "b"), file("b", "org.a", "/x", "a")]
    for order in [sources, sources.reversed()] {
      let set = RouteFileSet(order)
      #expect(set.diagnostics.isEmpty)
      #expect(try set.table.match("/x")?.action == .handler("a"))
    }
    let twice = [file("a", "org.a", "/x", "a"), file("b", "org.a", "/y", "b")]
    for order in [twice, twice.reversed()] {
      let set = RouteFileSet(order)
      #expect(set.diagnostics.map(\.kind) == [.conflict])
      #expect(set.table.routes.isEmpty)
    }
  }

  /// Texts that violate an assertion of toml++ 3.3, or reach code that it marks as unreachable.
  @Test(arguments: [
    "x = ]", "x = [ ]]", "[[[1]]]", "x = {a = }", "x = [[[=", "[[[]]", "x = ,", "x = }", "x = 1 é", "é = 1",
  ])
  func `An unexpected value is a diagnostic`(line: String) {
    let set = files("[route.a]\n\(line)\nx = 1")
    #expect(set.diagnostics.map(\.kind) == [.syntax])
    #expect(set.diagnostics.map(\.location.line) == [4])
  }

  @Test(arguments: [
    String(repeating: "a.", count: 500_000) + "a = 1", "x = " + String(repeating: "[", count: 500_000),
  ])
  func `Deep nesting is rejected without recursion`(text: String) {
    #expect(
      RouteFileSet([RouteFileSource(name: "deep.toml", text: text)]).diagnostics.map(\.kind) == [.syntax])
  }
}
