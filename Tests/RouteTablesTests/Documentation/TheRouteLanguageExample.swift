// SPDX-License-Identifier: Apache-2.0
import RegularLanguages
import RouteTables
import Testing

@Suite struct `The article on the route language` {
  @Test func `Values are parsed as documented`() throws {
    let files = try RouteTable<String> { routes throws(RouteTableError) in
      try routes.add(
        "files:/{owner}/{size:uint}/{path...}?draft={draft:bool=false}", id: "file", action: "file")
    }
    let match = try files.match("files:/ada/4096/notes/a%2Fb")
    #expect(match?["owner"] == "ada")
    #expect(match?[uint: "size"] == 4096)
    #expect(match?[bool: "draft"] == false)
    #expect(match?["path"] == "notes/a/b")
    #expect(match?[list: "path"].map(Array.init) == ["notes", "a/b"])
  }

  @Test func `Languages are compared`() throws {
    let even = try RegularLanguage("[0-9]*[02468]")
    #expect(even.relation(to: RouteType.uint.language) == .crossing)
    #expect(even.commonText(with: RouteType.uint.language) == "0")
    #expect(RouteType.uint.language.isSubset(of: RouteType.slug.language))
  }

  @Test func `Options belong to patterns, and spelling is not an option`() throws {
    let about = try RoutePattern(
      "/About", options: RouteOptions(ignoresCase: true, ignoresTrailingSlash: true))
    #expect(about.description == "/About")
    #expect(try RoutePattern("HTTPS://H.example:443") == RoutePattern("https://h.example/"))
  }

  @Test func `Conditions select`() throws {
    let chats = try RouteCondition("source", matching: #"org\.example\.(Chat|Call)"#)
    let calls = try RouteTable<String> { routes throws(RouteTableError) in
      try routes.add("tel:{number}", id: "call", action: "call", when: [chats])
      try routes.add("tel:{number}", id: "ask", action: "ask first")
    }
    #expect(calls.conditionNames == ["source"])
    #expect(try calls.match("tel:+4412", when: ["source": "org.example.Chat"])?.action == "call")
    #expect(try calls.match("tel:+4412")?.action == "ask first")
  }
}
