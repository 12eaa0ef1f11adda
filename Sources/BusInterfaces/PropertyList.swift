/// A value that an annotation, a payload or a reply can carry.
///
/// The cases are those of Apple's property lists. Over the bus and as JSON a date is the text of RFC 3339, so
/// what was sent as ``date(_:)`` is read as ``string(_:)``; ``dateTime`` answers for both.
///
/// ```swift
/// let annotation: PropertyList = ["from": "demo", "page": 7, "read": true]
/// annotation["page"]?.integer   // 7
/// annotation.json               // {"from":"demo","page":7,"read":true}
/// ```
///
/// A value may be built in any shape; what leaves or enters the process is held to ``validate(at:)``.
public indirect enum PropertyList: Hashable, Sendable {
  /// Text without U+0000.
  case string(String)
  /// A whole number of 64 bits, with sign.
  case integer(Int64)
  /// A finite number; `1.0` stays apart from the integer `1`.
  case real(Double)
  /// True or false.
  case boolean(Bool)
  /// Bytes.
  case data([UInt8])
  /// A moment.
  case date(DateTime)
  /// Values in order.
  case array([PropertyList])
  /// Values by name.
  case dictionary([String: PropertyList])
}

extension PropertyList {
  /// The text, else `nil`.
  public var string: String? {
    switch self {
    case .string(let text): text
    case .date(let date): date.text
    default: nil
    }
  }

  /// The whole number, else `nil`.
  public var integer: Int64? {
    guard case .integer(let number) = self else { return nil }
    return number
  }

  /// The number, converted where it is an integer, else `nil`.
  public var real: Double? {
    switch self {
    case .real(let number): number
    case .integer(let number): Double(exactly: number)
    default: nil
    }
  }

  /// The truth, else `nil`.
  public var boolean: Bool? {
    guard case .boolean(let truth) = self else { return nil }
    return truth
  }

  /// The bytes, else `nil`.
  public var data: [UInt8]? {
    guard case .data(let bytes) = self else { return nil }
    return bytes
  }

  /// The moment of a date, or of a string that spells one, else `nil`.
  public var dateTime: DateTime? {
    switch self {
    case .date(let date): date
    case .string(let text): DateTime(text)
    default: nil
    }
  }

  /// The values of an array, else `nil`.
  public var array: [PropertyList]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The entries of a dictionary, else `nil`.
  public var dictionary: [String: PropertyList]? {
    guard case .dictionary(let entries) = self else { return nil }
    return entries
  }

  /// The entry of a dictionary, else `nil`.
  public subscript(key: String) -> PropertyList? { dictionary?[key] }
}

extension PropertyList: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A string.
  public init(stringLiteral text: String) { self = .string(text) }
  /// An integer.
  public init(integerLiteral number: Int64) { self = .integer(number) }
  /// A real.
  public init(floatLiteral number: Double) { self = .real(number) }
  /// A boolean.
  public init(booleanLiteral truth: Bool) { self = .boolean(truth) }
  /// An array.
  public init(arrayLiteral elements: PropertyList...) { self = .array(elements) }
  /// A dictionary; of two equal keys the last one counts.
  public init(dictionaryLiteral entries: (String, PropertyList)...) {
    self = .dictionary(Dictionary(entries) { _, last in last })
  }
}
