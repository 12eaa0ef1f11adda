// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
@testable import RouteTables
import Testing

@Suite struct `The examples of docstrings` {
  private func notes() throws -> RouteTable<String> {
    let table = try RouteTable<String> { routes throws(RouteTableError) in
      try routes.add("notes://note/{id:int}?tab={tab?}", id: "note", action: "show")
      try routes.add("notes://note/new", id: "new", action: "create")
    }
    return table
  }

  @Test func `Tables and routes`() throws {
    let table = try notes()
    #expect(table.routes.map(\.id) == ["note", "new"])
    #expect(table.routes[0].patterns.map(\.description) == ["notes://note/{id:int}?tab={tab?}"])
    let lengths = table.mapActions { route in route.action.count }
    #expect(try lengths.match("notes://note/new")?.action == 6)
    let own = table.filter { $0.owner == "org.example.Notes" }
    #expect(own.routes.isEmpty)
    var called: [String] = []
    let actions: [(RouteMatch<String>) -> Void] = [{ called.append("show \($0["id"] ?? "")") }, { _ in }]
    let url = "notes://note/7"
    if let found = try table.find(url) { actions[found.routeIndex](table.match(url, at: found)) }
    #expect(called == ["show 7"])
  }

  @Test func `Matches and values`() throws {
    let table = try notes()
    let match = try table.match("notes://note/7?tab=edit")
    #expect(match?.action == "show")
    #expect(match?[int: "id"] == 7)
    #expect(match?["tab"] == "edit")
    #expect(match?.values.map(\.value) == [.int(7), .string("edit")])
    #expect(try table.generate("note", ["id": 7, "tab": "edit"]) == "notes://note/7?tab=edit")
  }

  @Test func `Catch-alls, and query items that the pattern does not name`() throws {
    let files = try RouteTable<String> { routes throws(RouteTableError) in
      try routes.add("files:/{owner}/{size:uint}/{path...}", id: "file", action: "file")
    }
    let match = try files.match("files:/ada/4096/notes/a%2Fb?draft=1")
    #expect(match?["owner"] == "ada")
    #expect(match?[uint: "size"] == 4096)
    #expect(match?["path"] == "notes/a/b")
    #expect(match?[list: "path"]?.count == 2)
    #expect(match?.query["draft"] == "1")
    let url = "files:/ada/4096/notes/a%2Fb"
    if let found = try files.find(url) {
      #expect(found.text(ofCapture: 0)?.range == 7..<10)
      #expect(found.text(ofCapture: 1)?.uint(in: url) == 4096)
      #expect(found.text(ofCapture: 2)?.string(in: url) == "notes/a/b")
    }
  }

  @Test func `Builders, options, types and conditions`() throws {
    var routes = RouteTableBuilder<String>()
    try routes.add("notes://note/{id:int}", id: "note", action: "show")
    let sku = try RouteType("sku", matching: "[A-Z]{2}-[0-9]{4}")
    try routes.add("shop:/item/{id:sku}", "shop:/i/{id:sku}", id: "item", action: "item", types: [sku])
    let table = try routes.build()
    #expect(try table.match("shop:/i/AB-1234")?.route.id == "item")
    let about = try RoutePattern("/About", options: RouteOptions(ignoresCase: true))
    try routes.add([about], id: "about", action: "about", at: SourceLocation(file: "routes", line: 1))
    #expect(try routes.build().match("/ABOUT")?.route.id == "about")
    let chat = try RouteCondition("source", matching: #"org\.example\.Chat|org\.signal\..*"#)
    try routes.add("tel:{number}", id: "call", action: "call", when: [chat])
    let calls = try routes.build()
    #expect(try calls.match("tel:+4412", when: ["source": "org.signal.Desktop"])?.route.id == "call")
    #expect(try calls.match("tel:+4412") == nil)
  }

  @Test func `Every URL of a scheme`() throws {
    var routes = RouteTableBuilder<String>()
    let vnc = try RoutePattern.everyURL(ofSchemes: ["vnc"])
    try routes.add(vnc, id: "vnc", action: "deny", at: SourceLocation(file: "routes", line: 1))
    #expect(try routes.build().match("vnc://ada@h.example:5900?q#f")?.route.id == "vnc")
  }

  @Test func `Every URL of every scheme`() throws {
    var routes = RouteTableBuilder<String>()
    try routes.add(
      RoutePattern.everyURL(), id: "all", action: "deny", at: SourceLocation(file: "routes", line: 1))
    #expect(try routes.build().match("zork:x")?.route.id == "all")
  }

  @Test func `Patterns and captures`() throws {
    let pattern = try RoutePattern("notes://note/{id:int}?tab={tab?}")
    #expect(pattern.captures.map(\.name) == ["id", "tab"])
    let page = try RoutePattern("/list/{page:uint=1}").captures.first
    #expect(page?.name == "page")
    #expect(page?.isOptional == true)
    #expect(page?.defaultValue == "1")
    #expect(
      try RoutePattern("/users/:id").warnings == ["`:id` is literal text here: write a capture as `{id}`"])
  }

  @Test func `Types and languages`() throws {
    #expect(RouteType.int.value(of: "-7") == .int(-7))
    #expect(RouteType.int.value(of: "007") == nil)
    let lan = try RouteType.cidr("10.0.0.0/8")
    #expect(lan.matches("10.1.2.3") == true)
    #expect(lan.matches("[::ffff:a01:203]") == true)
  }

  @Test func `URLs, and templates filled by a match`() throws {
    let url = try URLString("Notes://note/7?tab=edit")
    #expect(url.scheme == "notes")
    #expect(url.redacted == "Notes://note/7?…")
    try fill("https://tube.example/watch?v=7&t=42s")
  }

  private func fill(_ url: String) throws {
    let pattern = try RoutePattern("https://tube.example/watch?v={id}&t={t:duration?}")
    let start = try ActionTemplate(argument: "--start={t=0s}")
    var routes = RouteTableBuilder<String>()
    try routes.add([pattern], id: "video", action: "play", at: SourceLocation(file: "routes", line: 1))
    let match = try #require(try routes.build().match(url))
    #expect(start.faults(in: [pattern]) == [])
    #expect(start.filled(by: match, url: url, source: nil) == "--start=42s")
  }
}
