// SPDX-License-Identifier: Apache-2.0
/// An error in a message from the bus or in JSON that does not conform to its interface.
///
/// `description` is a complete sentence for users. The broker reports it as `org.usher.Error.InvalidRequest`.
public struct MessageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error.
  public enum Reason: Hashable, Sendable {
    /// A required key is missing.
    case missing
    /// The value has another type than expected.
    case wrongType(found: String, expected: String)
    /// The value is not allowed; the text describes the allowed values.
    case wrongValue(allowed: String)
    /// The value is longer than `limit` bytes, in the encoding of the bus.
    case tooLarge(bytes: Int, limit: Int)
    /// More than `limit` arrays and dictionaries are nested.
    case tooDeep(limit: Int)
    /// The value is `null`, which no type of the bus can represent.
    case null
    /// An integer does not fit a signed 64-bit integer.
    case integerOutOfRange
    /// A number is NaN, an infinity, or too large to be finite.
    case notFinite
    /// A text contains U+0000, which is not allowed on the bus.
    case nulCharacter
    /// A `{"$data": …}` has invalid base64, or other keys.
    case badData
    /// A dictionary has the key `$data`, which JSON could not distinguish from data.
    case reservedKey
    /// A dictionary has two entries with one key.
    case duplicateKey
    /// A text is not UTF-8, or has half of a surrogate pair.
    case invalidText(String)
    /// The text is not JSON; with the reason.
    case syntax(String)
  }

  /// A position in a JSON text, both numbers from 1; the column counts characters.
  public struct Position: Hashable, Sendable {
    /// The line.
    public let line: Int
    /// The column.
    public let column: Int
    /// Creates a position.
    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// The kind of the error.
  public let reason: Reason
  /// The path of the value, such as `annotation.items[3]`; empty for the whole message.
  public let path: String
  /// The position in the JSON text, for an error in the text itself; otherwise `nil`.
  public let position: Position?

  /// Creates an error at `path`.
  public init(_ reason: Reason, at path: String = "", position: Position? = nil) {
    self.reason = reason
    self.path = path
    self.position = position
  }

  /// Returns the error with `outer`, a key or an index in brackets, in front of its path.
  func inside(_ outer: String) -> MessageError {
    guard !outer.isEmpty else { return self }
    let joined = path.isEmpty || path.hasPrefix("[") ? outer + path : "\(outer).\(path)"
    return MessageError(reason, at: joined, position: position)
  }

  /// The error as a sentence for users.
  public var description: String {
    var place = path
    if let position {
      let inText = "line \(position.line), column \(position.column)"
      place = path.isEmpty ? inText : "\(path), \(inText)"
    }
    return place.isEmpty ? reason.sentence : "\(place): \(reason.sentence)"
  }
}

extension MessageError.Reason {
  fileprivate var sentence: String {
    switch self {
    case .missing: "the key is missing"
    case .wrongType(let found, let expected): "this is \(found), but it must be \(expected)"
    case .wrongValue(let allowed): "the value must be \(allowed)"
    case .tooLarge(let bytes, let limit): "\(bytes) bytes exceed the limit of \(limit)"
    case .tooDeep(let limit): "nested too deeply; the limit is \(limit) levels of arrays and dictionaries"
    case .null: "null is not allowed; write another value, or omit it"
    case .integerOutOfRange:
      "the integer is outside the range of a signed 64-bit integer; write it as a string"
    case .notFinite: "NaN, infinity and numbers beyond the range of a double are not allowed"
    case .nulCharacter: "text must not contain U+0000; write it as data"
    case .badData: "write data as {\"$data\": \"BASE64\"} (RFC 4648), with no other key"
    case .reservedKey: "the key $data is reserved for data; use another name"
    case .duplicateKey: "the key occurs twice"
    case .invalidText(let why): "the text is not Unicode: \(why)"
    case .syntax(let why): "invalid JSON: \(why)"
    }
  }
}
