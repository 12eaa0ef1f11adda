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
}
