// SPDX-License-Identifier: Apache-2.0
import RouteFiles
import RouteTables
import Testing

@Suite struct `Two routes of one name in one directory` {
  private func set(_ first: String, _ second: String) -> RouteFileSet {
    func source(_ name: String, _ action: String) -> RouteFileSource {
      RouteFileSource(
        name: name,
        text: "format = 1\nowner = \"it\"\n[route.one]\nmatch = \"app:{x...}\"\nfinal = true\n\(action)\n",
        rank: .administrator)
    }
    return RouteFileSet([source("a.toml", first), source("b.toml", second)])
  }

  @Test func `are both excluded if neither denies nor asks`() throws {
    let set = set("allow = true", "open = \"a.b\"")
    #expect(set.table.routes.isEmpty)
    #expect(set.diagnostics.map(\.description).first?.hasSuffix("both are ignored: rename one") == true)
  }

  @Test(arguments: [("deny = \"no\"", "allow = true"), ("allow = true", "deny = \"no\"")])
  func `leave the one in force that denies`(first: String, second: String) throws {
    let set = set(first, second)
    #expect(try set.table.match("app:1")?.action == .deny(reason: "no"))
    #expect(
      set.diagnostics.map(\.description).first?.hasSuffix(
        "only the one that denies or asks is in force: rename one")
        == true)
  }

  @Test(arguments: [
    ("ask = true", "ask = true"), ("ask = true", "allow = true"), ("open = \"a.b\"", "ask = true"),
  ])
  func `leave the question in force`(first: String, second: String) throws {
    let set = set(first, second)
    #expect(try set.table.match("app:1")?.action == .ask([], remember: []))
    #expect(set.gaps.isEmpty)
  }

  @Test func `reject the links of a question that conflicts with a denial`() throws {
    let set = set("ask = true", "deny = \"no\"")
    #expect(try set.table.match("app:1")?.action == .deny(reason: "no"))
    #expect(set.gaps.count == 1)
  }

  @Test func `are both in force if both deny`() throws {
    let set = RouteFileSet(
      ["a", "b"].map { name in
        RouteFileSource(
          name: "\(name).toml",
          text: "format = 1\nowner = \"it\"\n[route.one]\nmatch = \"\(name):{x...}\"\ndeny = \"no\"\n",
          rank: .administrator)
      })
    #expect(try set.table.match("a:1")?.action == .deny(reason: "no"))
    #expect(try set.table.match("b:1")?.action == .deny(reason: "no"))
  }

  private static let cleaning =
    "match = \"https://nothing.example/{id}?zz\"\nrewrite = { drop = [\"zz\"], first = true }"
  private static let denial = "match = \"https://track.example/{x...}\"\ndeny = \"no\""

  private func set(
    _ first: String, _ second: String, in directories: (Int, Int), rank: PolicyLayer = .administrator
  ) -> RouteFileSet {
    func source(_ name: String, _ route: String, _ directory: Int) -> RouteFileSource {
      RouteFileSource(
        name: name, text: "format = 1\nowner = \"it\"\n[route.one]\n\(route)\n", rank: rank,
        directory: directory)
    }
    return RouteFileSet([source("a.toml", first, directories.0), source("b.toml", second, directories.1)])
  }

  @Test(arguments: [(denial, cleaning), (cleaning, denial)])
  func `leave a denial in force beside a cleaning route`(first: String, second: String) throws {
    let set = set(first, second, in: (0, 0))
    #expect(try set.table.match("https://track.example/1")?.action == .deny(reason: "no"))
    #expect(set.table.routes.count == 1 && set.diagnostics.map(\.kind) == [.conflict])
  }

  @Test func `leave a question in force beside a final route`() throws {
    let set = set(
      "match = \"tel:{x...}\"\nask = true", "match = \"tel:112\"\nallow = true\nfinal = true", in: (0, 0))
    #expect(try set.table.match("tel:1")?.action == .ask([], remember: []))
    #expect(try set.table.match("tel:112")?.action == .allow)
    #expect(
      set.diagnostics.map(\.description).first?.hasSuffix(
        "both are in force, because they deny, ask or are final: rename one") == true)
  }

  @Test func `leave only the final one in force if the other neither denies nor asks`() throws {
    let set = set(
      "match = \"app:{x...}\"\nallow = true", "match = \"app:1\"\nopen = \"a.b\"\nfinal = true", in: (0, 0))
    #expect(set.table.routes.map(\.location.file) == ["b.toml"])
    #expect(
      set.diagnostics.map(\.description).first?.hasSuffix(
        "only the one that denies, asks or is final is in force: rename one") == true)
  }

  @Test(arguments: [PolicyLayer.administrator, .vendor])
  func `of a later directory do not replace the first if they clean links`(rank: PolicyLayer) {
    let set = set(Self.denial, Self.cleaning, in: (0, 1), rank: rank)
    #expect(set.table.routes.map(\.location.file) == ["a.toml"])
    #expect(set.diagnostics.isEmpty)
  }

  @Test func `of a later directory do not replace a denial if they are final, but are in force`() throws {
    let final = "match = \"app:1\"\nopen = \"a.b\"\nfinal = true"
    let both = set(Self.denial, final, in: (0, 1))
    #expect(Set(both.table.routes.map(\.location.file)) == ["a.toml", "b.toml"])
    #expect(both.diagnostics.map(\.kind) == [.conflict])
    #expect(set(Self.denial, final, in: (1, 0)).table.routes.map(\.location.file) == ["b.toml"])
  }
}
