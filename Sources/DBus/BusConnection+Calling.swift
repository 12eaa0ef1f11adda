// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Systemd

extension BusConnection {
  /// The default of the longest time to wait for a reply: 25 s, or that of the variable `SYSTEMD_BUS_TIMEOUT`, as for all programs that use
  /// sd-bus (sd_bus_set_method_call_timeout(3)).
  public static let defaultTimeout: Duration = {
    var bus: OpaquePointer?
    var microseconds: UInt64 = 0
    defer { sd_bus_unref(bus) }
    guard sd_bus_new(&bus) >= 0, sd_bus_get_method_call_timeout(bus, &microseconds) >= 0, microseconds > 0
    else {
      return .seconds(25)
    }
    return .microseconds(Int64(clamping: microseconds))
  }()

  /// Calls a method and waits for its reply.
  ///
  /// If the task is cancelled, the call ends at once; a message that was sent remains sent.
  ///
  /// - Parameters:
  ///   - timeout: the longest time to wait for the reply; `nil` waits as long as the other side is connected.
  ///   - autoStart: whether the bus may start a program that owns the name.
  /// - Throws: the error of the reply, `Timeout`, `Disconnected`, or `Cancelled`, each with the attempted call.
  public func call<each Input: BusConvertible, each Output: BusConvertible>(
    _ method: BusMethod<Arguments<repeat each Input>, Arguments<repeat each Output>>,
    at addressee: RemoteObject, _ input: repeat each Input, timeout: Duration? = BusConnection.defaultTimeout,
    autoStart: Bool = true
  ) async throws(BusError) -> sending (repeat each Output) {
    do throws(BusError) {
      let message = try message(calling: method, at: addressee, repeat each input, autoStart: autoStart)
      let reply = try await send(message, timeout: timeout).get()
      return try Arguments<repeat each Output>.read(fromReply: reply, within: method.replyLimit)
    } catch {
      throw error.attempting(method.interface, method.name, at: addressee)
    }
  }

  /// Sends a method call immediately; `then` receives the outcome on the loop's thread, in the order of all messages.
  ///
  /// It is for a caller on that thread that does not wait: no iteration of the loop lies between the call and sending
  /// the message, nor between the reply and `then`. `then` is called exactly once, and before this function returns
  /// if the call cannot be sent.
  public func call<each Input: BusConvertible, each Output: BusConvertible>(
    _ method: BusMethod<Arguments<repeat each Input>, Arguments<repeat each Output>>,
    at addressee: RemoteObject, _ input: repeat each Input, timeout: Duration? = BusConnection.defaultTimeout,
    autoStart: Bool = true, then: @escaping @Sendable (Result<(repeat each Output), BusError>) -> Void
  ) {
    let finish = { @Sendable (reply: Result<BusMessage, BusError>) in
      do throws(BusError) {
        then(
          .success(
            try Arguments<repeat each Output>.read(fromReply: try reply.get(), within: method.replyLimit)))
      } catch {
        then(.failure(error.attempting(method.interface, method.name, at: addressee)))
      }
    }
    do throws(BusError) {
      let message = try message(calling: method, at: addressee, repeat each input, autoStart: autoStart)
      PendingCall().start(try handle(), message: message, timeout: timeout, finish)
    } catch {
      finish(.failure(error))
    }
  }

  private func message<each Input: BusConvertible, Output>(
    calling method: BusMethod<Arguments<repeat each Input>, Output>, at addressee: RemoteObject,
    _ input: repeat each Input, autoStart: Bool
  ) throws(BusError) -> BusMessage {
    let message = try BusMessage.call(
      try bus(), interface: method.interface, member: method.name, at: addressee, autoStart: autoStart)
    try Arguments<repeat each Input>.write(repeat each input, to: message)
    return message
  }

  /// Reads a property.
  public func get<Value>(
    _ property: BusProperty<Value>, at addressee: RemoteObject,
    timeout: Duration? = BusConnection.defaultTimeout,
    autoStart: Bool = true
  ) async throws(BusError) -> Value {
    let method = BusMethod<Arguments<String, String>, Arguments<VariantBox<Value>>>(
      "Get", of: PropertiesInterface.name, takes: ["interface", "name"], returns: ["value"])
    return try await call(
      method, at: addressee, property.interface.rawValue, property.name.rawValue, timeout: timeout,
      autoStart: autoStart
    ).value
  }

  /// Sets a property.
  public func set<Value>(
    _ property: BusProperty<Value>, to value: Value, at addressee: RemoteObject,
    timeout: Duration? = BusConnection.defaultTimeout
  ) async throws(BusError) {
    let method = BusMethod<Arguments<String, String, VariantBox<Value>>, Arguments<>>(
      "Set", of: PropertiesInterface.name, takes: ["interface", "name", "value"])
    try await call(
      method, at: addressee, property.interface.rawValue, property.name.rawValue, VariantBox(value),
      timeout: timeout)
  }

  /// Sends a call and waits for its reply; `observe` receives the reply first, in the order of all messages.
  func send(
    _ message: BusMessage, timeout: Duration?,
    observe: @escaping @Sendable (Result<BusMessage, BusError>) -> Void = { _ in }
  ) async -> Result<BusMessage, BusError> {
    let pending = PendingCall()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        do throws(BusError) {
          pending.start(try handle(), message: message, timeout: timeout) {
            observe($0)
            continuation.resume(returning: $0)
          }
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    } onCancel: {
      loop.submit { pending.cancel() }
    }
  }
}

extension BusError {
  func attempting(
    _ interface: InterfaceName, _ member: MemberName, at addressee: RemoteObject
  ) -> BusError {
    var error = self
    if error.attempt == nil { error.attempt = "\(interface).\(member) on \(addressee)" }
    return error
  }
}
