// SPDX-License-Identifier: Apache-2.0
import Foundation

extension MarkdownPage.Block {
  /// A Boolean value that is `true` if the block is a package manifest, which is not code of a target.
  public var isManifest: Bool { lines.first?.hasPrefix("// swift-tools-version") == true }

  /// The manifest as the package manager parses it, as JSON.
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
