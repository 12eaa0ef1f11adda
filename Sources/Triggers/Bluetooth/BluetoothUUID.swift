// SPDX-License-Identifier: Apache-2.0

/// The UUID of a Bluetooth service or characteristic, corresponding to `CBUUID`.
public struct BluetoothUUID: Hashable, Sendable {
  /// The 128 bits in hexadecimal, in lower case, with hyphens.
  public let text: String

  /// The end of the UUIDs that the Bluetooth SIG assigns (Core Specification, volume 3, part B, 2.5.1).
  private static let base = "-0000-1000-8000-00805f9b34fb"

  /// The forms of a UUID, for errors.
  static let form = "a UUID such as 180d or 0000180d-0000-1000-8000-00805f9b34fb"

  /// Reads a UUID of 16, 32 or 128 bits, such as `180d` or `0000180d-0000-1000-8000-00805f9b34fb`; `nil` if the text is no UUID.
  public init?(_ text: String) {
    let text = text.lowercased()
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ $0.utf8.allSatisfy(\.isHexDigit) }) else { return nil }
    switch parts.map(\.utf8.count) {
    case [4]: self.text = "0000" + text + Self.base
    case [8]: self.text = text + Self.base
    case [8, 4, 4, 4, 12]: self.text = text
    default: return nil
    }
  }
}

extension BluetoothUUID: Comparable {
  /// Orders by text.
  public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}
