// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
import TestSupport
import Testing

@testable import RouteTables

private enum Tab: String, CaseIterable, RouteParameter { case edit, view }

private enum Links {
  static let note = TypedRoute<Int, Tab?>(
    "notes://note/{id:int}?tab={tab:Tab?}", "https://notes.example/{id:uint(1,9)}#{tab:Tab?}")
  static let directory = TypedRoute<[String], Bool, [Int]>(
    "notes://folder/{path...}?all={all:bool=false}&n={n:int*?}")
  static let home: TypedRoute<> = TypedRoute("notes://home", id: "home")
  static let search = TypedRoute<String, [String]?>("notes://search?q={q}&t={t*?}")
}

@Suite struct `Typed routes` {
  private func table() throws -> RouteTable<String> {
    try RouteTable<String> { routes throws(RouteTableError) in
      try routes.add(Links.note, action: "note")
      try routes.add(Links.directory, action: "folder")
      try routes.add(Links.home, action: "home")
      try routes.add(Links.search, action: "search")
      try routes.add("notes://note/0", id: "zero", action: "zero")
    }
  }

  @Test func `make URLs, and read them back`() throws {
    let table = try table()
    for (id, tab, url) in [
      (7, .edit, "notes://note/7?tab=edit"), (-7, nil, "notes://note/-7"),
      (Int.min, .view, "notes://note/\(Int.min)?tab=view"),
    ] as [(Int, Tab?, String)] {
      #expect(try Links.note.url(id, tab) == url)
      #expect(try table.url(of: Links.note, id, tab) == url)
      let match = try #require(try table.match(url))
      let read = try #require(Links.note.arguments(of: match))
      #expect(read.0 == id && read.1 == tab)
      #expect(Links.directory.arguments(of: match) == nil && Links.search.arguments(of: match) == nil)
    }
    let other = try #require(try table.match("https://notes.example/12#view"))
    if let (id, tab) = Links.note.arguments(of: other) {
      #expect(id == 12 && tab == .view)
    } else {
      Issue.record("another route's")
    }

    let directory = try Links.directory.url(["a b", "c/d"], true, [1, -2])
    #expect(directory == "notes://folder/a%20b/c%2Fd?all=true&n=1&n=-2")
    let parts = try #require(try table.match(directory).flatMap { Links.directory.arguments(of: $0) })
    #expect(parts.0 == ["a b", "c/d"] && parts.1 && parts.2 == [1, -2])
    #expect(try Links.directory.url(["a"], false, []) == "notes://folder/a")
    #expect(try Links.home.url() == "notes://home/" && table.url(of: Links.home) == "notes://home/")
    #expect(try Links.search.url("a&b", nil) == "notes://search/?q=a%26b")
    #expect(try Links.search.url("", ["x"]) == "notes://search/?q=&t=x")
  }

  @Test func `have an error if there is no URL`() throws {
    let table = try table()
    // In its own table the route wins the URL; in this table another route wins it.
    #expect(try Links.note.url(0, nil) == "notes://note/0")
    #expect(throws: RouteGenerationError.matchedByAnotherRoute("zero")) {
      try table.url(of: Links.note, 0, nil)
    }
    #expect(throws: RouteGenerationError.missingArgument("path")) { try Links.directory.url([], true, []) }
    #expect(throws: RouteGenerationError.unrepresentable("path")) {
      try Links.directory.url([".."], true, [])
    }
    let other = TypedRoute<String>("notes://{x}", id: "home")
    #expect(throws: RouteGenerationError.unknownRoute("home")) { try table.url(of: other, "x") }
    let absent = TypedRoute<String>("notes://{x}")
    #expect(throws: RouteGenerationError.unknownRoute("notes://{x}")) { try table.url(of: absent, "x") }
  }

  private func refusal<each Argument: RouteArgument>(_ route: TypedRoute<repeat each Argument>) -> String? {
    let error = #expect(throws: RouteTableError.self) {
      try RouteTable<Int> { routes throws(RouteTableError) in try routes.add(route, action: 1) }
    }
    let place = "\(route.location): "
    #expect(
      error?.description.hasPrefix(place) == true && route.location.file.hasSuffix("TypedRouteTests.swift"))
    return error.map { String($0.description.dropFirst(place.count)) }
  }

  @Test func `that do not fit their types are refused when the table is built`() throws {
    for (sentence, expected) in [
      (
        refusal(TypedRoute<Int>("a:/{x}/{y}")),
        "the pattern captures `{x}`, `{y}`, and the arguments are Int: write one capture for each argument, in their "
          + "order (in `a:/{x}/{y}`)"
      ),
      (
        refusal(TypedRoute<Int, Tab?>("a:/{x:int}?t={t?}")),
        "`{t?}` also matches `x`, which is not a value of Tab?: write `{t:edit|view?}` (in `a:/{x:int}?t={t?}`)"
      ),
      (
        refusal(TypedRoute<[Tab]>("a:/{x:Tab}")),
        "`{x:Tab}` captures one text, but its argument is [Tab]: write `...` for segments, `*` for the values of a key, or "
          + "a single value as the argument (in `a:/{x:Tab}`)"
      ),
      (
        refusal(TypedRoute<Tab>("a:/{x:Tab?}")),
        "`{x:Tab?}` is optional, but its argument is Tab: write Tab? as the argument, or a default after `=` in the pattern (in "
          + "`a:/{x:Tab?}`)"
      ),
      (
        refusal(TypedRoute<Int>("a:/{x")),
        "`{` is not closed: add `}`, or write `{{` for a brace (in `a:/{x`)"
      ),
      (refusal(TypedRoute<Int>(id: "empty")), "the route `empty` has no pattern: add one"),
    ] {
      #expect(sentence == expected)
    }
    let error = #expect(throws: RouteGenerationError.self) { try TypedRoute<Int>("a:/{x}").url(7) }
    #expect("\(try #require(error))".contains("which is not a value of Int: write `{x:int}`"))
  }

  @Test func `are views of routes that a table has already`() throws {
    let table = try RouteTable<Int> { routes throws(RouteTableError) in
      try routes.add("app:/{x:int}", id: "one", owner: "o", action: 1)
      try routes.add("app:/{x}", id: "two", owner: "o", action: 2)
      try routes.add("app:/s", id: "one", owner: "p", action: 3)
    }
    let one = try TypedRoute<Int64>("o/one", of: table)
    #expect(try one.url(7) == "app:/7" && one.id == "o/one")
    #expect(try table.match("app:/7").flatMap { one.arguments(of: $0) } == 7)
    let two = try TypedRoute<String>("two", of: table)
    #expect(try two.url("a") == "app:/a")
    // The result is proven for the table that it is a view of.
    #expect(throws: RouteGenerationError.matchedByAnotherRoute("one")) { try two.url("7") }
    for (id, reason) in [("one", RouteTableError.Reason.noRoute("one")), ("three", .noRoute("three"))] {
      let error = #expect(throws: RouteTableError.self) { try TypedRoute<Int>(id, of: table) }
      #expect(error?.reason == reason)
    }
    let mismatch = #expect(throws: RouteTableError.self) { try TypedRoute<Int>("two", of: table) }
    #expect(mismatch?.location == table.routes[1].location)
    guard case .mismatch(.type(_, "Int", _, "{x:int}"))? = mismatch?.reason else {
      Issue.record("\(String(describing: mismatch))")
      return
    }
  }

  /// Compares the arguments that are read back from a URL with the original ones.
  @Test func `give no arguments of another route with the same pattern`() throws {
    let mine = TypedRoute<Int>("app:/{n:int}", id: "mine")
    let table = try RouteTable<String> { routes throws(RouteTableError) in
      try routes.add(mine, action: "mine", when: [try RouteCondition("source", matching: "a")])
      try routes.add("app:/{n:int}", id: "other", action: "other")
    }
    let match = try #require(try table.match("app:/7", when: ["source": "a"]))
    #expect(match.action == "mine" && mine.arguments(of: match) == 7)
    let other = try #require(try table.match("app:/7"))
    #expect(other.action == "other" && mine.arguments(of: other) == nil)
  }

  @Test func `never make a URL that is read as something else`() throws {
    let route = TypedRoute<String, [String], String?, Int>(
      "app:/{a}/{b...}?c={c?}&d={d:int=7}")
    let table = try RouteTable<Int> { routes throws(RouteTableError) in
      try routes.add(route, action: 1)
      try routes.add("app:/new/{x...}", id: "new", action: 2)
    }
    var random = SeededGenerator(seed: 5)
    let texts = [
      "", ".", "..", "new", "a/b", "é", "%41", "+", "&", "=", "#", "?", "a b", "\n", "\0", "\u{85}", "x",
    ]
    var (made, refused) = (0, 0)
    for _ in 0..<600 {
      let (a, c) = (random.pick(texts), random.oneIn(3) ? nil : random.pick(texts))
      let b = (0..<random.below(4)).map { _ in random.pick(texts) }
      let d = Int(truncatingIfNeeded: random.next()) >> random.below(64)
      do {
        let url = try table.url(of: route, a, b, c, d)
        let read = try #require(try table.match(url).flatMap { route.arguments(of: $0) }, "\(url)")
        #expect(read.0 == a && read.1 == b && read.2 == c && read.3 == d, "\(url)")
        made += 1
      } catch is RouteGenerationError {
        refused += 1
      }
    }
    #expect(made > 100 && refused > 100, "\(made) \(refused)")
  }
}
