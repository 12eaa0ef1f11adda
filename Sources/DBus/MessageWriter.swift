// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// A writer that appends values to a message.
public struct MessageWriter: ~Copyable {
  private let message: BusMessage

  init(_ message: BusMessage) { self.message = message }

  func basic<Value: BitwiseCopyable>(_ type: Unicode.Scalar, _ value: Value) throws(BusError) {
    let result = withUnsafePointer(to: value) {
      sd_bus_message_append_basic(message.pointer, CChar(type.value), $0)
    }
    try checkWritten(result)
  }

  /// Appends a string.
  func text(_ text: String) throws(BusError) {
    var text = text
    // Appended as raw bytes, so that sd-bus does not validate UTF-8, which Swift guarantees.
    let result = text.withUTF8 { bytes -> Int32? in
      if let start = bytes.baseAddress, memchr(start, 0, bytes.count) != nil { return nil }
      var room: UnsafeMutablePointer<CChar>?
      let result = sd_bus_message_append_string_space(message.pointer, bytes.count, &room)
      if result >= 0, let room {
        UnsafeMutableRawBufferPointer(start: room, count: bytes.count).copyBytes(from: bytes)
      }
      return result
    }
    try checkText(result)
  }

  /// Appends a text with a grammar, which sd-bus checks.
  func text(_ type: Unicode.Scalar, _ text: String) throws(BusError) {
    let result = text.withCString {
      strlen($0) == text.utf8.count
        ? sd_bus_message_append_basic(message.pointer, CChar(type.value), $0) : nil
    }
    try checkText(result)
  }

  func bytes(_ bytes: [UInt8]) throws(BusError) {
    let result = bytes.withUnsafeBytes {
      sd_bus_message_append_array(message.pointer, CChar(UInt8(ascii: "y")), $0.baseAddress, $0.count)
    }
    try checkWritten(result)
  }

  func container(
    _ type: Unicode.Scalar, contents: Signature,
    _ body: (borrowing MessageWriter) throws(BusError) -> Void
  ) throws(BusError) {
    let opened = contents.rawValue.withCString {
      sd_bus_message_open_container(message.pointer, CChar(type.value), $0)
    }
    try checkWritten(opened)
    try body(self)
    try checkWritten(sd_bus_message_close_container(message.pointer))
  }

  private func checkText(_ result: Int32?) throws(BusError) {
    guard let result else { throw BusError(.invalidArgs, "D-Bus carries no text with a NUL character") }
    try checkWritten(result)
  }

  private func checkWritten(_ result: Int32) throws(BusError) {
    guard result < 0 else { return }
    // These errors mean that a value does not have the expected type or grammar.
    if [-EINVAL, -ENXIO].contains(result) {
      throw BusError(.invalidArgs, "a value does not have the declared type")
    }
    throw BusError(errno: result, "the arguments cannot be written")
  }
}
