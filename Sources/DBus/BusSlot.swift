// SPDX-License-Identifier: Apache-2.0
import CSystemd

// @unchecked: created and released only on the connection's loop.
/// A registration with sd-bus, and the context of its callback.
final class BusSlot: @unchecked Sendable {
  private var pointer: OpaquePointer?
  private var context: AnyObject?

  init(_ pointer: OpaquePointer, keeping context: AnyObject) {
    self.pointer = pointer
    self.context = context
  }

  /// Indicates whether the registration has ended.
  var isReleased: Bool { pointer == nil }

  /// Ends the registration; has no effect the second time.
  func release() {
    guard let pointer else { return }
    self.pointer = nil
    sd_bus_slot_unref(pointer)
    context = nil
  }
}

// @unchecked: `connection` is set once before the first callback, and cleared on the loop.
/// The context of sd-bus's callbacks: a weak reference to the connection.
final class WeakConnection: @unchecked Sendable {
  weak var connection: BusConnection?

  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static func at(_ pointer: UnsafeMutableRawPointer?) -> BusConnection? {
    guard let pointer else { return nil }
    return Unmanaged<WeakConnection>.fromOpaque(pointer).takeUnretainedValue().connection
  }
}
