// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// A limit on an `as` that is a call's first argument, checked in the message itself.
///
/// A message may have 128 MiB, so that merely copying its strings keeps a server busy.
public struct StringListLimit: Sendable {
  let count: Int
  let bytes: Int
  let error: BusError

  /// Allows at most `count` strings with `bytes` bytes in total.
  ///
  /// - Parameter error: the error reply to a call that exceeds the limit.
  public init(count: Int, bytes: Int, error: BusError) {
    self.count = count
    self.bytes = bytes
    self.error = error
  }

  /// Throws `error` if the message exceeds the limit, without reading further.
  ///
  /// A call whose first argument is not an `as` passes, because it is rejected when its arguments are read.
  func check(_ message: BusMessage) throws(BusError) {
    guard sd_bus_message_rewind(message.pointer, 1) >= 0,
      sd_bus_message_enter_container(message.pointer, CChar(UInt8(ascii: "a")), "s") > 0
    else { return }
    var left = (count: count, bytes: bytes)
    var text: UnsafePointer<CChar>?
    while sd_bus_message_read_basic(message.pointer, CChar(UInt8(ascii: "s")), &text) > 0, let text {
      left.count -= 1
      left.bytes -= strlen(text)
      guard left.count >= 0, left.bytes >= 0 else { throw error }
    }
  }
}
