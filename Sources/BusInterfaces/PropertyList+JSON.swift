public import DBus

extension PropertyList {
  /// The key under which JSON has data as base64: `{"$data": "AAEC"}`.
  static let dataKey = "$data"

  /// The value as JSON on one line, keys sorted.
  ///
  /// Integers keep their 64 bits and reals their point: `1` and `1.0` stay apart. Data is
  /// `{"$data": "base64"}`, a date its text.
  public var json: String { JSONText.line(variant) }

  /// Reads a value from JSON: ``json`` and whatever a person may write in its place.
  ///
  /// A date is read as the string it is. `null` is no value: leave the key out.
  /// - Throws: what ``validate(at:)`` throws, and `syntax`, `invalidText`, `integerOutOfRange`, `badData` and
  ///   `duplicateKey`, with line and column where the text itself is at fault.
  public init(json text: String, at path: String = "") throws(MessageError) {
    do { self = try JSONReader.read(text.utf8) } catch { throw error.inside(path) }
    try validate(at: path)
  }
}

extension [String: Variant] {
  /// Reads a message's keys from a JSON object; each value is held to its key's own rule later.
  /// - Throws: ``MessageError``, with line and column where the text is no JSON.
  public init(json text: String) throws(MessageError) {
    let value = try JSONReader.read(text.utf8)
    guard let entries = value.dictionary else {
      throw MessageError(.wrongType(found: "another value", expected: "an object"))
    }
    self = entries.mapValues(\.variant)
  }
}
