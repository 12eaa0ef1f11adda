// SPDX-License-Identifier: Apache-2.0
import Foundation
import RouteTables
import TestSupport
import Testing

@testable import RouteFiles

@Suite struct `A route file of the administrator with errors` {
  private static func set(_ text: String, head: String = "format = 1\nowner = \"corp\"\n") -> RouteFileSet {
    RouteFileSet([RouteFileSource(name: "corp.toml", text: head + text, rank: .administrator)])
  }

  /// Returns the URLs that the gaps cover, those of final gaps in upper case.
  private static func covered(_ set: RouteFileSet) throws -> [String] {
    try [
      "tel:5", "https://bad.example/x", "https://u@bad.example/x", "https://good.example/",
      "http://a.example/",
    ]
    .flatMap { url in
      let authority = try URLAuthority(url)
      return set.gaps.filter { $0.mayCover(url, authority) }.map { $0.isFinal ? url.uppercased() : url }
    }
  }

  private static let all = [
    "TEL:5", "HTTPS://BAD.EXAMPLE/X", "HTTPS://U@BAD.EXAMPLE/X", "HTTPS://GOOD.EXAMPLE/", "HTTP://A.EXAMPLE/",
  ]
  private static let bad = ["https://bad.example/x", "https://u@bad.example/x"]
  private static let https = bad + ["https://good.example/"]

  /// Routes that certainly neither deny nor ask nor are final.
  @Test(arguments: [
    "[route.a]\nmatch = \"tel:{x}\"\nopen = 5\n",
    "[route.a]\nmatch = \"tel:{x}\"\nallow = true\nfinal = false\nnote = 1\n",
    "[route.a]\nmatch = \"tel:{x\"\nexec = [\"true\"]\n",
  ])
  func `leaves out a damaged rule that forbids nothing`(text: String) throws {
    let set = Self.set(text)
    #expect(!set.diagnostics.isEmpty && set.gaps.isEmpty && set.table.routes.isEmpty)
  }

  @Test(arguments: [
    // The patterns are readable.
    ("[route.a]\nmatch = \"tel:{x}\"\ndeny = 5\n", ["tel:5"]),
    ("[route.a]\nmatch = \"tel:{x}\"\ndney = \"no\"\n", ["tel:5"]),
    ("[route.a]\nmatch = \"tel:{x}\"\nask = \"no\"\n", ["tel:5"]),
    ("[route.a]\nmatch = \"tel:{x}\"\nopen = \"a.b\"\nfnial = true\n", ["TEL:5"]),
    ("[route.a]\nmatch = \"tel:{x}\"\nopen = 5\nfinal = true\n", ["TEL:5"]),
    ("[route.a]\nmatch = \"tel:{x}\"\ndeny = \"no\"\nfinal = 1\n", ["TEL:5"]),
    ("[route.a]\nmatch = \"https://bad.example/{x}\"\ndney = \"no\"\n", bad),
    ("[route.a]\nmatch = \"tel:{x}\"\ndeny = \"no\"\nsource.assurance = \"no\"\n", ["tel:5"]),
    ("[route.a]\nscheme = \"tel\"\ndney = \"no\"\n", ["tel:5"]),
    ("[route.a]\nscheme = \"https\"\ndeny = 5\nfinal = true\n", https.map { $0.uppercased() }),
    // The scheme is readable.
    ("[route.a]\nscheme = \"tel:\"\ndeny = \"no\"\n", ["tel:5"]),
    ("[route.a]\nshceme = \"tel\"\ndeny = \"no\"\n", ["tel:5"]),
    ("[route.a]\nscheme = \"http\"\nmatch = \"tel:{x}\"\ndeny = \"no\"\n", ["tel:5", "http://a.example/"]),
    ("[route.a]\nmatch = \"https://bad.example/{x\"\ndeny = \"no\"\n", https),
    ("[route.a]\nmatch = \"https://bad.example/{x}\"\ndeny = \"no\"\nslash = \"no\"\n", https),
    ("[route.a]\nmatch = \"https://bad.example/{x}\"\ndeny = \"no\"\nslahs = \"ignore\"\n", https),
    ("[route.a]\nmatch = \"{:http|HTTPS}://b/{x:nix}\"\ndeny = \"no\"\n", https + ["http://a.example/"]),
    (
      "[group.g]\nbase = \"tel:\"\nfinal = true\n[route.a]\ngroup = \"g\"\nmatch = \"/{x}\"\nopen = \"a.b\"\n",
      ["TEL:5"]
    ),
    ("final = true\n[route.a]\nmatch = \"tel:{x}\"\nopen = \"a.b\"\n", ["TEL:5"]),
    ("[rout.a]\nmatch = \"tel:{x}\"\ndeny = \"no\"\n", ["tel:5"]),
    // Neither patterns nor scheme are readable.
    ("[route.a]\nscheme = [5]\ndeny = \"no\"\nfinal = true\n", all),
    ("[route.a]\nmatch = 5\ndeny = \"no\"\nfinal = true\n", all),
    ("[route.a]\ngroup = \"g\"\nmatch = \"/{x}\"\ndeny = \"no\"\nfinal = true\n", all),
    ("[[route]]\nmatch = \"tel:{x}\"\n", all),
    ("[route.a\n", all),
  ])
  func `rejects only URLs that its rule with an error may have matched`(text: String, urls: [String]) throws {
    let set = Self.set(text)
    #expect(!set.diagnostics.isEmpty)
    #expect(try Self.covered(set) == urls, "\(text)\(set.gaps)")
    #expect(
      set.gaps.allSatisfy { $0.reason.contains("corp.toml:") && $0.reason.contains("usher routes check") })
  }

  /// The keys of a route whose header is missing belong to the table before it.
  @Test(arguments: [
    "[group.g]\nbase = \"corp:\"\nscheme = \"tel\"\ndeny = \"no\"\nfinal = true\n",
    "[route.a]\nmatch = \"https://good.example/\"\nopen = \"a.b\"\n[route.a.tests]\nscheme = \"tel\"\ndeny = \"no\"\nfinal = true\n",
    "[types]\nsku = \"uint\"\nscheme = \"tel\"\ndeny = \"no\"\nfinal = true\n",
  ])
  func `rejects the URLs of a rule without a header`(text: String) throws {
    #expect(try Self.covered(Self.set(text)).contains("TEL:5"))
  }

  /// Without its `wins_over` such a rule would lose to the one that it names.
  @Test(arguments: [
    ("deny = \"no\"\nwins_over = \"alow\"", true), ("ask = true\nwins_over = \"alow\"\nfinal = true", true),
    ("deny = \"no\"\nwins_over = \"allow\"", false), ("open = \"a.b\"\nwins_over = \"alow\"", false),
  ])
  func `rejects the URLs of a denial or question whose wins_over names no route`(
    lines: String, isRejected: Bool
  ) throws {
    let set = Self.set(
      "[route.allow]\nmatch = \"tel:5\"\nallow = true\n[route.no]\nmatch = \"tel:{x}\"\n\(lines)\n")
    #expect(
      try Self.covered(set).map { $0.lowercased() } == (isRejected ? ["tel:5"] : []), "\(set.diagnostics)")
  }

  @Test func `lets a denial win over every URL of a rule that it names`() throws {
    let set = Self.set(
      "[route.allow]\nmatch = \"tel:{x}\"\nallow = true\n[route.no]\nscheme = \"tel\"\ndeny = \"no\"\nwins_over = \"allow\"\n"
    )
    #expect(set.diagnostics.isEmpty && set.gaps.isEmpty, "\(set.diagnostics)")
    #expect(try set.table.match("tel:5")?.route.id == "no")
  }

  @Test func `keeps a denial in force beside a cycle, and rejects its URLs if it is in one`() throws {
    let cycle = """
      [route.one]
      match = "quux:a/{x}"
      allow = true
      wins_over = "two"
      [route.two]
      match = "quux:{x}/a"
      allow = true
      wins_over = "one"
      [route.free]
      match = "tel:a/{x}"
      allow = true
      [route.no]
      match = "tel:{x}/b"
      deny = "no"
      wins_over = "free"

      """
    let set = Self.set(cycle)
    #expect(set.diagnostics.count == 1 && set.gaps.isEmpty, "\(set.diagnostics)")
    #expect(try set.table.match("tel:a/b")?.route.id == "no")
    // Of a cycle with a permission, only the permission loses.
    let permission = Self.set(
      cycle.replacing("allow = true\n[route.no]", with: "allow = true\nwins_over = \"no\"\n[route.no]"))
    #expect(permission.gaps.isEmpty)
    #expect(try permission.table.match("tel:a/b")?.route.id == "no")
    // Here nothing else can lose, because of each rule that loses a wider one comes later.
    let denials = Self.set(
      """
      [route.no-a]
      match = "tel:a/{x}"
      deny = "no"
      wins_over = "dc"
      [route.ab]
      match = "tel:a/b"
      allow = true
      [route.no-c]
      match = "tel:{x}/c"
      deny = "no"
      wins_over = "ab"
      [route.dc]
      match = "tel:d/c"
      allow = true

      """)
    #expect(denials.gaps.count == 2, "\(denials.diagnostics)")
    for url in ["tel:a/1", "tel:1/c"] {
      let authority = try URLAuthority(url)
      #expect(denials.gaps.contains { $0.mayCover(url, authority) })
    }
  }

  @Test func `without its format may mean anything`() throws {
    #expect(try Self.covered(Self.set("", head: "owner = \"corp\"\n")) == Self.all)
  }

  @Test func `of the user's or a program's has no gaps`() {
    for rank in [PolicyLayer.user, .vendor] {
      let set = RouteFileSet([RouteFileSource(name: "a.toml", text: "[route.a\n", rank: rank)])
      #expect(set.gaps.isEmpty && set.diagnostics.count == 1)
    }
  }

  @Test func `without errors has no gaps`() {
    #expect(Self.set("[route.a]\nmatch = \"tel:{x}\"\ndeny = \"no\"\nfinal = true\n").gaps.isEmpty)
  }

  @Test func `uses the types of the last version of another file`() throws {
    let directory = try TemporaryDirectory()
    let head = "format = 1\nowner = \"corp\"\n"
    let routes = head + "[route.a]\nmatch = \"play:{x:sku}\"\ndeny = \"no\"\n"
    try directory.write(head + "[types]\nsku = '/[a-z]+/'\n", to: "r/types.toml")
    try directory.write(routes, to: "r/routes.toml")
    let layer = [RouteDirectory(path: "\(directory.path)/r", rank: .administrator)]
    let before = RouteFileSet(loading: layer)
    #expect(before.diagnostics.isEmpty && before.soundVersions.count == 2)
    try directory.write(head + "[types\n", to: "r/types.toml")
    try directory.write(
      routes + "[route.b]\nmatch = \"play:/{x:sku}/b\"\ndeny = \"no\"\n", to: "r/routes.toml")
    let after = RouteFileSet(loading: layer) { file in before.soundVersions.first { $0.file == file } }
    #expect(
      after.table.routes.map(\.id).sorted() == ["a", "b"] && after.gaps.isEmpty, "\(after.diagnostics)")
  }

  @Test func `that cannot be read refuses every link, or is used in its last version`() throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("r/a.toml")
    let layer = [RouteDirectory(path: "\(directory.path)/r", rank: .administrator)]
    #expect(try Self.covered(RouteFileSet(loading: layer)) == Self.all)
    let text = "format = 1\nowner = \"corp\"\n[route.a]\nmatch = \"play:{x}\"\ndeny = \"no\"\n"
    let set = RouteFileSet(loading: layer) { RouteFileVersion(file: $0, text: text, changed: 0) }
    #expect(set.gaps.isEmpty && set.table.routes.map(\.id) == ["a"])
    #expect(set.diagnostics.map(\.kind) == [.unreadable])
  }
}
