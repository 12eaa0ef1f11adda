// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import RegularLanguages

@Suite struct `Regular languages` {
  @Test(arguments: [
    ("a|b", "[ab]"), ("(?:a*)*", "a*"), ("aa*", "a+"), ("a|ab|abb*", "ab*"), ("(?:a|b)*", "(?:a*b*)*"),
    ("[^\\s\\S]", "[^\\s\\S]a"),
  ])
  func `Equal languages have equal automata`(_ first: String, _ second: String) throws {
    let (first, second) = (try RegularLanguage(first), try RegularLanguage(second))
    #expect(first == second)
    #expect(first.hashValue == second.hashValue)
    #expect(first.automaton == second.automaton)
    #expect(first.relation(to: second) == .equal)
  }

  @Test func `An automaton is minimal`() throws {
    // One state for each residual language, and the dead state.
    #expect(try RegularLanguage("(?:a|b)*abb").automaton.stateCount == 4 + 1)
    #expect(try RegularLanguage("[ab]*a[ab]{3}").automaton.stateCount == 16 + 1)
    #expect(RegularLanguage.all.automaton.stateCount == 1 + 1)
  }

  @Test(arguments: [
    ("a", "a|b", RegularLanguage.Relation.narrower), ("a|b", "a", .wider), ("a|b", "b|c", .crossing),
    ("a", "b", .disjoint), ("[^\\s\\S]", "a", .narrower),
  ])
  func `Languages have an exact relation`(
    _ first: String, _ second: String, _ relation: RegularLanguage.Relation
  ) throws {
    let (first, second) = (try RegularLanguage(first), try RegularLanguage(second))
    #expect(first.relation(to: second) == relation)
    #expect(first.isSubset(of: second) == (relation == .narrower))
  }

  @Test func `The shortest text is readable`() throws {
    #expect(try RegularLanguage("[%a\\x01]{2}").shortestText == "aa")
    #expect(try RegularLanguage("x*y").commonText(with: RegularLanguage(".{3}")) == "xxy")
    #expect(try RegularLanguage("[^\\s\\S]").shortestText == nil)
    #expect(try RegularLanguage("a").commonText(with: RegularLanguage("b")) == nil)
  }

  @Test func `A language without the empty text`() throws {
    #expect(try RegularLanguage("a*").withoutEmptyText == RegularLanguage("a+"))
    #expect(RegularLanguage.all.withoutEmptyText == .anyText)
    #expect(try RegularLanguage("b").withoutEmptyText == RegularLanguage("b"))
  }

  /// Tests two languages that distinguish 33,000 scalars each way, by eight bits of their numbers.
  ///
  /// Each has only some hundred classes, but nearly every scalar is its own pair of classes.
  @Test(.computes) func `A product with more classes than their numbers can count is too large`() throws {
    let places: [UInt32] = [0x10000, 0x20000]
    func language(_ shifts: [UInt32]) throws -> RegularLanguage {
      let bits = (0..<8 as Range<UInt32>).map { bit in
        zip(places, shifts).flatMap { place, shift in
          (0..<33_000 as Range<UInt32>).filter { $0 >> (bit + shift) & 1 == 1 }.map {
            place + $0...place + $0
          }
        }
      }
      let sets = bits + [[places[0]...places[0] + 32_999]]
      return try RegularLanguage(.sequence(sets.map { .set(ScalarSet($0)) }))
    }
    let (first, second) = (try language([0, 8]), try language([8, 0]))
    let tooLarge = RegularLanguageError(.tooLarge)
    #expect(throws: tooLarge) { try first.intersection(second) }
    #expect(throws: tooLarge) { try first.union(second) }
    #expect(throws: tooLarge) { try first.subtracting(second) }
    #expect(first.commonText(with: second)?.unicodeScalars.count == 9)
  }

  /// Compares products, relations and set operations with the members of both languages among all short texts.
  @Test(.computes) func `Random languages agree with enumeration`() throws {
    var random = SeededGenerator(seed: 25)
    func expression(_ depth: Int) -> String {
      switch random.below(depth > 3 ? 3 : 7) {
      case 0: "a"
      case 1: "b"
      case 2: "[ab]"
      case 3: "(?:\(expression(depth + 1))|\(expression(depth + 1)))"
      case 4: "(?:\(expression(depth + 1)))*"
      case 5: "(?:\(expression(depth + 1))){1,2}"
      default: "\(expression(depth + 1))\(expression(depth + 1))"
      }
    }
    var texts = [""]
    for _ in 0..<6 { texts += texts.flatMap { [$0 + "a", $0 + "b"] } }
    texts = Array(Set(texts))
    for _ in 0..<200 {
      let written = (expression(0), expression(0))
      let (first, second) = (try RegularLanguage(written.0), try RegularLanguage(written.1))
      let (union, intersection) = (try first.union(second), try first.intersection(second))
      let difference = try first.subtracting(second)
      for text in texts {
        let (inFirst, inSecond) = (first.contains(text), second.contains(text))
        #expect(union.contains(text) == (inFirst || inSecond), "\(written) \(text)")
        #expect(intersection.contains(text) == (inFirst && inSecond), "\(written) \(text)")
        #expect(difference.contains(text) == (inFirst && !inSecond), "\(written) \(text)")
      }
      #expect(first.isSubset(of: second) == difference.isEmpty, "\(written)")
      #expect((first.relation(to: second) == .disjoint) == intersection.isEmpty, "\(written)")
      #expect(intersection.shortestText == first.commonText(with: second), "\(written)")
    }
  }
}
