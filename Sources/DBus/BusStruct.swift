// SPDX-License-Identifier: Apache-2.0
/// A D-Bus structure: `BusStruct<String, UInt32>` is `(su)`.
public struct BusStruct<each Member: BusConvertible>: BusConvertible {
  /// The members, in order.
  public let members: (repeat each Member)

  /// Creates a structure of these members.
  public init(_ members: repeat each Member) { self.members = (repeat each members) }

  /// The D-Bus type.
  public static var busSignature: Signature { Signature(unchecked: "(\(contents))") }

  /// Appends the value.
  public func write(to writer: borrowing MessageWriter) throws(BusError) {
    try writer.container("r", contents: Self.contents) { writer throws(BusError) in
      for member in repeat each members { try member.write(to: writer) }
    }
  }

  /// Reads the value.
  public init(from reader: borrowing MessageReader) throws(BusError) {
    try reader.enter("r", Self.contents)
    self.init(repeat try (each Member)(from: reader))
    try reader.exit()
  }

  private static var contents: Signature {
    var text = ""
    for type in repeat (each Member).self { text += type.busSignature.rawValue }
    return Signature(unchecked: text)
  }
}
