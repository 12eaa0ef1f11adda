// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
@testable import RouteTables
import TestSupport
import Testing

@Suite(.computes) struct RouteConflictTests {
  /// The pairs of a thousand equal routes are half a million.
  @Test func `Of thousands of equal routes all are left out, and a bounded number of conflicts is reported`()
    throws
  {
    let count = 3_000
    var routes = RouteTableBuilder<String>()
    for number in 0..<count {
      try routes.add(
        "app:{a\(number)...}", id: "\(number)", action: "", winsOver: number == 1 ? ["0"] : [],
        denies: number == 7)
    }
    let (table, conflicts, faults) = routes.buildSkippingAllConflicts()
    #expect(conflicts.count < 2 * count, "\(conflicts.count)")
    #expect(table.routes.map(\.id) == ["7"] && faults.count <= 1)
  }

  @Test(arguments: [
    ("/{a}", "/{b}"), ("https://h/", "HTTPS://H:443"), ("/x?t={t?}", "/x"), ("/x?k={v}", "/x?k"),
    ("/x?a=1&b", "/x?b&a=1"),
    ("/x#{f?}", "/x"), ("/{n:int}?k={v:uint}", "/{m:int}?k={w:uint}"), ("/a+b", "/a%2Bb"),
  ])
  func `Routes that match equal URLs conflict`(first: String, second: String) throws {
    for pair in [[first, second], [second, first]] {
      let error = refusal { () throws(RouteTableError) in _ = try table(pair) }
      guard case .conflicts(let conflicts)? = error?.reason else {
        Issue.record("\(pair) is accepted")
        continue
      }
      #expect(conflicts.map(\.kind) == [.equal])
      #expect(try matches(first, conflicts[0].witness.url))
      #expect(try matches(second, conflicts[0].witness.url))
    }
  }

  @Test(arguments: [
    ("/{n:int}", "/{n:uint}"), ("/{a:int}/{b:uint}", "/{a:uint}/{b:int}"), ("/?k={n:int}", "/?k={n:uint}"),
    ("/#{n:int}", "/#{n:uint}"), ("/{{/{n:int}", "/{{/{n:uint}"),
  ])
  func `Overlapping signed and unsigned integers conflict`(first: String, second: String) throws {
    let error = refusal { () throws(RouteTableError) in _ = try table([first, second]) }
    guard case .conflicts(let conflicts)? = error?.reason else {
      Issue.record("accepted")
      return
    }
    #expect(conflicts.map(\.kind) == [.crossing])
    #expect(try matches(first, conflicts[0].witness.url))
    #expect(try matches(second, conflicts[0].witness.url))
  }

  @Test(arguments: [
    ("/{a}", "/a"), ("/{{}}", "/{a}"), ("/é", "/e%CC%81"), ("/x?k", "/x?k="), ("/x#", "/x"), ("/x", "app:/x"),
  ])
  func `Routes that match different URLs do not conflict`(first: String, second: String) throws {
    _ = try table([first, second])
  }

  @Test func `Both sides of a conflict are named with file and line`() {
    let error = refusal { () throws(RouteTableError) in
      var builder = RouteTableBuilder<Int>()
      try builder.add("/{a}", id: "one", action: 1, file: "a.swift", line: 3, column: 5)
      try builder.add("/{b}", id: "two", action: 2, file: "b.swift", line: 4, column: 6)
      _ = try builder.build()
    }
    #expect(
      error?.description
        == "the routes `one` (/{a}, a.swift:3:5) and `two` (/{b}, b.swift:4:6) match the same URLs, "
        + "for example `/x`: change or remove one of them")
  }

  @Test func `A conflict excludes the two routes, not the table`() throws {
    var builder = RouteTableBuilder<Int>()
    try builder.add("/{a}", id: "one", action: 1)
    try builder.add("/{b}", id: "two", action: 2)
    try builder.add("/fine", id: "three", action: 3)
    let (table, conflicts) = builder.buildSkippingConflicts()
    #expect(conflicts.count == 1)
    #expect(table.routes.map(\.id) == ["three"])
    #expect(try table.match("/fine")?.action == 3)
    #expect(try table.match("/other") == nil)
  }

  @Test func `A route may match both integer types, but not one pattern twice`() throws {
    var builder = RouteTableBuilder<Int>()
    try builder.add("/{n:int}", "/{n:uint}", id: "number", action: 1)
    #expect(try builder.build().match("/18446744073709551615")?[uint: "n"] == .max)
    try builder.add("/x", "/x", id: "twice", action: 1)
    #expect(builder.buildSkippingConflicts().conflicts.count == 1)
  }

  @Test func `An ID is unique for its owner`() throws {
    var builder = RouteTableBuilder<Int>()
    try builder.add("/a", id: "one", owner: "o", action: 1, file: "a", line: 1, column: 1)
    try builder.add("/b", id: "one", owner: "p", action: 1)
    let error = refusal { () throws(RouteTableError) in
      try builder.add("/c", id: "one", owner: "o", action: 1, file: "a", line: 2, column: 1)
    }
    #expect(error?.description == "a:2:1: the route `one` already exists at a:1:1: choose another name")
    #expect(refusal { () throws(RouteTableError) in try builder.add(id: "none", action: 1) } != nil)
  }
}
