// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A JSON Schema that validates the output of programs.
///
/// ```swift
/// let schema = JSONSchema("usher-open")
/// #expect(try await schema.diagnostics(about: [receipt.output]) == [])
/// ```
public struct JSONSchema: Hashable, Sendable {
  /// The directory of the installed schemas.
  public static let directory = "\(BuiltProducts.repository)/desktop/schemas"

  /// The path of the schema.
  public let path: String

  /// Creates the schema of `desktop/schemas` with a name such as `usher-open`.
  public init(_ name: String) { path = "\(Self.directory)/\(name).schema.json" }

  /// Creates the schema in the file at `path`; the schemas to which it refers are in the same directory.
  public init(path: String) { self.path = path }

  /// Validates `texts`, each of them one JSON value in one line, and returns the diagnostics; empty if all are valid.
  ///
  /// One run of a validator checks all texts, so that many cost as little as one. A diagnostic is `NUMBER: LOCATION:
  /// message`, with numbers from 1. Throws if the schema cannot be read or is invalid.
  public func diagnostics(about texts: [String]) async throws(TestSupportError) -> [String] {
    let lines = texts.map { $0.trimmingCharacters(in: .newlines) }
    if let index = lines.firstIndex(where: { $0.contains("\n") || $0.isEmpty }) {
      return ["\(index + 1): all of it: not one line: \(lines[index])"]
    }
    let result = try await Command.run(
      "\(BuiltProducts.repository)/scripts/validate-json", [path],
      input: lines.map { $0 + "\n" }.joined())
    guard result.errorOutput.isEmpty, result.succeeded == result.lines.isEmpty else {
      throw TestSupportError("\(result)")
    }
    return result.lines
  }
}
