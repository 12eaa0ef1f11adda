// SPDX-License-Identifier: Apache-2.0
import BusInterfaces

extension Reply {
  /// Creates the reply to a request that failed without an effect.
  init(failure: any Error) { self.init(handled: false, error: "\(failure)".transferable) }
}

extension String {
  /// The text with U+FFFD in place of U+0000, cut to the length that the broker keeps.
  ///
  /// Neither D-Bus nor the journal carries U+0000, which may come from a URL.
  var transferable: String {
    let text =
      unicodeScalars.contains("\0")
      ? String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 })) : self
    return text.shortened(toBytes: Delivery.maximumText)
  }
}
