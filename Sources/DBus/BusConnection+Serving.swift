// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Systemd

/// A served object and its registration with sd-bus.
struct Export {
  let object: BusObject
  let slot: BusSlot
}

extension BusConnection {
  /// Serves `object` from now on, replacing an object at its path.
  ///
  /// Export before requesting the name that callers use: messages that were held for the name arrive with it.
  public func export(_ object: BusObject) throws(BusError) {
    unexport(object.path)
    objects[object.path] = try attach(object)
  }

  /// Stops serving the object at `path`.
  public func unexport(_ path: ObjectPath) { objects.removeValue(forKey: path)?.slot.release() }

  func attach(_ object: BusObject) throws(BusError) -> Export {
    var slot: OpaquePointer?
    let result = sd_bus_add_object(
      try bus(), &slot, object.path.rawValue,
      { message, data, _ in
        guard let message, let connection = WeakConnection.at(data) else { return 0 }
        let call = BusMessage(borrowing: message)
        return connection.assumeIsolated { $0.dispatch(call) }
      }, weakly.pointer)
    guard result >= 0, let slot else { throw BusError(errno: result, "\(object.path) cannot be served") }
    return Export(object: object, slot: BusSlot(slot, keeping: weakly))
  }

  private func dispatch(_ message: BusMessage) -> Int32 {
    guard let path = message.path, let export = objects[path] else { return 0 }
    // Reject the call before starting a task, because a caller may send thousands of calls.
    if let refusal = export.object.refusal, let sender = message.sender, let member = message.member,
      let error = refusal(sender, member)
    {
      refuse(message, error)
      return 1
    }
    // Tasks of this actor start in the order of their creation, which is the order of the messages.
    loop.start { await self.serve(message, export.object) }
    return 1
  }

  private func serve(_ message: BusMessage, _ object: BusObject) async {
    do throws(BusError) {
      let write = try await reply(to: message, object)
      try send(replying: message, write)
    } catch {
      refuse(message, error)
    }
  }

  private func reply(
    to message: BusMessage, _ object: BusObject
  ) async throws(BusError) -> ReplyWriter {
    guard let name = message.member else { throw BusError(.unknownMethod, "the call names no member") }
    switch message.interface {
    case "org.freedesktop.DBus.Introspectable" where name == "Introspect":
      let document = Introspection.document(of: object, children: children(of: object.path))
      return { reply throws(BusError) in try document.write(to: MessageWriter(reply)) }
    case PropertiesInterface.name: return try await property(message, object)
    default: break
    }
    guard let member = object.member(name, of: message.interface),
      case .method(_, _, let serve) = member.kind
    else { throw unknown(message, object) }
    guard let sender = message.sender else { throw BusError(.accessDenied, "the call names no sender") }
    return try await serve(BusCall(sender: sender, path: object.path, connection: self), message)
  }

  private func unknown(_ message: BusMessage, _ object: BusObject) -> BusError {
    let interface = message.interface
    if let interface, !object.answers(interface.rawValue) {
      return BusError(.unknownInterface, "\(object.path) has no interface \(interface)")
    }
    return BusError(
      .unknownMethod,
      "\(interface?.rawValue ?? object.path.rawValue) has no method \(message.member?.rawValue ?? "")")
  }

  private func children(of path: ObjectPath) -> [String] {
    let prefix = path.rawValue == "/" ? "/" : path.rawValue + "/"
    let below = objects.keys.compactMap { other -> String? in
      guard other != path, other.rawValue.hasPrefix(prefix) else { return nil }
      return other.rawValue.dropFirst(prefix.count).split(separator: "/").first.map(String.init)
    }
    return Set(below).sorted()
  }

  private func property(
    _ message: BusMessage, _ object: BusObject
  ) async throws(BusError) -> ReplyWriter {
    switch message.member {
    case "Get":
      let (interface, name) = try Arguments<String, String>.read(from: message)
      let (get, _) = try property(name, of: interface, object)
      let value = try await get()
      return { reply throws(BusError) in try value(MessageWriter(reply)) }
    case "Set":
      let reader = try MessageReader(rewinding: message, within: .standard)
      let interface = try String(from: reader)
      let (_, set) = try property(try String(from: reader), of: interface, object)
      guard let set else { throw BusError(.propertyReadOnly, "the property can only be read") }
      try await set(message)
      return { _ in }
    case "GetAll":
      let interface = try Arguments<String>.read(from: message)
      guard interface.isEmpty || object.answers(interface) else {
        throw BusError(.unknownInterface, "\(object.path) has no interface \(interface)")
      }
      var values: [(String, PropertyWriter)] = []
      for member in object.members where interface.isEmpty || member.interface.rawValue == interface {
        guard case .property(_, let get, _) = member.kind else { continue }
        values.append((member.name.rawValue, try await get()))
      }
      let all = values
      return { reply throws(BusError) in
        try MessageWriter(reply).container("a", contents: Signature(unchecked: "{sv}")) {
          writer throws(BusError) in
          for (name, value) in all {
            try writer.container("e", contents: "sv") { writer throws(BusError) in
              try name.write(to: writer)
              try value(writer)
            }
          }
        }
      }
    default: throw BusError(.unknownMethod, "Properties has no method \(message.member?.rawValue ?? "")")
    }
  }

  private func property(
    _ name: String, of interface: String, _ object: BusObject
  ) throws(BusError) -> (
    get: @Sendable () async throws(BusError) -> PropertyWriter,
    set: (@Sendable (BusMessage) async throws(BusError) -> Void)?
  ) {
    let member = object.members.first {
      $0.name.rawValue == name && (interface.isEmpty || $0.interface.rawValue == interface)
    }
    guard let member, case .property(_, let get, let set) = member.kind else {
      throw BusError(.unknownProperty, "\(object.path) has no property \(interface).\(name)")
    }
    return (get, set)
  }

  private func send(replying message: BusMessage, _ write: ReplyWriter) throws(BusError) {
    guard let handle = replyHandle(message) else { return }
    var pointer: OpaquePointer?
    let made = sd_bus_message_new_method_return(message.pointer, &pointer)
    guard made >= 0, let pointer else { return }
    let reply = BusMessage(owning: pointer)
    try write(reply)
    let sent = handle.send(reply, to: message.sender?.rawValue ?? "")
    guard sent >= 0 else { throw BusError(errno: sent, "the reply cannot be sent") }
  }

  private func refuse(_ message: BusMessage, _ error: BusError) {
    guard let handle = replyHandle(message) else { return }
    // The caller must get an error reply even if D-Bus cannot transport the error's name or details.
    let name = ErrorName.isValid(error.name.rawValue) ? error.name : .failed
    for details in [error.details, [:]] {
      guard let reply = BusMessage.error(name, error.message, replying: message) else { return }
      do throws(BusError) {
        if !details.isEmpty { try details.write(to: MessageWriter(reply)) }
      } catch { continue }
      if handle.send(reply, to: message.sender?.rawValue ?? "") >= 0 { return }
    }
  }

  /// Returns the connection on which `message` can be answered; `nil` after a reconnection, because the serial numbers differ.
  private func replyHandle(_ message: BusMessage) -> BusHandle? {
    guard message.expectsReply, let handle = try? handle(), message.bus == handle.pointer else { return nil }
    return handle
  }
}
