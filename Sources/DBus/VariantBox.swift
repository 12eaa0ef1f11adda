// SPDX-License-Identifier: Apache-2.0
/// A value of a known type inside a `v`, as `Properties.Get` returns it.
struct VariantBox<Value: BusConvertible>: BusConvertible {
  let value: Value

  init(_ value: Value) { self.value = value }

  static var busSignature: Signature { "v" }

  func write(to writer: borrowing MessageWriter) throws(BusError) {
    try writer.container("v", contents: Value.busSignature) { writer throws(BusError) in
      try value.write(to: writer)
    }
  }

  init(from reader: borrowing MessageReader) throws(BusError) {
    let expected = Value.busSignature
    if let (type, contents) = try reader.peek(), type == "v", contents != expected {
      throw BusError(.invalidArgs, "expected \(expected) in the variant, got \(contents)")
    }
    try reader.enter("v", expected)
    value = try Value(from: reader)
    try reader.exit()
  }
}
