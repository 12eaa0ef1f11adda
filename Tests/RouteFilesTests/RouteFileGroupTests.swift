// SPDX-License-Identifier: Apache-2.0
import RouteFiles
import RouteTables
import Testing

@Suite struct `Groups, options and types of a route file` {
  @Test func `A group gives bases, options and a source`() throws {
    let set = files(
      """
      case = "ignore"
      [types]
      sku  = '/[A-Z]{2}-[0-9]{4,8}/'
      sort = ["price", "name", "új"]
      [group.shop]
      base   = ["https://{:www.|}shop.example", "shop:"]
      slash  = "ignore"
      source = "org.example.*"
      [route.item]
      group = "shop"
      match = ["/item/{sku:sku}", "/i/{sku:sku}"]
      open  = "org.example.Shop"
      tests.yes = { "https://www.shop.example/ITEM/AB-1234/" = { sku = "AB-1234" }, "shop:/i/AB-1234" = {} }
      tests.no  = ["shop:/item/ab-1234", "https://other.example/item/AB-1234"]
      [route.search]
      group  = "shop"
      match  = "/search?sort={sort:sort=price}"
      open   = "org.example.Shop"
      source = "org.other"
      slash  = "strict"
      tests.yes = { "shop:/search?sort=%C3%BAj" = { sort = "új" }, "shop:/Search?sort=x" = { sort = "price" } }
      tests.no  = ["shop:/search/"]
      """)
    #expect(set.diagnostics.map(\.description) == [])
    #expect(set.runTests().map(\.description) == [])
    #expect(set.table.routes.first { $0.id == "item" }?.patterns.count == 4)
    #expect(try set.table.match("shop:/i/AB-1234", when: ["source": "org.other"]) == nil)
    #expect(try set.table.match("shop:/search", when: ["source": "org.other"])?.route.id == "search")
    #expect(try set.table.match("shop:/search", when: ["source": "org.example.X"]) == nil)
  }

  @Test func `Every option reaches the patterns`() throws {
    let set = files(
      """
      [group.app]
      base = "app:"
      authority = "segment"
      [route.a]
      group = "app"
      match = "/u/{n:uint}?q={q?}"
      plus = "literal"
      handler = "a"
      tests.yes = { "app://u/7?q=a+b" = { n = 7, q = "a+b" }, "app:u/7" = {}, "app:///u/7" = {} }
      """)
    #expect(set.diagnostics.map(\.description) == [])
    #expect(set.runTests().map(\.description) == [])
  }

  @Test func `All errors of groups and types are reported with their locations`() {
    let set = files(
      """
      [types]
      int  = '/a/'
      "1"  = '/a/'
      bad  = '/a(/'
      none = '/[a-b]'
      n    = 7
      l    = []
      e    = ["a", ""]
      [group]
      x = 1
      [group.a]
      base  = ["https://h/x", "h", "https://{t:unknown}.h", 7]
      match = "/x"
      [group.b]
      base = "https://h"
      [route.a]
      group = "b"
      match = ["x", "/{a}{b}", "/{x:bad}"]
      allow = true
      """)
    #expect(
      set.diagnostics.map(\.description) == [
        "a.toml:4:1: the type `int` already exists: choose another name",
        "a.toml:5:1: a type's name is a letter followed by letters, digits, `_` and `-`",
        "a.toml:6:12: invalid regular expression: `(` is not closed: add `)`",
        "a.toml:7:8: `/[a-b]` is not a type: write `'/[a-z]+/'`, a regular expression, "
          + "`[\"one\", \"two\"]`, or `\"uint(1,3)\"`",
        "a.toml:8:8: the type `n` is an integer: write `'/[a-z]+/'`, a regular expression, "
          + "`[\"one\", \"two\"]`, or `\"uint(1,3)\"`",
        "a.toml:9:8: the list is empty: write a text of the type `l`",
        "a.toml:10:14: a type cannot contain the empty text: make the capture optional, `{x:e?}`",
        "a.toml:12:1: `group.x` is an integer: write a table",
        "a.toml:14:10: a base is a scheme with or without a host, such as `https://shop.example` or `shop:`: "
          + "move its path to `match`",
        "a.toml:14:26: the scheme is missing: begin with `scheme:`, or with `/` for any scheme and host (in `h/`)",
        "a.toml:14:42: unknown type `unknown`: write one of `string`, `int`, `uint`, `bool`, `hex`, `uuid`, "
          + "`date`, `duration`, `slug`, `email`, `ipv4`, `ipv6`, `local-network`, `cidr` (in `https://{t:unknown}.h/`)",
        "a.toml:14:55: expected a base, such as `https://shop.example` or `shop:` (a string), but this is an integer",
        "a.toml:15:1: `match` is not a key of a group: it is a key of a route",
        "a.toml:20:10: in a group with a `base`, a pattern is a path: begin with `/`",
        "a.toml:20:20: two captures need a literal between them, otherwise their boundary is ambiguous "
          + "(in `https://h/{a}{b}`)",
      ])
  }

  @Test func `An error in a group excludes its routes`() throws {
    let good = "[route.a]\nmatch = \"/x\"\nallow = true\n"
    let group = "[route.a]\ngroup = \"g\"\nmatch = \"/x\"\nallow = true\n[group.g]\n"
    for text in ["case = 1\n" + good, "cas = \"ignore\"\n" + good]
      + [
        "base = \"https://h/y\"", "source = 7", "slash = \"igno\"", "bas = \"https://h\"",
      ].map({ group + $0 })
    {
      let set = files(text)
      #expect(set.diagnostics.count == 1 && set.table.routes.isEmpty, "\(text)")
    }
    #expect(files(good).table.routes.count == 1 && files(group).table.routes.count == 1)
  }

  @Test func `A file may refuse that the first difference from the left decides`() throws {
    let routes = """
      [route.one]
      match = "/a/{x}"
      handler = "one"
      [route.two]
      match = "/{x}/b"
      handler = "two"
      [route.three]
      match = "/a/b"
      handler = "three"
      """
    #expect(files(routes).diagnostics.isEmpty)
    let set = files("overlap = \"error\"\n" + routes)
    #expect(
      set.diagnostics.map(\.description) == [
        "a.toml:8:9: the routes `one` (/a/{x}, a.toml:5:9) and `two` (/{x}/b, a.toml:8:9) overlap, for example `/a/b`, which `three` matches, "
          + "so `overlap = \"error\"` leaves out those that neither deny nor ask: add `wins_over` to the one that is meant to win, "
          + "or make one narrower"
      ])
    #expect(set.table.routes.map(\.id) == ["three"])
    let settled = files("overlap = \"error\"\n" + routes + "\n[route.four]\nmatch = \"/b/b\"\nallow = true")
    #expect(settled.diagnostics.count == 1)
    #expect(
      files("overlap = \"error\"\n" + routes.replacing("\"one\"", with: "\"one\"\nwins_over = \"two\""))
        .diagnostics.isEmpty)
  }

  @Test func `Types belong to an owner, whatever the file`() throws {
    func file(_ name: String, _ owner: String, _ rest: String) -> RouteFileSource {
      RouteFileSource(name: name, text: "format = 1\nowner = \"\(owner)\"\n\(rest)")
    }
    let types = file("z.toml", "org.a", "[types]\ncode = '/[a-c]+/'")
    let route = "[route.a]\nmatch = \"/{x:code}\"\nallow = true"
    #expect(RouteFileSet([file("a.toml", "org.a", route), types]).diagnostics.isEmpty)
    #expect(RouteFileSet([file("a.toml", "org.b", route), types]).diagnostics.map(\.kind) == [.pattern])
    let same = file("y.toml", "org.a", "[types]\ncode = '/[abc][a-c]*/'")
    #expect(RouteFileSet([types, same]).diagnostics.isEmpty)
    let other = file("y.toml", "org.a", "[types]\ncode = '/[a-d]+/'")
    #expect(RouteFileSet([other, types]).diagnostics.map(\.kind) == [.conflict])
  }

  @Test func `A directory of higher precedence replaces the route of a lower one`() throws {
    func file(_ name: String, _ action: String, _ rank: PolicyLayer, _ directory: Int) -> RouteFileSource {
      RouteFileSource(
        name: name, text: "format = 1\nowner = \"org.a\"\n[route.r]\nmatch = \"/\(name)\"\n\(action) = \"x\"",
        rank: rank, directory: directory)
    }
    let set = RouteFileSet([
      file("low", "deny", .vendor, 4), file("high", "handler", .vendor, 3),
      file("lowest", "deny", .vendor, 5),
    ])
    #expect(set.diagnostics.isEmpty)
    #expect(set.table.routes.map(\.location.file) == ["high"])
    let ranks = RouteFileSet([file("vendor", "deny", .vendor, 0), file("user", "handler", .user, 9)])
    #expect(ranks.table.routes.map(\.location.file) == ["user"])
  }
}
