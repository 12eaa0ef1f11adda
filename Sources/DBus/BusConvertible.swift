/// A Swift type that is one complete D-Bus type.
public protocol BusConvertible: Sendable {
  /// The type on the wire.
  static var busSignature: Signature { get }
  /// Appends the value to a message.
  func write(to writer: borrowing MessageWriter) throws(BusError)
  /// Reads the value where the message stands.
  init(from reader: borrowing MessageReader) throws(BusError)
}

/// A type that can be the key of a D-Bus dictionary.
public protocol BusBasic: BusConvertible, Hashable {}

extension UInt8: BusBasic {
  public static var busSignature: Signature { "y" }
  public func write(to writer: borrowing MessageWriter) throws(BusError) { try writer.basic("y", self) }
  public init(from reader: borrowing MessageReader) throws(BusError) { self = try reader.basic("y", 0) }
}

extension Bool: BusBasic {
  public static var busSignature: Signature { "b" }
  // sd-bus takes and gives a C int for `b`.
  public func write(to writer: borrowing MessageWriter) throws(BusError) {
    try writer.basic("b", Int32(self ? 1 : 0))
  }
  public init(from reader: borrowing MessageReader) throws(BusError) {
    self = try reader.basic("b", Int32(0)) != 0
  }
}

extension Int16: BusBasic {
  public static var busSignature: Signature { "n" }
  public func write(to writer: borrowing MessageWriter) throws(BusError) { try writer.basic("n", self) }
  public init(from reader: borrowing MessageReader) throws(BusError) { self = try reader.basic("n", 0) }
}

extension UInt16: BusBasic {
  public static var busSignature: Signature { "q" }
  public func write(to writer: borrowing MessageWriter) throws(BusError) { try writer.basic("q", self) }
  public init(from reader: borrowing MessageReader) throws(BusError) { self = try reader.basic("q", 0) }
}

extension Int32: BusBasic {
  public static var busSignature: Signature { "i" }
  public func write(to writer: borrowing MessageWriter) throws(BusError) { try writer.basic("i", self) }
  public init(from reader: borrowing MessageReader) throws(BusError) { self = try reader.basic("i", 0) }
}

extension UInt32: BusBasic {
  public static var busSignature: Signature { "u" }
  public func write(to writer: borrowing MessageWriter) throws(BusError) { try writer.basic("u", self) }
  public init(from reader: borrowing MessageReader) throws(BusError) { self = try reader.basic("u", 0) }
}

extension Int64: BusBasic {
  public static var busSignature: Signature { "x" }
  public func write(to writer: borrowing MessageWriter) throws(BusError) { try writer.basic("x", self) }
  public init(from reader: borrowing MessageReader) throws(BusError) { self = try reader.basic("x", 0) }
}

extension UInt64: BusBasic {
  public static var busSignature: Signature { "t" }
  public func write(to writer: borrowing MessageWriter) throws(BusError) { try writer.basic("t", self) }
  public init(from reader: borrowing MessageReader) throws(BusError) { self = try reader.basic("t", 0) }
}

extension Double: BusBasic {
  public static var busSignature: Signature { "d" }
  public func write(to writer: borrowing MessageWriter) throws(BusError) { try writer.basic("d", self) }
  public init(from reader: borrowing MessageReader) throws(BusError) { self = try reader.basic("d", 0) }
}

extension String: BusBasic {
  public static var busSignature: Signature { "s" }
  public func write(to writer: borrowing MessageWriter) throws(BusError) { try writer.text("s", self) }
  public init(from reader: borrowing MessageReader) throws(BusError) { self = try reader.text("s") }
}

extension ObjectPath: BusBasic {
  public static var busSignature: Signature { "o" }
  public func write(to writer: borrowing MessageWriter) throws(BusError) { try writer.text("o", rawValue) }
  public init(from reader: borrowing MessageReader) throws(BusError) {
    self.init(unchecked: try reader.text("o"))
  }
}

extension Signature: BusBasic {
  public static var busSignature: Signature { "g" }
  public func write(to writer: borrowing MessageWriter) throws(BusError) { try writer.text("g", rawValue) }
  public init(from reader: borrowing MessageReader) throws(BusError) {
    self.init(unchecked: try reader.text("g"))
  }
}

extension Array: BusConvertible where Element: BusConvertible {
  public static var busSignature: Signature { Signature(unchecked: "a\(Element.busSignature)") }
  public func write(to writer: borrowing MessageWriter) throws(BusError) {
    if let bytes = self as? [UInt8] { return try writer.bytes(bytes) }
    try writer.container("a", Element.busSignature) { writer throws(BusError) in
      for element in self { try element.write(to: writer) }
    }
  }
  public init(from reader: borrowing MessageReader) throws(BusError) {
    if Element.self == UInt8.self, let bytes = try reader.bytes() as? Self {
      self = bytes
      return
    }
    var elements: Self = []
    try reader.elements("a", Element.busSignature) { reader throws(BusError) in
      elements.append(try Element(from: reader))
    }
    self = elements
  }
}

extension Dictionary: BusConvertible where Key: BusBasic, Value: BusConvertible {
  public static var busSignature: Signature {
    Signature(unchecked: "a{\(Key.busSignature)\(Value.busSignature)}")
  }
  public func write(to writer: borrowing MessageWriter) throws(BusError) {
    let entry = Key.busSignature + Value.busSignature
    try writer.container("a", Signature(unchecked: "{\(entry)}")) { writer throws(BusError) in
      for (key, value) in self {
        try writer.container("e", entry) { writer throws(BusError) in
          try key.write(to: writer)
          try value.write(to: writer)
        }
      }
    }
  }
  public init(from reader: borrowing MessageReader) throws(BusError) {
    let entry = Key.busSignature + Value.busSignature
    var entries: Self = [:]
    try reader.elements("a", Signature(unchecked: "{\(entry)}")) { reader throws(BusError) in
      try reader.container("e", entry) { reader throws(BusError) in
        let key = try Key(from: reader)
        entries[key] = try Value(from: reader)
      }
    }
    self = entries
  }
}
