// SPDX-License-Identifier: Apache-2.0
public import DBus

extension PropertyList {
  /// The key for data as base64 in JSON: `{"$data": "AAEC"}`.
  static let dataKey = "$data"

  /// The value as JSON on one line, with sorted keys.
  ///
  /// Integers have their full 64 bits, and reals a point: `1` and `1.0` remain distinct. Data is `{"$data":
  /// "base64"}`, and a date is its text.
  public var json: String { JSONText.line(variant) }

  /// Parses a value from JSON, either ``json`` or text that a user wrote.
  ///
  /// A date is read as a string. `null` is not a value: omit the key instead.
  /// - Throws: the errors of ``validate(at:)``, and `syntax`, `invalidText`, `integerOutOfRange`, `badData` and
  ///   `duplicateKey`, with line and column for an error in the text itself.
  public init(json text: String, at path: String = "") throws(MessageError) {
    do { self = try JSONReader.read(text.utf8) } catch { throw error.inside(path) }
    try validate(at: path)
  }
}

extension [String: Variant] {
  /// Parses the keys of a message from a JSON object; each value is validated later by the rule of its key.
  /// - Parameter leavingOutNulls: `true` to read a key of the message whose value is `null` as absent, not as an error.
  /// - Throws: ``MessageError``, with line and column if the text is not JSON.
  public init(json text: String, leavingOutNulls: Bool = false) throws(MessageError) {
    let value = try JSONReader.read(text.utf8, leavingOutNulls: leavingOutNulls)
    guard let entries = value.dictionary else {
      throw MessageError(.wrongType(found: "another value", expected: "an object"))
    }
    self = entries.mapValues(\.variant)
  }
}
