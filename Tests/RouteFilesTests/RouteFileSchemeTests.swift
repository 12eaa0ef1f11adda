// SPDX-License-Identifier: Apache-2.0
import RouteAnalysis
import RouteFiles
import RouteTables
import TestSupport
import Testing

@Suite struct `scheme = ` {
  private static let schemes = [
    "vnc", "ms-msdt", "web+x", "mailto", "http", "https", "ws", "wss", "ftp", "file",
  ]

  /// Returns a URL of `scheme` in a random spelling.
  private static func spelling(of scheme: String, _ random: inout SeededGenerator) -> String {
    let name = String(scheme.map { random.oneIn(4) ? Character($0.uppercased()) : $0 })
    let slashes = random.pick(["", "/", "//", "//", "//", "///", "////", "/.//", "/%2F"])
    let user = random.pick(["", "", "u@", "@", "u:p@", "a@b@", "%40@"])
    let host = random.pick([
      "", "h", "H.example.", "127.0.0.1", "[::1]", "a..b", "%41", "a,b;c", "1", "h_", "..", ".",
    ])
    let port = random.pick(["", "", "", ":", ":1", ":65535", ":080"])
    let path = random.pick([
      "", "/", "/x", "x", "x/y//z/", "/..", "../..", "//", "a:b", "1@2", "/%2e%2e/", "/a%2Fb", "/é", "(!)*'",
      "/{x}",
    ])
    let query = random.pick(["", "", "?", "?q", "?a=b&a=c&=&&", "?a+b=%20", "?/../"])
    let fragment = random.pick(["", "", "#", "#f", "#/x?y", "#!"])
    return "\(name):\(slashes)\(user)\(host)\(port)\(path)\(query)\(fragment)"
  }

  @Test(arguments: schemes, ["", "authority = \"segment\"\n"])
  func `matches every readable spelling, and its denial covers every other`(
    scheme: String, option: String
  ) throws {
    let set = files("[route.no]\nscheme = \"\(scheme)\"\n\(option)deny = \"no\"\n")
    #expect(set.diagnostics.map(\.description) == [])
    var random = SeededGenerator(seed: 7)
    var taken = 0
    for _ in 0..<2_000 {
      let url = Self.spelling(of: scheme, &random)
      // The broker rejects a URL without a certain host, regardless of the rules.
      guard let authority = try? URLAuthority(url) else { continue }
      do {
        let match = try set.table.match(url)
        #expect(match?.route.id == "no", "\(url)")
        taken += match == nil ? 0 : 1
      } catch {
        #expect(set.table.mayForbidUnreadable(authority), "\(url): \(error)")
      }
      #expect(try set.table.match("other" + url) == nil || url.isEmpty)
    }
    #expect(taken > 200)
  }

  @Test func `matches the spellings of the documentation`() throws {
    let set = files(
      """
      [route.no]
      scheme = ["vnc", "MS-MSDT"]
      deny = "no"
      tests.yes = { "vnc:" = {}, "vnc:x" = {}, "vnc:/x" = {}, "vnc:///x" = {}, "vnc://user@host:1/x?q#f" = {} }
      tests.no = ["vncs:x", "x:vnc:x"]
      tests.decide = [{ url = ["ms-msdt:/id", "MS-msdt:a/b", "vnc:%zz", "vnc://h/%ff?%"], is = "deny" }]
      """)
    #expect(set.diagnostics.map(\.description) == [] && set.runTests().map(\.description) == [])
  }

  @Test func `loses against every narrower pattern of the scheme`() throws {
    for (pattern, url) in [
      ("vnc:{x}", "vnc:a"), ("vnc:x", "vnc:x"), ("vnc:/x/{y...}", "vnc:/x/y"), ("vnc://h/", "vnc://h"),
      ("vnc://{h}/{y...?}", "vnc://h/y/z"), ("vnc://*/{y...?}", "vnc://a.b/"),
      ("vnc:///{y}", "vnc:///y"), ("vnc:{y...?}?k", "vnc:?k"), ("vnc:{y...?}#f", "vnc:x/y#f"),
    ] {
      let set = files(
        "[route.wide]\nscheme = \"vnc\"\nallow = true\n[route.narrow]\nmatch = \"\(pattern)\"\nallow = true\n"
      )
      #expect(set.diagnostics.map(\.description) == [], "\(pattern)")
      let check = set.table.check(isStrict: true)
      #expect(check.findings.map(\.description) == [] && check.isComplete, "\(pattern)")
      #expect(try set.table.match(url)?.route.id == "narrow", "\(url)")
    }
  }

  @Test func `conflicts with another route for the scheme, and denies until then`() throws {
    let set = files(
      """
      [route.no]
      scheme = ["vnc", "shell"]
      deny = "no"
      [route.yes]
      scheme = "vnc"
      allow = true
      """)
    #expect(
      set.diagnostics.count >= 1 && set.diagnostics.allSatisfy { $0.kind == .conflict }, "\(set.diagnostics)")
    #expect(set.diagnostics.first?.message.hasSuffix("until then, `no` denies these URLs") == true)
    #expect(set.table.routes.map(\.id) == ["no"])
    for pattern in ["vnc:{x...?}", "vnc:/{x...?}", "vnc://*:*/{x...?}"] {
      let whole = files(
        "[route.no]\nscheme = \"vnc\"\ndeny = \"no\"\n[route.yes]\nmatch = \"\(pattern)\"\nallow = true\n")
      #expect(
        whole.diagnostics.map(\.kind) == [.conflict] && whole.table.routes.map(\.id) == ["no"], "\(pattern)")
    }
  }

  @Test(arguments: ["ask = true\nremember = \"scheme\"", "allow = true"])
  func `that asks stays in force beside another for one of its schemes`(other: String) throws {
    for (first, second) in [("ask = true", other), (other, "ask = true")] {
      let set = files(
        "[route.a]\nscheme = [\"anydesk\", \"vnc\"]\n\(first)\n[route.b]\nscheme = [\"anydesk\", \"rustdesk\"]\n\(second)\n"
      )
      #expect(set.diagnostics.allSatisfy { $0.kind == .conflict } && !set.diagnostics.isEmpty)
      #expect(set.diagnostics.first?.message.contains("; until then, ") == true, "\(set.diagnostics)")
      for url in ["anydesk:1", first == "ask = true" ? "vnc:1" : "rustdesk:1"] {
        guard case .ask? = try set.table.match(url)?.action else {
          Issue.record("\(url) is not asked about")
          continue
        }
      }
      #expect(other == "allow = true" || set.table.routes.count == 2)
    }
  }

  @Test func `that asks has its links rejected beside a denial for one of its schemes`() throws {
    let text = """
      format = 1
      owner = "administrator"
      [route.ask]
      scheme = ["anydesk", "vnc"]
      ask = true
      final = true
      [route.no]
      scheme = "anydesk"
      deny = "no"
      final = true
      """
    let set = RouteFileSet([RouteFileSource(name: "a.toml", text: text, rank: .administrator)])
    #expect(set.table.routes.map(\.id) == ["no"])
    #expect(
      set.diagnostics.first?.message.hasSuffix("`no` denies these URLs, and `ask` has no effect") == true)
    #expect(set.gaps.count == 1 && set.gaps[0].isFinal)
    for url in ["anydesk:1", "vnc:1"] { #expect(set.gaps[0].mayCover(url, try URLAuthority(url))) }
    #expect(!set.gaps[0].mayCover("tel:1", try URLAuthority("tel:1")))
  }

  @Test func `that asks stays in force if overlaps are rejected`() throws {
    let set = RouteFileSet([
      RouteFileSource(
        name: "a.toml",
        text: """
          format = 1
          owner = "o"
          overlap = "error"
          [route.a]
          match = "app:/a/{x}"
          ask = true
          [route.b]
          match = "app:/{y}/b"
          allow = true
          """)
    ])
    #expect(set.table.routes.map(\.id) == ["a"])
  }

  @Test(arguments: ["", "authority = \"segment\"\n"])
  func `* matches every spelling of every scheme, and its denial covers every other spelling`(option: String)
    throws
  {
    let set = files("[route.no]\nscheme = \"*\"\n\(option)deny = \"no\"\n")
    #expect(set.diagnostics.map(\.description) == [])
    var random = SeededGenerator(seed: 11)
    var taken = 0
    for _ in 0..<5_000 {
      let url = Self.spelling(of: random.pick(Self.schemes + ["zork", "x-y.z+1"]), &random)
      guard let authority = try? URLAuthority(url) else { continue }
      do {
        let match = try set.table.match(url)
        #expect(match?.route.id == "no", "\(url)")
        taken += match == nil ? 0 : 1
      } catch {
        #expect(set.table.mayForbidUnreadable(authority), "\(url): \(error)")
      }
    }
    #expect(taken > 1_000)
    for url in ["zork:", "zork:x", "zork:/x", "zork:?q", "zork:#f", "MAILTO:a@b", "https://h", "zork:x//y"] {
      #expect(try set.table.match(url)?.route.id == "no", "\(url)")
    }
  }

  @Test func `* loses against every other pattern, and check finds nothing`() throws {
    for (pattern, url) in [
      ("vnc:{x}", "vnc:a"), ("vnc:{x...?}", "vnc:a/b"), ("vnc:/x/{y...}", "vnc:/x/y"),
      ("/{a}/{b...?}", "vnc:/x/y"),
      ("https://*:*/{y...?}", "https://a.b/"), ("*:{a}", "zork:a"), ("*:{a...?}?k", "zork:a?k"),
      ("/#f", "zork:/#f"),
    ] {
      for option in ["", "authority = \"segment\"\n"] {
        guard option.isEmpty || !pattern.hasPrefix("https") else { continue }
        let set = files(
          "[route.wide]\nscheme = \"*\"\nallow = true\n[route.narrow]\nmatch = \"\(pattern)\"\n\(option)allow = true\n"
        )
        #expect(set.diagnostics.map(\.description) == [], "\(pattern)")
        if option.isEmpty {
          let check = set.table.check(isStrict: true)
          #expect(check.findings.map(\.description) == [] && check.isComplete, "\(pattern)")
        }
        #expect(try set.table.match(url)?.route.id == "narrow", "\(url)")
      }
    }
    let schemes = files(
      "[route.all]\nscheme = \"*\"\nask = true\n[route.some]\nscheme = [\"vnc\", \"https\", \"file\"]\nallow = true\n"
    )
    #expect(schemes.diagnostics.isEmpty && schemes.table.check(isStrict: true).findings.isEmpty)
    for url in ["vnc:", "vnc:x", "vnc://h", "https://u@h:1/", "file:///x"] {
      #expect(try schemes.table.match(url)?.route.id == "some", "\(url)")
    }
  }

  @Test func `except matches every spelling of every other scheme, and nothing else`() throws {
    let set = files("[route.no]\nscheme = { except = [\"https\", \"Mailto\"] }\ndeny = \"no\"\n")
    #expect(set.diagnostics.map(\.description) == [])
    for url in [
      "zork:", "zork:x", "ZORK:/x?q#f", "zork://u@h:1/x", "http://h/", "mailtos:a", "file:///x", "/x",
    ] {
      #expect(try set.table.match(url)?.route.id == "no", "\(url)")
    }
    for url in [
      "https://h", "HTTPS://u@h:1/x?q#f", "mailto:a@h.example", "MAILTO:/x", "mailto://h/x", "mailto:",
    ] {
      #expect(try set.table.match(url) == nil, "\(url)")
    }
    // A URL that cannot be read is denied if its scheme is not an exception.
    #expect(set.table.mayForbidUnreadable(try URLAuthority("zork:%zz")))
    #expect(!set.table.mayForbidUnreadable(try URLAuthority("https://h/%zz")))
  }

  @Test func `except is narrower than *, and wider than every pattern of another scheme`() throws {
    func set(_ except: String) -> RouteFileSet {
      files(
        """
        [route.all]
        scheme = "*"
        allow = true
        [route.most]
        scheme = { except = ["https", "mailto"] }
        deny = "no"
        \(except)
        """)
    }
    let plain = set("")
    #expect(plain.diagnostics.map(\.description) == [])
    let check = plain.table.check(isStrict: true)
    #expect(check.findings.map(\.description) == [] && check.isComplete)
    #expect(try plain.table.match("zork:x")?.route.id == "most")
    #expect(try plain.table.match("https://h/")?.route.id == "all")
    let narrower = set("[route.less]\nscheme = { except = [\"tel\", \"mailto\", \"https\"] }\nallow = true\n")
    #expect(narrower.diagnostics.isEmpty && narrower.table.check(isStrict: true).findings.isEmpty)
    #expect(try narrower.table.match("zork:x")?.route.id == "less")
    #expect(try narrower.table.match("tel:1")?.route.id == "most")
    let tel = set("[route.tel]\nscheme = \"tel\"\nallow = true\n")
    #expect(tel.diagnostics.isEmpty && tel.table.check(isStrict: true).findings.isEmpty)
    #expect(try tel.table.match("tel:1")?.route.id == "tel")
    // A route for an excluded scheme has no URL in common with it, so nothing overlaps.
    let web = set("[route.web]\nmatch = \"https://h/{x...}\"\nallow = true\n")
    #expect(web.diagnostics.isEmpty && web.table.check(isStrict: true).findings.isEmpty)
  }

  @Test func `Routes that exclude different schemes conflict, and those that deny stay`() throws {
    let set = files(
      """
      [route.one]
      scheme = { except = ["https"] }
      deny = "no"
      [route.two]
      scheme = { except = ["mailto"] }
      allow = true
      """)
    #expect(set.diagnostics.map(\.kind) == [.conflict], "\(set.diagnostics)")
    #expect(set.table.routes.map(\.id) == ["one"])
    let equal = files(
      """
      [route.one]
      scheme = { except = ["https", "tel"] }
      deny = "no"
      [route.two]
      scheme.except = ["tel", "https"]
      allow = true
      """)
    #expect(equal.diagnostics.map(\.kind) == [.conflict] && equal.table.routes.map(\.id) == ["one"])
  }

  @Test func `A final denial with except needs no exception for its schemes`() throws {
    func set(_ scheme: String) -> RouteFileSet {
      let text = """
        format = 1
        owner = "administrator"
        [route.sandboxes]
        scheme = { except = ["https", "mailto"] }
        source = { sandboxed = true }
        deny = "no"
        final = true
        [route.web]
        scheme = "\(scheme)"
        ask = true
        final = true
        [route.mail]
        match = "mailto:{x...?}"
        allow = true
        final = true
        wins_over = "sandboxes"
        """
      return RouteFileSet([RouteFileSource(name: "a.toml", text: text, rank: .administrator)])
    }
    let sandboxed = ["sandboxed": "yes"]
    #expect(try set("https").table.match("https://h/", when: sandboxed)?.route.id == "web")
    let findings = set("https").table.check().findings.map(\.description)
    #expect(
      findings == ["the route `mail` has `wins_over` `sandboxes`, but no URL matches both: remove it"])
    let http = set("http")
    #expect(try http.table.match("http://h/", when: sandboxed)?.route.id == "sandboxes")
    // The denial applies to some callers and covers every URL of the other route, as its author intends.
    #expect(http.table.check().findings.map(\.description) == findings)
  }

  @Test func `except reports errors`() {
    let set = files(
      """
      [route.a]
      scheme = { except = [] }
      deny = "no"
      [route.b]
      scheme = { except = ["vnc:", "*"] }
      deny = "no"
      [route.c]
      scheme = { excpt = "https" }
      deny = "no"
      [route.d]
      scheme = {}
      deny = "no"
      """)
    #expect(
      set.diagnostics.map(\.description) == [
        "a.toml:4:21: the list is empty: write the name of a scheme, such as `https`",
        "a.toml:7:22: `vnc:` is not a scheme: write only its name, such as `vnc` for `vnc://h.example/`, or `*` alone for every scheme",
        "a.toml:7:30: `*` matches every scheme: remove the other names, or write a list without `*`",
        "a.toml:10:12: unknown key `excpt`; the nearest is `except`",
        "a.toml:13:10: the table is empty: write `{ except = [\"https\"] }`, or `\"*\"` for every scheme",
      ])
  }

  @Test func `A final denial of * overrides final routes that do not name it`() throws {
    func set(_ exception: String) -> RouteFileSet {
      let text = """
        format = 1
        owner = "administrator"
        [route.no]
        scheme = "*"
        deny = "no"
        final = true
        [route.web]
        scheme = ["https", "mailto"]
        allow = true
        final = true
        \(exception)
        """
      return RouteFileSet([RouteFileSource(name: "a.toml", text: text, rank: .administrator)])
    }
    let without = set("")
    #expect(without.diagnostics.map(\.description) == [])
    #expect(try without.table.match("mailto:a@b")?.route.id == "no")
    #expect(without.table.check().findings.contains { $0.description.contains("web") })
    let with = set("wins_over = \"no\"")
    #expect(with.diagnostics.map(\.description) == [] && with.table.check().findings.isEmpty)
    #expect(try with.table.match("mailto:a@b")?.route.id == "web")
    #expect(try with.table.match("zork:a@b")?.route.id == "no")
  }

  @Test func `* conflicts with patterns that match all URLs of one of its halves`() throws {
    for pattern in ["*:{x...?}", "/{x...?}"] {
      let set = files(
        "[route.no]\nscheme = \"*\"\ndeny = \"no\"\n[route.yes]\nmatch = \"\(pattern)\"\nallow = true\n")
      #expect(
        set.diagnostics.map(\.kind) == [.conflict] && set.table.routes.map(\.id) == ["no"], "\(pattern)")
    }
    #expect(
      files("[route.no]\nscheme = [\"*\", \"x\"]\ndeny = \"no\"\n").diagnostics.map(\.description) == [
        "a.toml:4:11: `*` matches every scheme: remove the other names, or write a list without `*`"
      ])
  }

  @Test func `holds 16 schemes`() throws {
    func text(_ count: Int) -> String {
      "[route.no]\nscheme = [\((0..<count).map { "\"s\($0)\"" }.joined(separator: ", "))]\ndeny = \"no\"\n"
    }
    let set = files(text(16))
    #expect(set.diagnostics.map(\.description) == [])
    #expect(try set.table.match("s15://u@h/")?.route.id == "no" && set.table.match("s16:") == nil)
    #expect(
      files(text(17)).diagnostics.map(\.description) == [
        "a.toml:4:10: too many schemes: the limit is 16: move the others to a second route"
      ])
  }

  @Test func `reports errors`() {
    let set = files(
      """
      [group.g]
      base = "app:"
      [route.a]
      scheme = ["vnc:", "", "{:a|b}", "1x", "x*"]
      deny = "no"
      [route.b]
      scheme = "x"
      match = "x:y"
      deny = "no"
      [route.c]
      group = "g"
      scheme = "x"
      deny = "no"
      [route.d]
      scheme = "x"
      exec = ["true", "--", "{rest}", "{@url}"]
      """)
    func no(_ text: String) -> String {
      "`\(text)` is not a scheme: write only its name, such as `vnc` for `vnc://h.example/`, or `*` alone for every scheme"
    }
    #expect(
      set.diagnostics.map(\.description) == [
        "a.toml:6:11: \(no("vnc:"))", "a.toml:6:19: \(no(""))", "a.toml:6:23: \(no("{:a|b}"))",
        "a.toml:6:33: \(no("1x"))", "a.toml:6:39: \(no("x*"))",
        "a.toml:9:1: the route has both `match` and `scheme`, which matches every URL of a scheme: remove one of the two",
        "a.toml:14:1: the `base` of the group already sets the scheme: remove `scheme` or `group`",
        "a.toml:18:24: the route has no capture `rest` (in `{rest}`)",
      ])
  }

  @Test func `A denial of every path is doubted, because it misses URLs without a slash`() throws {
    func warnings(_ route: String) -> [String] {
      let set = RouteFileSet([
        RouteFileSource(name: "a.toml", text: "format = 1\nowner = \"o\"\n[route.a]\n\(route)\n")
      ])
      #expect(set.diagnostics.isEmpty, "\(set.diagnostics)")
      return set.table.missingSlashWarnings.map { "\($0.location): \($0.sentence)" }
    }
    let doubt =
      "a.toml:4:9: `/{path...?}` misses URLs without a slash after the scheme, such as `tel:112`: "
      + "write `scheme = \"*\"` in place of `match`"
    #expect(warnings("match = \"/{path...?}\"\ndeny = \"no\"") == [doubt])
    #expect(warnings("match = \"/{path...?}\"\nask = true").count == 1)
    for sound in [
      "scheme = \"*\"\ndeny = \"no\"", "match = [\"/{path...?}\", \"*:{x...}\"]\ndeny = \"no\"",
      "match = \"/{path...?}\"\nallow = true", "match = \"/admin/{path...?}\"\ndeny = \"no\"",
      "match = \"notes:{path...?}\"\ndeny = \"no\"",
    ] {
      #expect(warnings(sound).isEmpty, "\(sound)")
    }
  }
}
