import CSystemd

// @unchecked: made and released on the connection's loop alone.
/// A registration with sd-bus, and what its callback needs as long as it stands.
final class BusSlot: @unchecked Sendable {
  private var pointer: OpaquePointer?
  private var context: AnyObject?

  init(_ pointer: OpaquePointer, keeping context: AnyObject) {
    self.pointer = pointer
    self.context = context
  }

  /// Whether the registration has ended.
  var isReleased: Bool { pointer == nil }

  /// Ends the registration; the second time does nothing.
  func release() {
    guard let pointer else { return }
    self.pointer = nil
    sd_bus_slot_unref(pointer)
    context = nil
  }
}

// @unchecked: `connection` is set once before the first callback, and cleared on the loop.
/// What sd-bus's callbacks hold: the connection as long as somebody uses it.
final class WeakConnection: @unchecked Sendable {
  weak var connection: BusConnection?

  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static func at(_ pointer: UnsafeMutableRawPointer?) -> BusConnection? {
    guard let pointer else { return nil }
    return Unmanaged<WeakConnection>.fromOpaque(pointer).takeUnretainedValue().connection
  }
}
