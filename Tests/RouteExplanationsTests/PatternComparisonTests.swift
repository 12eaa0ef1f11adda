// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
import Foundation
import TestSupport
import Testing

@testable import RouteExplanations
@testable import RouteTables

/// Comparisons of the explanation's matcher with the index, which uses a different algorithm.
///
/// `ROUTE_FUZZ_ROUNDS` sets the number of patterns for each seed, and `ROUTE_FUZZ_SEED` selects other seeds.
@Suite struct `A variant compared by component` {
  private static let rounds = Int(ProcessInfo.processInfo.environment["ROUTE_FUZZ_ROUNDS"] ?? "") ?? 40
  private static let seed = UInt64(ProcessInfo.processInfo.environment["ROUTE_FUZZ_SEED"] ?? "") ?? 0

  /// The URLs of some small parts; a few of them are invalid.
  private static let urls = ["", "a:", "https:"].flatMap { scheme in
    ["", "//h", "//u@h:8080", "//a.h", "//", "//h."].flatMap { host in
      ["", "/", "/a", "a/b", "/A//", "/b/7/a", "/a%2Fb/./7", "/a/b/a/7"].flatMap { path in
        ["", "?k=1", "?k&l=a#f", "?m+n=x+y&k=-1&k=a", "#1"].map { scheme + host + path + $0 }
      }
    }
  }

  /// Returns the index of a single variant.
  private func index(
    of form: PatternVariant, _ pattern: RoutePattern, _ conditions: [RouteCondition]
  ) -> RouteIndex {
    let location = SourceLocation(file: "test", line: 1)
    let record = RouteRecord(
      id: "r", owner: "", patterns: [pattern], location: location, rank: .user, conditions: conditions,
      winsOver: [], patternLocations: [location], directory: 0, generates: true, secretCaptures: [])
    var tree = RouteTrie()
    let shape = RouteVariant(
      form, of: pattern, route: 0, index: 0, conditions: conditions, languages: &tree.languages)
    tree.insert(shape, of: pattern)
    return RouteIndex(tree, order: [0], routes: [record])
  }

  @Test(.computes, arguments: 1...3 as ClosedRange<UInt64>)
  func `has no mismatch exactly if the index matches it`(seed: UInt64) throws {
    var random = SeededGenerator(seed: Self.seed &* 1_000 &+ 70 + seed)
    var (fitting, failing, seen) = (0, 0, 0)
    for _ in 0..<Self.rounds {
      let naive = NaivePattern.random(&random)
      let pattern = try naive.read()
      let shapes = NaiveShape.all(of: naive)
      let asked = random.oneIn(4) ? [try RouteCondition("source", matching: "x|y?")] : []
      let own = (0..<30).map { number in
        var url = number % 3 == 0 ? NaiveURL.random(&random) : .filling(random.pick(shapes), &random)
        return url.text(&random)
      }
      for form in try PatternExpansion.shapes(of: pattern) {
        let index = index(of: form, pattern, asked)
        for url in own + Self.urls {
          let context = random.oneIn(3) ? [:] : ["source": random.pick(["x", "y", "z"])]
          var found = FoundRoute()
          guard let isFound = try? index.find(url.utf8.span, context: context, found: &found) else {
            #expect(throws: RouteTableError.self, "\(url)") { try DecodedURL(url) }
            continue
          }
          let reading = try DecodedURL(url)
          let fit = PatternComparison(
            reading, pattern: pattern, form: form, conditions: asked, context: context, maxMismatches: 2)
          if isFound { fitting += 1 } else { failing += 1 }
          #expect(
            (fit.mismatchCount == 0) == isFound,
            "\(url) \(context) in \(pattern) \(naive.optionNames) as \(form): \(fit.mismatches.map(\.place))")
          #expect((fit.mismatchCount == 0) == fit.mismatches.isEmpty)
          // The quick comparison finds only mismatches that the complete one finds.
          let whole = PatternComparison(
            reading, pattern: pattern, form: form, conditions: asked, context: context, maxMismatches: .max)
          let glance = form.misfitsInFront(of: reading)
          #expect(glance <= whole.mismatches.count { $0.isInFront }, "\(url) in \(pattern) as \(form)")
          #expect(!isFound || form.mayTakePath(of: reading), "\(url) in \(pattern) as \(form)")
          if glance > 0 || !form.mayTakePath(of: reading) { seen += 1 }
        }
      }
    }
    #expect(fitting > 300 && failing > 5_000 && seen > 2_000, "\(fitting) \(failing) \(seen)")
  }
}

extension PatternComparison.Mismatch {
  /// A Boolean value that is `true` if the component is between the scheme and the path.
  fileprivate var isInFront: Bool {
    switch place {
    case .opening, .user, .host, .label, .port: true
    default: false
    }
  }
}
