// SPDX-License-Identifier: Apache-2.0
import Foundation
import Freedesktop
import TestSupport
import Testing

/// Comparisons of the resolver with GIO on thousands of random trees.
///
/// `USHER_RANDOM_TREES=20000` sets their number, and `USHER_RANDOM_TREES=100-200` selects these seeds.
@Suite(
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gio"), "libglib2.0-bin is not installed"))
struct RandomTreeComparisonTests {
  static let seeds = RandomTree.seeds(otherwise: 2_400)
  static let batch: UInt64 = 60

  @Test(arguments: Array(stride(from: seeds.lowerBound, to: seeds.upperBound, by: Int(batch))))
  func `Every random tree has the same result as in GIO`(first: UInt64) async throws {
    #expect(try await BlockingWork.run { try Self.differences(from: first) } == [])
  }

  /// Returns the unexpected differences in the trees of a batch.
  private static func differences(from first: UInt64) throws -> [String] {
    var differences: [String] = []
    let root = RandomTree.directory
    defer { try? FileManager.default.removeItem(atPath: root) }
    let trees = try (first..<min(first + batch, seeds.upperBound)).map {
      try RandomTree(seed: $0, root: "\(root)/\($0)")
    }
    let answers = try GIOAnswers.ask(trees.map { .init(environment: $0.environment, types: $0.types) })
    guard answers.count == trees.count else { return ["\(answers.count) answers for \(trees.count) trees"] }
    for (tree, expected) in zip(trees, answers) {
      let directories = BaseDirectories(environment: tree.environment)
      let programs = ProgramSearch(path: tree.environment["PATH"])
      let resolver = ApplicationResolver(directories: directories, programs: programs)
      for type in tree.types {
        let resolution = try resolution(of: type, by: resolver)
        let single = ApplicationResolver(directories: directories, programs: programs, isForOneAnswer: true)
        let answer = try self.resolution(of: type, by: single)
        if answer != resolution {
          differences.append("seed \(tree.seed), \(type), by itself: \(answer) \(resolution)\n\(tree.texts)")
        }
        let ours = GIOAnswers.Answer(
          default: resolution.application?.id?.desktopFileName,
          registered: resolution.registered.map(\.desktopFileName))
        guard ours != expected[type] else { continue }
        let reported = resolution.candidates.map(\.description).joined(separator: "\n")
        let both = "\(ours) \(expected[type].map { "\($0)" } ?? "nothing")"
        differences.append("seed \(tree.seed), \(type): \(both)\n\(reported)\n\(tree.texts)")
      }
    }
    return differences
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `The comparison with libgio uses the calls of gio mime`(seed: UInt64) async throws {
    let root = RandomTree.directory
    defer { try? FileManager.default.removeItem(atPath: root) }
    let tree = try RandomTree(seed: seed, root: root)
    let (answers, printed) = try await BlockingWork.run {
      let answers = try GIOAnswers.ask([.init(environment: tree.environment, types: tree.types)]).first
      return (answers ?? [:], try tree.types.map { try GIOAnswers.printed(of: $0, in: tree.environment) })
    }
    for (type, printed) in zip(tree.types, printed) {
      #expect(printed == answers[type], "\(type)\n\(tree.texts)")
    }
  }

  private static func resolution(of type: String, by resolver: ApplicationResolver) throws -> Resolution {
    let prefix = "x-scheme-handler/"
    if type.hasPrefix(prefix), let scheme = URLScheme(String(type.dropFirst(prefix.count))) {
      return resolver.resolve(scheme)
    }
    guard let type = MIMEType(type) else { throw TestSupportError("\(type) is no type") }
    return resolver.resolve(type)
  }
}
