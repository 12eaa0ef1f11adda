import TestSupport
import Testing

@testable import RouteTables

@Suite struct RequestSearchTests {
  /// What is found is inside and not outside; where nothing is found, no URL of many is.
  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func aSearchIsNeverWrong(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (found, none, undecided) = (0, 0, 0)
    for _ in 0..<600 {
      let inside = try (0..<Int.random(in: 1...2, using: &random)).map { _ in try Lone.random(&random) }
      let outside = try (0..<Int.random(in: 0...3, using: &random)).map { _ in try Lone.random(&random) }
      var languages = LanguageTable()
      var search = RequestSearch(
        inside: try inside.map { try $0.requests(&languages) },
        outside: try outside.map { try $0.requests(&languages) })
      let names = "inside \(inside.map(\.pattern.text)) outside \(outside.map(\.pattern.text))"
      switch search.run(&languages) {
      case .found(let request):
        found += 1
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

  /// `https://h/1` is `/1` to one and `h/1` to the other: no request here shows it, and none must be ruled out.
  @Test func aHostThatIsASegmentToOneIsNotRuledOut() throws {
    var languages = LanguageTable()
    let patterns = [
      try RoutePattern("/{a:int}"),
      try RoutePattern("https://h/{a}", options: RouteOptions(authority: .segment)),
    ]
    let classes = try patterns.map { pattern in
      RequestClass(try shapes(of: pattern, &languages)[0], pattern, &languages)
    }
    var search = RequestSearch(inside: classes)
    guard case .undecided = search.run(&languages) else {
      Issue.record("told to be the one or the other")
      return
    }
  }
}

/// A pattern of one shape.
private struct Lone {
  let pattern: NaivePattern
  let shape: NaiveShape
  let own: RoutePattern

  static func random(_ random: inout SeededGenerator) throws -> Lone {
    while true {
      let pattern = NaivePattern.random(&random)
      let own = try pattern.read()
      let shapes = NaiveShape.all(of: pattern)
      guard shapes.count == 1, try ShapeExpansion.shapes(of: own).count == 1 else { continue }
      return Lone(pattern: pattern, shape: shapes[0], own: own)
    }
  }

  func requests(_ languages: inout LanguageTable) throws -> RequestClass {
    RequestClass(try shapes(of: own, &languages)[0], own, &languages)
  }
}
