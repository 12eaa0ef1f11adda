// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import RouteTables
@testable import RouteTablesTestSupport

@testable import RouteAnalysis

@Suite struct RouteDiffTests {
  private func table(
    _ routes: [(pattern: String, action: String)],
    _ more: (inout RouteTableBuilder<String>) throws -> Void = { _ in }
  ) throws -> RouteTable<String> {
    var builder = RouteTableBuilder<String>()
    for (pattern, action) in routes { try builder.add(pattern, id: pattern, action: action) }
    try more(&builder)
    return try builder.build()
  }

  /// Returns the old and new winner of each class, with its witness.
  private func reported(_ diff: RouteDiff) -> Set<[String]> {
    Set(diff.changes.map { [$0.sides.old?.id ?? "-", $0.sides.new?.id ?? "-", $0.witness.url] })
  }

  @Test func `A default with another normal form is a change`() throws {
    let old = try table([("/a?q={q=caf\u{E9}}", "a")])
    let new = try table([("/a?q={q=cafe\u{301}}", "a")])
    #expect(!new.diff(from: old).changes.isEmpty)
    #expect(old.diff(from: old).changes.isEmpty)
  }

  @Test func `A new route wins URLs of other routes and URLs without a route`() throws {
    let old = try table([("/{x}", "any"), ("/a/{y}", "a")])
    let new = try table([("/{x}", "any"), ("/a/{y}", "a"), ("/{x:int}", "number"), ("/{x}/b", "b")])
    let diff = new.diff(from: old)
    #expect(
      reported(diff) == [["/{x}", "/{x:int}", "/0"], ["-", "/{x}/b", "/x/b"]], "\(diff.changes)")
    #expect(diff.undecided.isEmpty && diff.isComplete && !diff.isEmpty)
    let sentences = diff.changes.map(\.description)
    #expect(
      sentences.contains {
        $0.hasPrefix("`/{x}/b` (/{x}/b, ")
          && $0.hasSuffix("now matches URLs that no route matched, for example `/x/b`")
      })
  }

  @Test func `URLs of a removed route match the next route or none`() throws {
    let old = try table([("/{x}", "any"), ("/{x:int}", "number"), ("/a/b", "b")])
    let new = try table([("/{x}", "any")])
    #expect(reported(new.diff(from: old)) == [["/{x:int}", "/{x}", "/0"], ["/a/b", "-", "/a/b"]])
  }

  @Test func `A route with another name, position or owner and an equal action changes nothing`() throws {
    let old = try table([("/{x}/b", "one"), ("/a", "a")])
    let new = try RouteTable<String> { routes throws(RouteTableError) in
      try routes.add("/a", id: "other", owner: "somebody", action: "a", rank: .vendor)
      try routes.add("/{x}/b", "/{x}/b?never", id: "name", action: "one")
    }
    #expect(new.diff(from: old).isEmpty)
  }

  @Test func `A route that two others cover changes nothing`() throws {
    let patterns = [("/{x:a|b}", "t"), ("/a", "a"), ("/b", "b")]
    let (old, new) = (try table(patterns), try table([("/{x:a|b}", "changed"), ("/a", "a"), ("/b", "b")]))
    #expect(new.diff(from: old).isEmpty)
    let open = try table([("/{x:a|b}", "changed"), ("/a", "a")])
    #expect(reported(open.diff(from: old)) == [["/b", "/{x:a|b}", "/b"]])
  }

  @Test func `Precedence by wins_over, layer and conditions is compared`() throws {
    let crossing = [("/a/{x}", "one"), ("/{x}/b", "two")]
    let old = try table(crossing)
    let wish = try table([crossing[0]]) {
      try $0.add("/{x}/b", id: "/{x}/b", action: "two", winsOver: ["/a/{x}"])
    }
    #expect(reported(wish.diff(from: old)) == [["/a/{x}", "/{x}/b", "/a/b"]])
    let layer = try table([crossing[1]]) { try $0.add("/a/{x}", id: "/a/{x}", action: "one", rank: .vendor) }
    #expect(reported(layer.diff(from: old)) == [["/a/{x}", "/{x}/b", "/a/b"]])
    let chat = try RouteCondition("source", matching: "chat")
    let asking = try table(crossing) { try $0.add("/a/{x}", id: "asks", action: "three", when: [chat]) }
    let change = try #require(asking.diff(from: old).changes.first)
    #expect(change.sides.new?.id == "asks" && change.witness.context == ["source": "chat"], "\(change)")
  }

  @Test(
    arguments: [
      ("a:/{x}/{y}", "a:/{y}/{x}", false), ("a:/{x}/{y...}", "a:/{x}/{y}", true),
      ("a:/{x...}/e", "a:/{x}/e", true), ("a:/p{x}", "a:/{x}", false), ("a:/c?k={x}", "a:/c?l={x}", false),
      ("a:/c?k={x?}", "a:/c?k={x=d}", false), ("a:/c?k={x?}", "a:/c?k={x:int?}", false),
      ("a:/c#{x}", "a:/c#{x}", true), ("a://{x}.h/", "a://{x...}.h/", true), ("a:/{x}", "a:/{z}", false),
      ("a:/{x:int}", "a:/{x}", true),
    ])
  func `A capture at another position of the URL is a change`(old: String, new: String, isSame: Bool) throws {
    func table(_ pattern: String) throws -> RouteTable<Int> {
      var builder = RouteTableBuilder<Int>()
      try builder.add(pattern, id: "r", action: 1)
      return try builder.build()
    }
    let diff = try table(new).diff(from: try table(old))
    let both = diff.changes.filter { $0.sides.old != nil && $0.sides.new != nil }
    #expect(both.isEmpty == isSame && diff.undecided.isEmpty, "\(diff.changes)")
  }

  @Test func `Only the captures that the action reads are compared`() throws {
    func table(_ pattern: String, _ action: RouteAction) throws -> RouteTable<RouteAction> {
      var builder = RouteTableBuilder<RouteAction>()
      try builder.add(pattern, id: "r", action: action)
      return try builder.build()
    }
    func exec(_ text: String) throws -> RouteAction { .exec([try ActionTemplate(argument: text)]) }
    func url(_ text: String, _ dropping: [String] = []) throws -> RouteAction {
      .rewrite(try ActionTemplate(url: text, dropping: dropping))
    }
    for (old, before, new, after, isSame) in [
      ("a:/{x}/{y}", try exec("p{x}"), "a:/{id}/{y}", try exec("p{id}"), true),
      ("a:/{x}/{y}", try exec("p{x}"), "a:/{y}/{x}", try exec("p{x}"), false),
      ("a:/{x}/{y}", try exec("p{x}"), "a:/{x}/{z}", try exec("p{x}"), true),
      ("a:/{x}/{y}", try exec("p{x}"), "a:/{x}/{y}", try exec("p{x=1}"), false),
      ("a:/{x}/{y}", try exec("p{x}"), "a:/{x}/{y}", try exec("p{@url}"), false),
      ("a:/{x}", try url("b:{x}"), "a:/{z}", try url("b:{z}"), true),
      ("a:/{x}", try url("b:{x}"), "a:/{x}", try url("b:{x}", ["utm"]), false),
      ("a:/{x}", .handler("h"), "a:/{z}", .handler("h"), false),
      ("a:/{x}", .open(application: "o"), "a:/{z}", .open(application: "o"), true),
    ] {
      let diff = try table(new, after).diff(from: try table(old, before))
      #expect(diff.isEmpty == isSame, "\(old) \(before), \(new) \(after)")
    }
  }

  @Test func `A comparison beyond the limit is reported as incomplete`() throws {
    let routes = (0..<6).map { ("/r\($0)", "a") }
    let (old, new) = (try table(routes), try table([]))
    #expect(new.diff(from: old).changes.count == 6 && new.diff(from: old).isComplete)
    let diff = new.diff(from: old, limit: 5)
    #expect(diff.changes.count == 5 && !diff.isComplete && !diff.isEmpty)
    #expect(try table([]).diff(from: try table([])).isEmpty)
  }
}
