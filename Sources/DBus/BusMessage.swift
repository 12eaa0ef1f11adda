// SPDX-License-Identifier: Apache-2.0
import CSystemd

// @unchecked: used only on the connection's loop, or by the one thread of a blocking connection.
/// A received or outgoing message.
final class BusMessage: @unchecked Sendable {
  let pointer: OpaquePointer
  /// The rest of the limit that a reader of the message has.
  var left = MessageLimit.unlimited

  /// Takes ownership of one reference.
  init(owning pointer: OpaquePointer) { self.pointer = pointer }

  /// Adds a reference to a message that belongs to sd-bus.
  init(borrowing pointer: OpaquePointer) { self.pointer = sd_bus_message_ref(pointer) }

  deinit { sd_bus_message_unref(pointer) }

  /// The `sd_bus` of the message.
  var bus: OpaquePointer? { sd_bus_message_get_bus(pointer) }

  var sender: BusName? { text(sd_bus_message_get_sender(pointer)).map(BusName.init(unchecked:)) }
  var path: ObjectPath? { text(sd_bus_message_get_path(pointer)).map(ObjectPath.init(unchecked:)) }
  var interface: InterfaceName? {
    text(sd_bus_message_get_interface(pointer)).map(InterfaceName.init(unchecked:))
  }
  var member: MemberName? { text(sd_bus_message_get_member(pointer)).map(MemberName.init(unchecked:)) }
  var signature: Signature {
    Signature(unchecked: text(sd_bus_message_get_signature(pointer, 1)) ?? "")
  }
  var expectsReply: Bool { sd_bus_message_get_expect_reply(pointer) > 0 }

  /// The error in this message; `nil` if it is not an error reply.
  ///
  /// An `a{sv}` after the message text becomes the error's details.
  var error: BusError? {
    guard sd_bus_message_is_method_error(pointer, nil) > 0,
      let error = sd_bus_message_get_error(pointer), let name = text(error.pointee.name)
    else { return nil }
    var details: [String: Variant] = [:]
    if signature == "sa{sv}", let reader = try? MessageReader(rewinding: self, within: .standard) {
      details =
        (try? {
          _ = try String(from: reader); return try [String: Variant](from: reader)
        }()) ?? [:]
    }
    var result = BusError(ErrorName(unchecked: name), text(error.pointee.message) ?? "", details: details)
    // The bus names the sender of each message. Its own errors, and those that sd-bus makes itself, have no unique name.
    result.isOfCalledProgram = sender?.isUnique == true
    return result
  }

  /// Creates an error reply to `call`, without details.
  static func error(_ name: ErrorName, _ text: String, replying call: BusMessage) -> BusMessage? {
    var pointer: OpaquePointer?
    name.rawValue.withCString { name in
      text.withCString { text in
        var plain = sd_bus_error(name: name, message: text, _need_free: 0)
        sd_bus_message_new_method_error(call.pointer, &pointer, &plain)
      }
    }
    return pointer.map(BusMessage.init(owning:))
  }

  private func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map(String.init(cString:)) }
}
