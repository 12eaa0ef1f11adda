// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Expected output texts, stored in `Golden/`.
///
/// `USHER_WRITE_GOLDEN=1 swift test --filter UsherTests` regenerates them; review the changes before committing them.
enum Golden {
  private static let directory = "\(BuiltProducts.repository)/Tests/UsherTests/Golden"

  /// Compares `text` with the file of that name.
  static func check(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws
  {
    let path = "\(directory)/\(name)"
    if ProcessInfo.processInfo.environment["USHER_WRITE_GOLDEN"] != nil {
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
    let kept = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    #expect(kept == text, "USHER_WRITE_GOLDEN=1 writes \(name) anew", sourceLocation: sourceLocation)
  }

  /// Returns the files of a directory that no test compared.
  static func left(in directory: String, but names: Set<String>) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: "\(Self.directory)/\(directory)")).subtracting(
      names)
  }
}
