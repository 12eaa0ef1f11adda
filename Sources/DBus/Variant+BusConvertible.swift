// SPDX-License-Identifier: Apache-2.0
extension Variant: BusConvertible {
  /// The D-Bus type.
  public static var busSignature: Signature { "v" }

  /// Appends the value.
  public func write(to writer: borrowing MessageWriter) throws(BusError) {
    try writer.container("v", contents: signature) { writer throws(BusError) in try writeContents(to: writer)
    }
  }

  /// Reads the value.
  public init(from reader: borrowing MessageReader) throws(BusError) {
    guard let (type, contents) = try reader.peek(), type == "v" else {
      throw BusError(.invalidArgs, "expected v")
    }
    try reader.enter("v", contents)
    self = try Variant(contentsFrom: reader)
    try reader.exit()
  }

  /// Writes the value without a `v` around it.
  func writeContents(to writer: borrowing MessageWriter) throws(BusError) {
    switch self {
    case .byte(let value): try value.write(to: writer)
    case .boolean(let value): try value.write(to: writer)
    case .int16(let value): try value.write(to: writer)
    case .uint16(let value): try value.write(to: writer)
    case .int32(let value): try value.write(to: writer)
    case .uint32(let value): try value.write(to: writer)
    case .int64(let value): try value.write(to: writer)
    case .uint64(let value): try value.write(to: writer)
    case .double(let value): try value.write(to: writer)
    case .string(let value): try value.write(to: writer)
    case .objectPath(let value): try value.write(to: writer)
    case .signature(let value): try value.write(to: writer)
    case .unixFD(let value): try value.write(to: writer)
    case .bytes(let value): try value.write(to: writer)
    case .variant(let value): try value.write(to: writer)
    case .array(let element, let values):
      try writer.container("a", contents: element) { writer throws(BusError) in
        for value in values { try value.writeContents(to: writer) }
      }
    case .dictionary(let key, let value, let entries):
      try writer.container("a", contents: Signature(unchecked: "{" + key.rawValue + value.rawValue + "}")) {
        writer throws(BusError) in
        for (entryKey, entryValue) in entries {
          try writer.container("e", contents: key + value) { writer throws(BusError) in
            try entryKey.writeContents(to: writer)
            try entryValue.writeContents(to: writer)
          }
        }
      }
    case .structure(let members):
      let contents = Signature(unchecked: members.map(\.signature.rawValue).joined())
      try writer.container("r", contents: contents) { writer throws(BusError) in
        for member in members { try member.writeContents(to: writer) }
      }
    }
  }

  /// Reads one value that has no `v` around it.
  init(contentsFrom reader: borrowing MessageReader) throws(BusError) {
    guard let (type, contents) = try reader.peek() else {
      throw BusError(.invalidArgs, "expected a value at the message's end")
    }
    switch type {
    case "y": self = .byte(try UInt8(from: reader))
    case "b": self = .boolean(try Bool(from: reader))
    case "n": self = .int16(try Int16(from: reader))
    case "q": self = .uint16(try UInt16(from: reader))
    case "i": self = .int32(try Int32(from: reader))
    case "u": self = .uint32(try UInt32(from: reader))
    case "x": self = .int64(try Int64(from: reader))
    case "t": self = .uint64(try UInt64(from: reader))
    case "d": self = .double(try Double(from: reader))
    case "s": self = .string(try String(from: reader))
    case "o": self = .objectPath(try ObjectPath(from: reader))
    case "g": self = .signature(try Signature(from: reader))
    case "h":
      try reader.checkDescriptorInVariant()
      self = .unixFD(try UnixFD.read(from: reader))
    case "v": self = .variant(try Variant(from: reader))
    case "a": self = try Variant.array(contents, from: reader)
    case "r":
      var members: [Variant] = []
      try reader.elements("r", contents: contents) { reader throws(BusError) in
        members.append(try Variant(contentsFrom: reader))
      }
      self = .structure(members)
    default: throw BusError(.invalidArgs, "the value has the unknown type “\(type)”")
    }
  }

  private static func array(
    _ contents: Signature, from reader: borrowing MessageReader
  ) throws(BusError) -> Variant {
    if contents == "y" { return .bytes(try reader.bytes()) }
    if contents.rawValue.hasPrefix("{") { return try dictionary(contents, from: reader) }
    var values: [Variant] = []
    try reader.elements("a", contents: contents) { reader throws(BusError) in
      values.append(try Variant(contentsFrom: reader))
    }
    return .array(of: contents, values)
  }

  private static func dictionary(
    _ contents: Signature, from reader: borrowing MessageReader
  ) throws(BusError) -> Variant {
    let entry = Signature(unchecked: String(contents.rawValue.dropFirst().dropLast()))
    let types = entry.completeTypes
    guard types.count == 2 else {
      throw BusError(.invalidArgs, "a dictionary entry must have two types, but this one has “\(entry)”")
    }
    var entries: [Variant: Variant] = [:]
    try reader.elements("a", contents: contents) { reader throws(BusError) in
      try reader.container("e", contents: entry) { reader throws(BusError) in
        let key = try Variant(contentsFrom: reader)
        if case .double(let number) = key, number.isNaN { throw .keyIsNaN }
        entries[key] = try Variant(contentsFrom: reader)
      }
    }
    return .dictionary(key: types[0], value: types[1], entries)
  }
}

extension UnixFD: BusConvertible {
  /// The D-Bus type.
  public static var busSignature: Signature { "h" }

  /// Appends the value.
  public func write(to writer: borrowing MessageWriter) throws(BusError) { try writer.basic("h", rawValue) }

  // The initializer of a class cannot return the result of a failable duplicate, so the descriptor is duplicated
  // first.
  /// Reads the value.
  public convenience init(from reader: borrowing MessageReader) throws(BusError) {
    self.init(owning: try Self.duplicate(from: reader))
  }

  static func read(from reader: borrowing MessageReader) throws(BusError) -> UnixFD {
    UnixFD(owning: try duplicate(from: reader))
  }

  // Duplicated, because the message closes its own descriptors.
  private static func duplicate(from reader: borrowing MessageReader) throws(BusError) -> Int32 {
    let copy = duplicateDescriptor(try reader.basic("h", Int32(-1)))
    guard copy >= 0 else {
      throw BusError(.failed, "this process has no free file descriptor for the caller's file")
    }
    return copy
  }
}
