// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// A reader of the values of a received message, in order.
///
/// Reading a missing value throws `InvalidArgs`, with the expected type.
public struct MessageReader: ~Copyable {
  private let message: BusMessage

  /// Starts at the first value.
  init(rewinding message: BusMessage, within limit: MessageLimit) throws(BusError) {
    self.message = message
    message.left = limit
    // 0 means that the message is empty.
    guard sd_bus_message_rewind(message.pointer, 1) >= 0 else {
      throw BusError(.invalidArgs, "the message is invalid")
    }
  }

  func basic<Value: BitwiseCopyable>(_ type: Unicode.Scalar, _ zero: Value) throws(BusError) -> Value {
    var value = zero
    try check(
      withUnsafeMutablePointer(to: &value) {
        sd_bus_message_read_basic(message.pointer, CChar(type.value), $0)
      }, type.description)
    try message.left.take()
    return value
  }

  func text(_ type: Unicode.Scalar) throws(BusError) -> String {
    var text: UnsafePointer<CChar>?
    try check(sd_bus_message_read_basic(message.pointer, CChar(type.value), &text), type.description)
    let bytes = UnsafeRawBufferPointer(start: text, count: text.map(strlen) ?? 0)
    try message.left.take(bytes: bytes.count)
    return String(decoding: bytes, as: UTF8.self)
  }

  func bytes() throws(BusError) -> [UInt8] {
    var start: UnsafeRawPointer?
    var count = 0
    try check(
      sd_bus_message_read_array(message.pointer, CChar(UInt8(ascii: "y")), &start, &count), "ay")
    try message.left.take(bytes: count)
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  func elements(
    _ type: Unicode.Scalar, contents: Signature,
    _ body: (borrowing MessageReader) throws(BusError) -> Void
  ) throws(BusError) {
    try enter(type, contents)
    while sd_bus_message_at_end(message.pointer, 0) == 0 { try body(self) }
    try exit()
  }

  func container(
    _ type: Unicode.Scalar, contents: Signature,
    _ body: (borrowing MessageReader) throws(BusError) -> Void
  ) throws(BusError) {
    try enter(type, contents)
    try body(self)
    try exit()
  }

  func enter(_ type: Unicode.Scalar, _ contents: Signature) throws(BusError) {
    let entered = contents.rawValue.withCString {
      sd_bus_message_enter_container(message.pointer, CChar(type.value), $0)
    }
    try check(entered, "\(type) of \(contents)")
    try message.left.take()
  }

  func exit() throws(BusError) {
    try check(sd_bus_message_exit_container(message.pointer), "no further value in a container")
  }

  /// Throws if the message may not have a descriptor in a variant.
  func checkDescriptorInVariant() throws(BusError) {
    guard message.left.allowsDescriptorsInVariants else {
      throw BusError(.invalidArgs, "a variant contains a file descriptor (h), which is not allowed here")
    }
  }

  /// Returns the type of the next value, and the contents of a container; `nil` at the end.
  func peek() throws(BusError) -> (type: Unicode.Scalar, contents: Signature)? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    let found = sd_bus_message_peek_type(message.pointer, &type, &contents)
    guard found != 0 else { return nil }
    try check(found, "any value")
    return (
      Unicode.Scalar(UInt8(bitPattern: type)), Signature(unchecked: contents.map(String.init(cString:)) ?? "")
    )
  }

  // sd-bus returns 0 at the end of the message or of the current container.
  private func check(_ result: Int32, _ expected: @autoclosure () -> String) throws(BusError) {
    guard result <= 0 else { return }
    let found = message.signature.rawValue
    throw BusError(.invalidArgs, "expected \(expected()), the message holds “\(found)”")
  }
}
