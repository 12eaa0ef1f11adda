import Foundation

extension MarkdownPage.Block {
  /// Whether the block is a package's manifest, which is no code of a target.
  public var isManifest: Bool { lines.first?.hasPrefix("// swift-tools-version") == true }

  /// What the package manager reads in the block, as JSON.
  public var dumpedManifest: String {
    get async throws {
      let directory = try TemporaryDirectory()
      try directory.write(text, to: "Package.swift")
      try directory.write("", to: "Sources/notes/main.swift")
      return try await Command.run(
        "swift", ["package", "dump-package"], environment: ProcessInfo.processInfo.environment,
        directory: directory.path
      ).orThrow().output
    }
  }
}
