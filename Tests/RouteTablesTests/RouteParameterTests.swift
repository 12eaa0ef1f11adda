// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
import RegularLanguages
import Foundation
import TestSupport
import Testing

@testable import RouteTables

private enum Tab: String, CaseIterable, RouteParameter { case edit, view, both = "a/b|c" }
private enum Level: Int, CaseIterable, RouteParameter {
  case lowest = -1
  case low = 0
  case high = 10
}
private struct Nothing: RawRepresentable, CaseIterable, RouteParameter {
  static let allCases: [Nothing] = []
  let rawValue: String
}

private struct Day: LosslessStringConvertible, RouteParameter, Equatable {
  static let routeType = RouteType.date
  let description: String
  init(_ description: String) { self.description = description }
}

/// A type whose conversions from and to text differ from those of the standard library.
private struct Identity: RouteParameter, Equatable {
  static let routeType = RouteType.uuid
  let uuid: UUID

  init?(routeText: String) {
    guard let uuid = UUID(uuidString: routeText) else { return nil }
    self.uuid = uuid
  }
  var routeText: String { uuid.uuidString.lowercased() }
}

@Suite struct `Swift types of captures` {
  /// Checks that every text of the type converts to a value, whose text is of the type and converts to an equal value.
  private func check<Parameter: RouteParameter & Equatable>(
    _ type: Parameter.Type, isCanonical: Bool = true, seed: UInt64 = 1
  ) throws {
    var random = SeededGenerator(seed: seed)
    let language = try Parameter.routeType.language
    for _ in 0..<300 {
      let text = language.randomText(&random)
      #expect(language.contains(text))
      let value = try #require(Parameter(routeText: text), "\(type): \(text)")
      #expect(language.contains(value.routeText) && Parameter(routeText: value.routeText) == value, "\(text)")
      if isCanonical { #expect(value.routeText.utf8.elementsEqual(text.utf8), "\(type): \(text)") }
    }
  }

  @Test func `convert every text that their type matches`() throws {
    try check(String.self)
    try check(Bool.self)
    try check(Int.self)
    try check(Int64.self)
    try check(UInt.self)
    try check(UInt64.self)
    try check(Tab.self)
    try check(Level.self)
    try check(Day.self)
    // Upper-case digits are other texts of an equal value.
    try check(Identity.self, isCanonical: false)
    for value in [Int64.min, -1, 0, .max] { #expect(Int64(routeText: value.routeText) == value) }
    for text in ["+7", "07", "-0", "", " 7", "9223372036854775808"] { #expect(Int(routeText: text) == nil) }
  }

  @Test func `that are enums take the texts of their cases, and no others`() throws {
    #expect(try Tab.routeType.name == "edit|view|a%2Fb%7Cc")
    #expect(try Level.routeType.name == "-1|0|10")
    let pattern = try RoutePattern(
      "/{t:Tab}/{l:Level?}", types: [RouteType(Tab.self), RouteType(Level.self)])
    #expect(pattern.description == "/{t:Tab}/{l:Level?}")
    let table = try RouteTable<Int> { routes throws(RouteTableError) in
      try routes.add(
        "/{t:Tab}/{l:Level?}", id: "r", action: 1, types: [RouteType(Tab.self), RouteType(Level.self)])
    }
    for (url, tab, level) in [
      ("/edit", Tab.edit, nil), ("/a%2Fb%7Cc/10", .both, .high), ("/view/-1", .view, .lowest),
    ] as [(String, Tab, Level?)] {
      let match = try #require(try table.match(url))
      #expect(match["t", as: Tab.self] == tab && match["l", as: Level.self] == level)
      #expect(match["l", as: Level?.self] == .some(level))
    }
    for url in ["/Edit", "/edit/1", "/both", "/edit/+10"] { #expect(try table.match(url) == nil) }
    // The name of the type, written in a pattern, has an equal meaning.
    let written = try RoutePattern("/{t:\(Tab.routeType.name)}")
    #expect(try written.captures.map(\.type) == [Tab.routeType])
    #expect(throws: RouteTableError.self) { try Nothing.routeType }
  }

  @Test func `are read from a match by the name of the capture`() throws {
    let table = try RouteTable<Int> { routes throws(RouteTableError) in
      try routes.add("/{n}/{p:int...}?x={x}&y={y=7}&l={l:int*?}", id: "r", action: 1)
    }
    let match = try #require(try table.match("/+7/1/-2?x=true"))
    #expect(match["n", as: Int.self] == nil && match["n", as: String.self] == "+7")
    #expect(match["p", as: [Int].self] == [1, -2] && match["p", as: [Bool].self] == nil)
    #expect(match["x", as: Bool.self] == true && match["y", as: UInt.self] == 7)
    #expect(match["l", as: [Int].self] == [] && match["l", as: [Int]?.self] == .some(nil))
    #expect(match["z", as: String.self] == nil && match["z", as: String?.self] == nil)
    #expect(match.captureTexts == [["+7"], ["1", "-2"], ["true"], ["7"], nil])
  }
}

extension RegularLanguage {
  /// Returns a random text of the language, which must not be empty.
  func randomText(_ random: inout SeededGenerator) -> String {
    while true {
      var (state, text) = (1, String.UnicodeScalarView())
      while text.count < 200 {
        let ways = automaton.ways(from: state)
        if automaton.isAccepting[state], ways.isEmpty || random.oneIn(4) { return String(text) }
        guard !ways.isEmpty else { break }
        let way = random.pick(ways)
        // The bounds of ranges are the most error-prone values.
        let range = random.pick(way.set.ranges)
        let number = random.oneIn(3) ? range.upperBound : UInt32.random(in: range, using: &random)
        guard let scalar = Unicode.Scalar(number) else { break }
        text.append(scalar)
        state = way.target
      }
    }
  }
}
