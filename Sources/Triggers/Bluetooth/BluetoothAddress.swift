// SPDX-License-Identifier: Apache-2.0

/// The address of a Bluetooth device, such as `00:1A:7D:DA:71:13`.
public struct BluetoothAddress: Hashable, Sendable {
  /// The six bytes in hexadecimal, in upper case, with colons.
  public let text: String

  /// Reads an address; `nil` if the text is no address.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 6, parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(\.isHexDigit) })
    else { return nil }
    self.text = text.uppercased()
  }
}

extension BluetoothAddress: Comparable {
  /// Orders by text.
  public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

extension UInt8 {
  var isHexDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
