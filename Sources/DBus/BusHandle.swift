// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc
import Systemd

// @unchecked: used only on the connection's loop, or by the one thread of a blocking connection.
/// An `sd_bus` that is connected to a bus as a client.
final class BusHandle: @unchecked Sendable {
  let pointer: OpaquePointer
  /// The calls that wait for replies.
  var calls: [ObjectIdentifier: PendingCall] = [:]
  /// The outgoing messages of a connection on an event loop; `nil` for a blocking connection.
  var outbox: Outbox?

  /// Connects to the bus at `address`; the authentication is sent and not yet answered.
  init(_ address: String) throws(BusError) { pointer = try openBus(address) }

  /// The longest time that ``close(flush:)`` waits for a bus that does not read.
  private static let flushTimeout = Duration.seconds(5)

  /// Closes the connection; `flush` sends queued messages first, for at most five seconds.
  func close(flush: Bool) {
    if flush {
      outbox?.end()
      self.flush()
    } else {
      outbox?.discard()
    }
    outbox = nil
    sd_bus_close(pointer)
    sd_bus_detach_event(pointer)
    // sd-bus drops pending calls silently, so their callers are notified here; otherwise they would wait for ever.
    for call in calls.values { call.disconnect() }
  }

  private func flush() {
    var queued: UInt64 = 0
    guard sd_bus_get_n_queued_write(pointer, &queued) >= 0, queued > 0 else { return }
    let drain = InputDrain(sd_bus_get_fd(pointer), timeout: Self.flushTimeout)
    sd_bus_flush(pointer)
    drain?.stop()
  }

  /// Sends a message to one receiver; if the bus reads slowly, the receivers take turns.
  ///
  /// - Returns: 0 or more, or a negative `errno` value if it cannot be sent.
  func send(_ message: BusMessage, to receiver: @autoclosure () -> String) -> Int32 {
    outbox?.send(message, to: receiver) ?? sd_bus_send(pointer, message.pointer, nil)
  }

  // The last reference may be released on any thread: after `close` the loop uses nothing of it.
  deinit { sd_bus_unref(pointer) }
}

private func openBus(_ address: String) throws(BusError) -> OpaquePointer {
  var pointer: OpaquePointer?
  guard sd_bus_new(&pointer) >= 0, let bus = pointer else {
    throw BusError(errno: -ENOMEM, "no memory for a connection", attempt: "connect to \(address)")
  }
  var result = sd_bus_set_address(bus, address)
  if result >= 0 { result = sd_bus_set_bus_client(bus, 1) }
  // All callers on a user's own bus are the same user, as sd_bus_open_user() assumes too.
  if result >= 0 { result = sd_bus_set_trusted(bus, 1) }
  if result >= 0 { result = sd_bus_start(bus) }
  guard result >= 0 else {
    sd_bus_unref(bus)
    let reason = String(cString: strerror(-result))
    throw BusError(.disconnected, "no bus at \(address): \(reason)")
  }
  return bus
}

extension BusMessage {
  /// Creates a method call without arguments.
  static func call(
    _ bus: OpaquePointer, interface: InterfaceName, member: MemberName, at addressee: RemoteObject,
    autoStart: Bool
  ) throws(BusError) -> BusMessage {
    var pointer: OpaquePointer?
    let result = addressee.name.rawValue.withCString { name in
      addressee.path.rawValue.withCString { path in
        interface.rawValue.withCString { interface in
          member.rawValue.withCString { member in
            sd_bus_message_new_method_call(bus, &pointer, name, path, interface, member)
          }
        }
      }
    }
    guard result >= 0, let pointer else { throw BusError(errno: result, "the call cannot be written") }
    let message = BusMessage(owning: pointer)
    if !autoStart { sd_bus_message_set_auto_start(pointer, 0) }
    return message
  }
}
