// SPDX-License-Identifier: Apache-2.0
import RouteExplanations
@testable import RouteTablesTestSupport
@testable import RouteTables
import RouteAnalysis
import Testing

// The code of "Getting started".

enum Screen: Equatable { case note, newNote, search }

func screens() throws(RouteTableError) -> RouteTable<Screen> {
  try RouteTable { routes throws(RouteTableError) in
    try routes.add("notes://note/{id:int}?tab={tab=text}", id: "note", action: .note)
    try routes.add("notes://note/new", id: "new-note", action: .newNote)
    try routes.add(
      "notes:/search?q={words}", "https://notes.example/search?q={words}", id: "search", action: .search)
  }
}

func title(of url: String, in table: RouteTable<Screen>) throws(RouteTableError) -> String {
  guard let match = try table.match(url) else { return "all notes" }
  switch match.action {
  case .note: return "note \(match[int: "id"] ?? 0), \(match["tab"] ?? "")"
  case .newNote: return "a new note"
  case .search: return "notes with “\(match["words"] ?? "")”"
  }
}

@Suite struct `Getting started with routes` {
  @Test func `URLs have the titles of the page`() throws {
    let table = try screens()
    #expect(try title(of: "notes://note/7?tab=edit", in: table) == "note 7, edit")
    #expect(try title(of: "notes://note/7", in: table) == "note 7, text")
    #expect(try title(of: "notes://note/new", in: table) == "a new note")
    #expect(
      try title(of: "https://notes.example/search?lang=en&q=milk+%26%20honey", in: table)
        == "notes with “milk & honey”")
    #expect(try title(of: "notes://note/seven", in: table) == "all notes")
    #expect(throws: RouteTableError.self) { try title(of: "notes://note/%zz", in: table) }
  }

  @Test func `Mistakes are reported as documented`() throws {
    let mistake = #expect(throws: RouteTableError.self) { try RoutePattern("notes://note/{id:\\d+}") }
    #expect(
      mistake?.description
        == "pattern, byte 14: `{id:\\d+}` is syntax of other routers: write `{id:/\\d+/}` (in `notes://note/{id:\\d+}`)"
    )
    #expect(
      try RoutePattern("/users/:id").warnings == ["`:id` is literal text here: write a capture as `{id}`"])
  }

  @Test func `Two routes that claim the same are refused, with a URL`() throws {
    let refusal = #expect(throws: RouteTableError.self) {
      try RouteTable<Int> { routes throws(RouteTableError) in
        try routes.add("/{page}", id: "page", action: 1)
        try routes.add("/{file}", id: "file", action: 2)
      }
    }
    let conflicts = if case .conflicts(let found)? = refusal?.reason { found } else { [RouteConflict]() }
    #expect(conflicts.map(\.witness.url) == ["/x"])
  }

  @Test func `URLs are generated from routes and values`() throws {
    let table = try screens()
    #expect(try table.generate("note", ["id": 7, "tab": "edit"]) == "notes://note/7?tab=edit")
    #expect(try table.generate("note", ["id": 7]) == "notes://note/7")
    #expect(try table.generate("search", ["words": "milk & honey"]) == "notes:/search?q=milk%20%26%20honey")
    #expect(throws: RouteGenerationError.unrepresentable("id")) { try table.generate("note", ["id": "new"]) }
  }

  @Test func `A table explains its decision`() throws {
    let table = try screens()
    let reported = try table.explain("notes://note/seven")
    #expect(reported.winner == nil)
    #expect(reported.nearMisses.map(\.route.id) == ["note"])
    #expect(
      reported.nearMisses[0].mismatches.map(\.description) == [
        "segment 1 is `seven` (bytes 14 to 18), but `id` must be an `int`: a 64-bit integer without `+` or leading zeros"
      ])
    #expect(table.check(isStrict: true).findings.isEmpty)
  }

  @Test func `A custom type can be used`() throws {
    let sku = try RouteType("sku", matching: "[A-Z]{2}-[0-9]{4}")
    let shop = try RouteTable<String> { routes throws(RouteTableError) in
      try routes.add("shop:/item/{item:sku}", id: "item", action: "item", types: [sku])
      try routes.add("shop:/item/{name}", id: "name", action: "name")
    }
    #expect(try shop.match("shop:/item/AB-1234")?.action == "item")
    #expect(try shop.match("shop:/item/teapot")?.action == "name")
  }
}
