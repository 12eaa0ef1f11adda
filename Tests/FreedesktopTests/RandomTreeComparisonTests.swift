import Foundation
import Freedesktop
import Testing

/// Our answers against GIO's on thousands of random trees; `USHER_RANDOM_TREES` sets another number of them.
@Suite(
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gio"), "libglib2.0-bin is not installed"))
struct RandomTreeComparisonTests {
  static let count = ProcessInfo.processInfo.environment["USHER_RANDOM_TREES"].flatMap { UInt64($0) } ?? 2_400
  static let batch: UInt64 = 60

  private static func resolution(of type: String, by resolver: SchemeResolver) throws -> Resolution {
    let prefix = "x-scheme-handler/"
    if type.hasPrefix(prefix) {
      return resolver.resolve(try #require(URLScheme(String(type.dropFirst(prefix.count)))))
    }
    return resolver.resolve(try #require(MIMEType(type)))
  }

  @Test(arguments: Array(stride(from: 0, to: count, by: Int(batch))))
  func `Every tree gives the answer that GIO gives`(first: UInt64) throws {
    // Half the time goes into files, unless they are in memory.
    let memory = "/dev/shm"
    let folder = access(memory, W_OK) == 0 ? memory : FileManager.default.temporaryDirectory.path
    let root = folder + "/usher-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: root) }
    let trees = try (first..<min(first + Self.batch, Self.count)).map {
      try RandomTree(seed: $0, root: "\(root)/\($0)")
    }
    let answers = try GIOAnswers.ask(trees.map { .init(environment: $0.environment, types: $0.types) })
    try #require(answers.count == trees.count)
    for (tree, expected) in zip(trees, answers) {
      let directories = BaseDirectories(environment: tree.environment)
      let resolver = SchemeResolver(
        directories: directories, programs: ProgramSearch(path: tree.environment["PATH"]))
      for type in tree.types {
        let resolution = try Self.resolution(of: type, by: resolver)
        let ours = GIOAnswers.Answer(
          default: resolution.application?.id?.desktopFileName,
          registered: resolution.registered.map(\.desktopFileName))
        guard ours != expected[type] else { continue }
        let told = resolution.candidates.map(\.description).joined(separator: "\n")
        let names = Set(resolution.candidates.map(\.name)).compactMap(ApplicationID.init(desktopFileName:))
        let paths =
          names.flatMap(resolver.catalog.locations).map(\.path)
          + directories.applicationFolders.flatMap { folder in
            ["aliases", "subclasses"].map { folder + "/../mime/" + $0 }
          }
        let texts = paths.map {
          "\($0)\n\((try? String(contentsOfFile: $0, encoding: .utf8))?.debugDescription ?? "?")"
        }
        #expect(
          ours == expected[type], "seed \(tree.seed), \(type)\n\(told)\n\(texts.joined(separator: "\n"))")
      }
    }
  }
}
