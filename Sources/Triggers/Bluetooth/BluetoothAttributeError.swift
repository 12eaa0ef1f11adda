// SPDX-License-Identifier: Apache-2.0

/// The reason why an operation of another device fails, as the Attribute Protocol names it (Core Specification, volume 3, part F, 3.4.1.1).
public enum BluetoothAttributeError: Error, Hashable, Sendable {
  /// The value cannot be read.
  case readNotPermitted
  /// The value cannot be written.
  case writeNotPermitted
  /// The offset is beyond the end of the value.
  case invalidOffset
  /// The value is too long.
  case invalidAttributeValueLength
  /// The user does not allow the application to use Bluetooth devices.
  case insufficientAuthorization
  /// The operation cannot be performed now.
  case unlikelyError
}

extension BluetoothCharacteristic {
  /// Checks that other devices may read the value.
  public func checkRead() throws(BluetoothAttributeError) {
    guard properties.contains(.read) else { throw .readNotPermitted }
  }

  /// Returns the part of a value that a device reads from an offset on.
  public static func part(
    of value: [UInt8], from offset: Int
  ) throws(BluetoothAttributeError) -> [UInt8] {
    guard (0...value.count).contains(offset) else { throw .invalidOffset }
    return Array(value[offset...])
  }

  /// Checks that other devices may write this value.
  public func checkWrite(_ value: [UInt8], at offset: Int) throws(BluetoothAttributeError) {
    guard !properties.isDisjoint(with: [.write, .writeWithoutResponse]) else { throw .writeNotPermitted }
    guard (0...BluetoothLimits.value).contains(offset) else { throw .invalidOffset }
    guard value.count <= BluetoothLimits.value - offset else { throw .invalidAttributeValueLength }
  }
}
