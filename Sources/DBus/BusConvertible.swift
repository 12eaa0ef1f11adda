// SPDX-License-Identifier: Apache-2.0
/// A Swift type that corresponds to one complete D-Bus type.
public protocol BusConvertible: Sendable {
  /// The D-Bus type.
  static var busSignature: Signature { get }
  /// Appends the value to a message.
  func write(to writer: borrowing MessageWriter) throws(BusError)
  /// Reads the value at the current position of the message.
  init(from reader: borrowing MessageReader) throws(BusError)
}

/// A type that can be the key of a D-Bus dictionary.
public protocol BusBasic: BusConvertible, Hashable {}

/// A number with the same representation in messages and in memory.
public protocol BusNumber: BusBasic, BitwiseCopyable, AdditiveArithmetic {
  /// The type code.
  static var busType: Unicode.Scalar { get }
}

extension BusNumber {
  /// The type code.
  public static var busSignature: Signature { Signature(unchecked: String(busType)) }
  /// Appends the number.
  public func write(to writer: borrowing MessageWriter) throws(BusError) {
    try writer.basic(Self.busType, self)
  }
  /// Reads the number.
  public init(from reader: borrowing MessageReader) throws(BusError) {
    self = try reader.basic(Self.busType, Self.zero)
  }
}

extension UInt8: BusNumber {
  /// The type code `y`.
  public static var busType: Unicode.Scalar { "y" }
}

extension Int16: BusNumber {
  /// The type code `n`.
  public static var busType: Unicode.Scalar { "n" }
}

extension UInt16: BusNumber {
  /// The type code `q`.
  public static var busType: Unicode.Scalar { "q" }
}

extension Int32: BusNumber {
  /// The type code `i`.
  public static var busType: Unicode.Scalar { "i" }
}

extension UInt32: BusNumber {
  /// The type code `u`.
  public static var busType: Unicode.Scalar { "u" }
}

extension Int64: BusNumber {
  /// The type code `x`.
  public static var busType: Unicode.Scalar { "x" }
}

extension UInt64: BusNumber {
  /// The type code `t`.
  public static var busType: Unicode.Scalar { "t" }
}

extension Double: BusNumber {
  /// The type code `d`.
  public static var busType: Unicode.Scalar { "d" }
}

extension Bool: BusBasic {
  /// The type code `b`.
  public static var busSignature: Signature { "b" }
  /// Appends a C int, which sd-bus expects for `b`.
  public func write(to writer: borrowing MessageWriter) throws(BusError) {
    try writer.basic("b", Int32(self ? 1 : 0))
  }
  /// Reads a C int, which sd-bus returns for `b`.
  public init(from reader: borrowing MessageReader) throws(BusError) {
    self = try reader.basic("b", Int32(0)) != 0
  }
}

extension String: BusBasic {
  /// The D-Bus type.
  public static var busSignature: Signature { "s" }
  /// Appends the value.
  public func write(to writer: borrowing MessageWriter) throws(BusError) { try writer.text(self) }
  /// Reads the value.
  public init(from reader: borrowing MessageReader) throws(BusError) { self = try reader.text("s") }
}

extension ObjectPath: BusBasic {
  /// The D-Bus type.
  public static var busSignature: Signature { "o" }
  /// Appends the value.
  public func write(to writer: borrowing MessageWriter) throws(BusError) { try writer.text("o", rawValue) }
  /// Reads the value.
  public init(from reader: borrowing MessageReader) throws(BusError) {
    self.init(unchecked: try reader.text("o"))
  }
}

extension Signature: BusBasic {
  /// The D-Bus type.
  public static var busSignature: Signature { "g" }
  /// Appends the value.
  public func write(to writer: borrowing MessageWriter) throws(BusError) { try writer.text("g", rawValue) }
  /// Reads the value.
  public init(from reader: borrowing MessageReader) throws(BusError) {
    self.init(unchecked: try reader.text("g"))
  }
}

extension Array: BusConvertible where Element: BusConvertible {
  /// The D-Bus type.
  public static var busSignature: Signature { Signature(unchecked: "a" + Element.busSignature.rawValue) }
  /// Appends the value.
  public func write(to writer: borrowing MessageWriter) throws(BusError) {
    // The element type is checked first, because an empty array of any type casts to an empty [UInt8].
    if Element.self == UInt8.self, let bytes = self as? [UInt8] { return try writer.bytes(bytes) }
    try writer.container("a", contents: Element.busSignature) { writer throws(BusError) in
      for element in self { try element.write(to: writer) }
    }
  }
  /// Reads the value.
  public init(from reader: borrowing MessageReader) throws(BusError) {
    if Element.self == UInt8.self, let bytes = try reader.bytes() as? Self {
      self = bytes
      return
    }
    var elements: Self = []
    try reader.elements("a", contents: Element.busSignature) { reader throws(BusError) in
      elements.append(try Element(from: reader))
    }
    self = elements
  }
}

extension Dictionary: BusConvertible where Key: BusBasic, Value: BusConvertible {
  /// The D-Bus type.
  public static var busSignature: Signature {
    Signature(unchecked: "a{" + Key.busSignature.rawValue + Value.busSignature.rawValue + "}")
  }
  /// Appends the value.
  @specialized(where Key == String, Value == Variant)
  public func write(to writer: borrowing MessageWriter) throws(BusError) {
    let entry = Key.busSignature + Value.busSignature
    try writer.container("a", contents: Signature(unchecked: "{" + entry.rawValue + "}")) {
      writer throws(BusError) in
      for (key, value) in self {
        try writer.container("e", contents: entry) { writer throws(BusError) in
          try key.write(to: writer)
          try value.write(to: writer)
        }
      }
    }
  }
  /// Reads the value.
  @specialized(where Key == String, Value == Variant)
  public init(from reader: borrowing MessageReader) throws(BusError) {
    let entry = Key.busSignature + Value.busSignature
    var entries: Self = [:]
    try reader.elements("a", contents: Signature(unchecked: "{" + entry.rawValue + "}")) {
      reader throws(BusError) in
      try reader.container("e", contents: entry) { reader throws(BusError) in
        let key = try Key(from: reader)
        guard key == key else { throw .keyIsNaN }
        entries[key] = try Value(from: reader)
      }
    }
    self = entries
  }
}
