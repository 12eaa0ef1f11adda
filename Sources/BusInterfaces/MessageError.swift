/// Why something that came over the bus, or as JSON, is not what its interface says.
///
/// `description` is the whole sentence a person sees. At the broker's door it becomes
/// `org.usher.Error.InvalidRequest`.
public struct MessageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// The key must be there.
    case missing
    /// The value has another type: what stands there, and what should.
    case wrongType(found: String, expected: String)
    /// The type is right and the value is not; the text says what is allowed.
    case wrongValue(allowed: String)
    /// Longer than `limit` bytes, in the encoding of the bus.
    case tooLarge(bytes: Int, limit: Int)
    /// More than `limit` arrays and dictionaries inside one another.
    case tooDeep(limit: Int)
    /// A whole number that does not fit 64 bits with sign.
    case integerOutOfRange
    /// NaN, an infinity, or a number too large to be finite.
    case notFinite
    /// U+0000, which no text on the bus can hold.
    case nulCharacter
    /// `{"$data": …}` without valid base64, or with other keys beside it.
    case badData
    /// The key `$data` in a dictionary: JSON could not tell it from data.
    case reservedKey
    /// Two entries under one key.
    case duplicateKey
    /// Bytes that are not UTF-8, or half of a surrogate pair.
    case invalidText(String)
    /// Not JSON; the text says why.
    case syntax(String)
  }

  /// Where in a JSON text, both from 1; the column counts characters.
  public struct Position: Hashable, Sendable {
    /// The line.
    public let line: Int
    /// The column.
    public let column: Int
    /// A place in a text.
    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// What is wrong.
  public let reason: Reason
  /// Which value, as `annotation.items[3]`; empty for the whole.
  public let path: String
  /// Where in the JSON text, for what the text itself gets wrong.
  public let position: Position?

  /// An error at `path`.
  public init(_ reason: Reason, at path: String = "", position: Position? = nil) {
    self.reason = reason
    self.path = path
    self.position = position
  }

  /// The same error seen from the value that holds `outer`: a key, or an index in brackets.
  func inside(_ outer: String) -> MessageError {
    guard !outer.isEmpty else { return self }
    let joined = path.isEmpty || path.hasPrefix("[") ? outer + path : "\(outer).\(path)"
    return MessageError(reason, at: joined, position: position)
  }

  /// The sentence a person reads.
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
    case .wrongType(let found, let expected): "this is \(found), it must be \(expected)"
    case .wrongValue(let allowed): "the value must be \(allowed)"
    case .tooLarge(let bytes, let limit): "\(bytes) bytes are too many, the limit is \(limit)"
    case .tooDeep(let limit): "nested too deep, the limit is \(limit) arrays and dictionaries"
    case .integerOutOfRange: "the integer does not fit 64 bits; write it as a string"
    case .notFinite: "NaN and infinity cannot be carried, nor numbers too large to be finite"
    case .nulCharacter: "text cannot hold U+0000; carry it as data"
    case .badData: "data is {\"$data\": \"…\"} with base64 of RFC 4648 and no other key"
    case .reservedKey: "the key $data is reserved for data; use another name"
    case .duplicateKey: "this key stands twice in one dictionary"
    case .invalidText(let why): "the text is not Unicode: \(why)"
    case .syntax(let why): "this is not JSON: \(why)"
    }
  }
}
