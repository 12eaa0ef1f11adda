import Foundation
import TestSupport
import Testing

/// Texts as people see them, kept in `Golden/`.
///
/// `USHER_WRITE_GOLDEN=1 swift test --filter UsherTests` writes them anew; read what changed before it is committed.
enum Golden {
  private static let directory = "\(BuiltProducts.repository)/Tests/UsherTests/Golden"

  /// Holds `text` to the file of that name.
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

  /// Which files of a folder nothing was held to.
  static func left(in directory: String, but names: Set<String>) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: "\(Self.directory)/\(directory)")).subtracting(
      names)
  }
}
