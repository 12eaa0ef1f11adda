// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
import RegularLanguages
import TestSupport
import Testing

@testable import RouteTables

/// Tests that the precedence of labels, segments and values is an order.
///
/// With a cycle of three, a wider one would win.
@Suite struct `The order of components` {
  @Test func `A case-insensitive text precedes patterns with the same end, in any table`() throws {
    var builder = RouteTableBuilder<Int>()
    let options = RouteOptions(ignoresCase: true)
    for (number, pattern) in ["/q", "/{x}é", "/xAxé"].enumerated() {
      try builder.add(pattern, id: "r\(number)", action: number, options: options)
    }
    #expect(try builder.build().match("/xaxé")?.action == 2)
  }

  @Test func `The order has no cycle, and narrower patterns come first`() throws {
    var languages = LanguageInterner()
    let places = try Self.places(&languages)
    var isFirst: [[Bool]] = []
    var isEqual: [[Bool]] = []
    for one in places {
      let comesFirst = places.map { languages.precedes(one, $0) }
      isFirst.append(comesFirst)
      let relations = places.map { languages.relation(one, $0) }
      isEqual.append(relations.map { $0 == .equal })
      for (other, relation) in relations.enumerated() where relation == .narrower {
        #expect(comesFirst[other], "\(one) in \(places[other])")
      }
    }
    for one in places.indices {
      for other in places.indices {
        #expect(
          isFirst[one][other] != isFirst[other][one] || isEqual[one][other], "\(places[one]) \(places[other])"
        )
        #expect(!(isFirst[one][other] && isEqual[one][other]), "\(places[one]) is \(places[other])")
        for third in places.indices where isFirst[one][other] && isFirst[other][third] && !isEqual[one][third]
        {
          #expect(isFirst[one][third], "\(places[one]), \(places[other]), \(places[third])")
        }
      }
    }
  }

  /// Returns literals, case-insensitive literals, and languages with these letters, some of which accept no random text.
  private static func places(_ languages: inout LanguageInterner) throws -> [ComponentMatcher] {
    var random = SeededGenerator(seed: 11)
    let pieces = ["a", "q", "A", "1", "é", "€", "😀", "-", "xyz"]
    var places: [ComponentMatcher] = [
      .language(LanguageInterner.anything), .language(LanguageInterner.anyText),
    ]
    for _ in 0..<24 {
      let text = (0...random.below(3)).map { _ in random.pick(pieces) }.joined()
      places.append(.literal(Array(text.utf8)))
      places.append(.folded(Array(text.utf8).map(\.foldedASCII)))
      let expressions = ["\(text).*", ".+\(text)", "\(text)|q", "[aq1]\(text)", "(\(text)){1,3}"]
      places.append(.language(languages.intern(try RegularLanguage(random.pick(expressions)))))
    }
    return places.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
