import Foundation

/// A JSON Schema, for holding to it what programs print.
///
/// ```swift
/// let schema = JSONSchema("usher-open")
/// #expect(try await schema.complaints(about: [receipt.output]) == [])
/// ```
public struct JSONSchema: Hashable, Sendable {
  /// The folder of the schemas that are installed.
  public static let directory = "\(BuiltProducts.repository)/desktop/schemas"

  /// Where the schema is.
  public let path: String

  /// The schema of `desktop/schemas` that goes by `name`, as `usher-open`.
  public init(_ name: String) { path = "\(Self.directory)/\(name).schema.json" }

  /// The schema in the file at `path`; what it refers to is beside it.
  public init(path: String) { self.path = path }

  /// What is wrong with `texts`, each of them one value of JSON in one line; empty when all of them are as the schema says.
  ///
  /// All are looked at in one run of a validator, so many cost as little as one. A complaint is `NUMBER: PLACE: what`,
  /// counted from 1. Throws when the schema cannot be read, or is none.
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
