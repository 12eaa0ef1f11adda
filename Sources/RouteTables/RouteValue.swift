// SPDX-License-Identifier: Apache-2.0
/// The value of a capture, converted to its type.
///
/// ```swift
/// match?.values.map(\.value)                            // [.int(7), .string("edit")]
/// try table.generate("note", ["id": 7, "tab": "edit"])  // "notes://note/7?tab=edit"
/// ```
public enum RouteValue: Hashable, Sendable, CustomStringConvertible {
  /// The value of `{x}` and of every type whose values are texts.
  case string(String)
  /// The value of `{x:int}`.
  case int(Int64)
  /// The value of `{x:uint}`.
  case uint(UInt64)
  /// The value of `{x:bool}`.
  case bool(Bool)
  /// The value of a catch-all `{x...}` or a list `{x*}`: one text for each segment, label or item.
  case strings([String])

  /// The value as text; the texts of a list are joined by `/`.
  public var description: String {
    switch self {
    case .string(let text): text
    case .int(let value): String(value)
    case .uint(let value): String(value)
    case .bool(let value): String(value)
    case .strings(let texts): texts.joined(separator: "/")
    }
  }
}
