// SPDX-License-Identifier: Apache-2.0
/// A value of an annotation, a payload or a reply.
///
/// The cases are those of Apple's property lists. On the bus and in JSON a date is the text of RFC 3339, so a value
/// sent as ``date(_:)`` is received as ``string(_:)``; ``dateTime`` reads both.
///
/// ```swift
/// let annotation: PropertyList = ["from": "demo", "page": 7, "read": true]
/// annotation["page"]?.integer   // 7
/// annotation.json               // {"from":"demo","page":7,"read":true}
/// ```
///
/// A value may be constructed in any shape; ``validate(at:)`` is applied when it enters or leaves the process.
public indirect enum PropertyList: Hashable, Sendable {
  /// Text without U+0000.
  case string(String)
  /// A signed 64-bit integer.
  case integer(Int64)
  /// A finite number; `1.0` is distinct from the integer `1`.
  case real(Double)
  /// A Boolean value.
  case boolean(Bool)
  /// Bytes.
  case data([UInt8])
  /// A date and time.
  case date(DateTime)
  /// An array of values.
  case array([PropertyList])
  /// A dictionary of values.
  case dictionary([String: PropertyList])
}

extension PropertyList {
  /// The text of a string or a date; otherwise `nil`.
  public var string: String? {
    switch self {
    case .string(let text): text
    case .date(let date): date.text
    default: nil
    }
  }

  /// The value of an integer; otherwise `nil`.
  public var integer: Int64? {
    guard case .integer(let number) = self else { return nil }
    return number
  }

  /// The value of a real, or of an exactly convertible integer; otherwise `nil`.
  public var real: Double? {
    switch self {
    case .real(let number): number
    case .integer(let number): Double(exactly: number)
    default: nil
    }
  }

  /// The value of a Boolean; otherwise `nil`.
  public var boolean: Bool? {
    guard case .boolean(let truth) = self else { return nil }
    return truth
  }

  /// The bytes of data; otherwise `nil`.
  public var data: [UInt8]? {
    guard case .data(let bytes) = self else { return nil }
    return bytes
  }

  /// The date and time of a date, or of a string in its format; otherwise `nil`.
  public var dateTime: DateTime? {
    switch self {
    case .date(let date): date
    case .string(let text): DateTime(text)
    default: nil
    }
  }

  /// The values of an array; otherwise `nil`.
  public var array: [PropertyList]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The entries of a dictionary; otherwise `nil`.
  public var dictionary: [String: PropertyList]? {
    guard case .dictionary(let entries) = self else { return nil }
    return entries
  }

  /// Returns the entry of a dictionary; `nil` if there is none.
  public subscript(key: String) -> PropertyList? { dictionary?[key] }
}

extension PropertyList: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a string.
  public init(stringLiteral text: String) { self = .string(text) }
  /// Creates an integer.
  public init(integerLiteral number: Int64) { self = .integer(number) }
  /// Creates a real.
  public init(floatLiteral number: Double) { self = .real(number) }
  /// Creates a Boolean.
  public init(booleanLiteral truth: Bool) { self = .boolean(truth) }
  /// Creates an array.
  public init(arrayLiteral elements: PropertyList...) { self = .array(elements) }
  /// Creates a dictionary; the last of several equal keys has effect.
  public init(dictionaryLiteral entries: (String, PropertyList)...) {
    self = .dictionary(Dictionary(entries) { _, last in last })
  }
}
