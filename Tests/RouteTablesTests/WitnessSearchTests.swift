// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
import TestSupport
import Testing

@testable import RouteTables

@Suite(.computes) struct WitnessSearchTests {
  /// Checks that a witness is inside and not outside; without a witness, none of many URLs is.
  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `A search never returns a wrong witness`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (found, none, undecided) = (0, 0, 0)
    for _ in 0..<600 {
      let inside = try (0..<Int.random(in: 1...2, using: &random)).map { _ in try Lone.random(&random) }
      let outside = try (0..<Int.random(in: 0...3, using: &random)).map { _ in try Lone.random(&random) }
      var languages = LanguageInterner()
      var search = WitnessSearch(
        inside: try inside.map { try $0.requests(&languages) },
        outside: try outside.map { try $0.requests(&languages) })
      let names = "inside \(inside.map(\.pattern.text)) outside \(outside.map(\.pattern.text))"
      switch search.run(&languages) {
      case .found(let draft):
        found += 1
        let request = draft.request
        for one in inside { #expect(try table(of: one.own).match(request) != nil, "\(request): \(names)") }
        for one in outside { #expect(try table(of: one.own).match(request) == nil, "\(request): \(names)") }
      case .undecided: undecided += 1
      case .none:
        none += 1
        for _ in 0..<60 {
          let one = random.pick(inside + outside)
          var url = NaiveURL.filling(one.shape, &random)
          let text = url.text(&random)
          let isIn = inside.allSatisfy { NaiveReader(url: url, shape: $0.shape).captures() != nil }
          let isOut = outside.contains { NaiveReader(url: url, shape: $0.shape).captures() != nil }
          guard isIn, !isOut else { continue }
          Issue.record("\(text) is there: \(names)")
          break
        }
      }
    }
    #expect(
      found > 200 && none > 200 && undecided < 60, "\(found) found, \(none) none, \(undecided) undecided")
  }

  /// In `https://h/1` one pattern reads the path `/1`, and the other `h/1`: no request of the search shows it.
  @Test func `A host that is a segment of another pattern is not excluded`() throws {
    var languages = LanguageInterner()
    let patterns = [
      try RoutePattern("/{a:int}"),
      try RoutePattern("https://h/{a}", options: RouteOptions(authority: .segment)),
    ]
    let classes = try patterns.map { pattern in
      RequestSet(try shapes(of: pattern, &languages)[0], pattern: pattern, &languages)
    }
    var search = WitnessSearch(inside: classes)
    guard case .undecided(.hostOrSegment) = search.run(&languages) else {
      Issue.record("told to be the one or the other")
      return
    }
  }

  /// Tests that variants are disjoint if no host and no `..` can make them overlap.
  @Test(arguments: [
    ("/{a}/{b}/c", "h:/x", true), ("/{a}/{b}", "h:/x/{y}/{z}/w", true), ("/b", "h:/x/b", false),
    ("/", "h:/x", false), ("h://g/b", "h:/b", false), ("h://g/b", "h:/c", true), ("h://g/", "h:/{x}", false),
    ("/a/{x...}", "h:/b", true), ("/a/{x...}", "h:/b/{y}", true),
  ])
  func `Patterns whose host is a segment are compared exactly`(other: String, joined: String, isApart: Bool)
    throws
  {
    var languages = LanguageInterner()
    let patterns = [
      try RoutePattern(other), try RoutePattern(joined, options: RouteOptions(authority: .segment)),
    ]
    let classes = try patterns.map { pattern in
      RequestSet(try shapes(of: pattern, &languages)[0], pattern: pattern, &languages)
    }
    var search = WitnessSearch(inside: classes)
    switch search.run(&languages) {
    case .none: #expect(isApart)
    case .undecided(let reason): #expect(!isApart && reason == .hostOrSegment)
    case .found(let draft): Issue.record("\(draft.request)")
    }
    // A variant for which all parts are segments needs no slash.
    var alone = WitnessSearch(inside: [classes[1]], outside: [classes[0]])
    guard case .found = alone.run(&languages) else {
      Issue.record("nothing is found")
      return
    }
  }

  /// Needs one step for each key, with more keys than a recursion could handle.
  @Test func `Any number of query keys is possible`() throws {
    var languages = LanguageInterner()
    let patterns = try (0..<60).map { number in
      try RoutePattern("h:/x?" + (0..<60).map { "!k\(number)_\($0)" }.joined(separator: "&"))
    }
    let classes = try (patterns + [try RoutePattern("h:/x?a={:b|c}")]).map { pattern in
      RequestSet(try shapes(of: pattern, &languages)[0], pattern: pattern, &languages)
    }
    var search = WitnessSearch(
      inside: classes.suffix(1), outside: Array(classes.dropLast()), budget: 1_000_000)
    guard case .found(let draft) = search.run(&languages) else {
      Issue.record("nothing is found")
      return
    }
    // Each of the other request sets is excluded by one key.
    #expect(draft.items.count == 61 && draft.items.first?.key == Array("a".utf8))
  }

  /// The URLs of local files are compared in normal form, in which no segment is empty or has a `/`; those of other machines are not.
  @Test(
    arguments: [
      (["file:///{x:/a.b/}"], ["file:///{x:/a[^\\/]b/}"], nil),
      (["file://h/{x:/a.b/}"], ["file://h/{x:/a[^\\/]b/}"], "file://h/a%2Fb"),
      (["file://*/{x:/a.b/}"], ["file://*/{x:/a[^\\/]b/}"], "file://xx/a%2Fb"),
      (["file:///{x:/a.b/}", "file://*/{x}"], ["file:///{x:/a[^\\/]b/}"], nil),
      (["/{x:/a.b/}", "file:///{x}"], ["/{x:/a[^\\/]b/}"], nil),
      (["file:///a/{x...}"], ["file:///a/b"], "file:///a/xx"),
      (["file:///{x...}/a/b"], ["file:///x/a/b"], "file:///xx/a/b"),
      (["file:///{x...?}"], ["file:///{x}/{y...?}"], "file:///"),
      // An authority with a user is not local, and its host may be empty.
      (["file://{u}@/a%2Fb"], [], "file://x@/a%2Fb"),
    ] as [([String], [String], String?)])
  func `A witness for local files is in normal form`(
    inside: [String], outside: [String], expected: String?
  ) throws {
    var languages = LanguageInterner()
    func requests(_ text: String) throws -> [RequestSet] {
      let pattern = try RoutePattern(text)
      return try shapes(of: pattern, &languages).map { RequestSet($0, pattern: pattern, &languages) }
    }
    let rivals = try outside.flatMap(requests)
    var search = WitnessSearch(inside: try inside.compactMap { try requests($0).last }, outside: rivals)
    let outcome = search.run(&languages)
    switch outcome {
    case .found(let draft):
      #expect(draft.request.url == expected)
      for text in inside { #expect(try table([text]).match(draft.request) != nil) }
      for text in outside { #expect(try table([text]).match(draft.request) == nil) }
    case .none: #expect(expected == nil)
    case .undecided(let reason): Issue.record("\(reason)")
    }
  }

  @Test func `A URL that is too long is no witness`() throws {
    var languages = LanguageInterner()
    let patterns = try ["a", "b"].map { name in
      try RoutePattern("h:/x?\(name)=" + String(repeating: name, count: 40_000))
    }
    let classes = try patterns.map { pattern in
      RequestSet(try shapes(of: pattern, &languages)[0], pattern: pattern, &languages)
    }
    var search = WitnessSearch(inside: classes)
    guard case .undecided(.longURL) = search.run(&languages) else {
      Issue.record("no such URL can be matched")
      return
    }
  }
}

/// A pattern with one variant.
private struct Lone {
  let pattern: NaivePattern
  let shape: NaiveShape
  let own: RoutePattern

  static func random(_ random: inout SeededGenerator) throws -> Lone {
    while true {
      let pattern = NaivePattern.random(&random)
      let own = try pattern.read()
      let shapes = NaiveShape.all(of: pattern)
      guard shapes.count == 1, try PatternExpansion.shapes(of: own).count == 1 else { continue }
      return Lone(pattern: pattern, shape: shapes[0], own: own)
    }
  }

  func requests(_ languages: inout LanguageInterner) throws -> RequestSet {
    RequestSet(try shapes(of: own, &languages)[0], pattern: own, &languages)
  }
}
