import Systemd

extension BusConnection {
  /// Calls a method and waits for its reply.
  ///
  /// Cancelling the task gives the call up at once and leaves nothing behind; what was sent stays sent.
  ///
  /// - Parameters:
  ///   - timeout: how long to wait for the reply, or `nil` to wait as long as the other side lives.
  ///   - autoStart: whether the bus may start a program that owns the name.
  /// - Throws: the error the other side replied, `Timeout`, `Disconnected`, or `Cancelled`, each with the call
  ///   that was attempted.
  public func call<each Input: BusConvertible, each Output: BusConvertible>(
    _ method: BusMethod<Arguments<repeat each Input>, Arguments<repeat each Output>>,
    at addressee: RemoteObject, _ input: repeat each Input, timeout: Duration? = .seconds(25),
    autoStart: Bool = true
  ) async throws(BusError) -> sending (repeat each Output) {
    do throws(BusError) {
      let message = try message(calling: method, at: addressee, repeat each input, autoStart: autoStart)
      let reply = try await send(message, timeout: timeout).get()
      return try Arguments<repeat each Output>.read(from: reply)
    } catch {
      throw error.attempting(method.interface, method.name, at: addressee)
    }
  }

  /// Calls a method at once; `then` gets what comes of it on the loop's thread, in its place among all messages.
  ///
  /// For a caller on that thread that does not wait: no turn of the loop lies between the call and the message, nor between
  /// the reply and `then`. It is called once, and before this returns where the call cannot be sent.
  public func call<each Input: BusConvertible, each Output: BusConvertible>(
    _ method: BusMethod<Arguments<repeat each Input>, Arguments<repeat each Output>>,
    at addressee: RemoteObject, _ input: repeat each Input, timeout: Duration? = .seconds(25),
    autoStart: Bool = true, then: @escaping @Sendable (Result<(repeat each Output), BusError>) -> Void
  ) {
    let finish = { @Sendable (reply: Result<BusMessage, BusError>) in
      do throws(BusError) {
        then(.success(try Arguments<repeat each Output>.read(from: try reply.get())))
      } catch {
        then(.failure(error.attempting(method.interface, method.name, at: addressee)))
      }
    }
    do throws(BusError) {
      let message = try message(calling: method, at: addressee, repeat each input, autoStart: autoStart)
      PendingCall().start(try handle(), message, timeout: timeout, finish)
    } catch {
      finish(.failure(error))
    }
  }

  private func message<each Input: BusConvertible, Output>(
    calling method: BusMethod<Arguments<repeat each Input>, Output>, at addressee: RemoteObject,
    _ input: repeat each Input, autoStart: Bool
  ) throws(BusError) -> BusMessage {
    let message = try BusMessage.call(
      try bus(), method.interface, method.name, at: addressee, autoStart: autoStart)
    try Arguments<repeat each Input>.write(repeat each input, to: message)
    return message
  }

  /// Reads a property.
  public func get<Value>(
    _ property: BusProperty<Value>, at addressee: RemoteObject, timeout: Duration? = .seconds(25),
    autoStart: Bool = true
  ) async throws(BusError) -> Value {
    let method = BusMethod<Arguments<String, String>, Arguments<VariantBox<Value>>>(
      "Get", of: BusDaemon.properties, takes: ["interface", "name"], returns: ["value"])
    return try await call(
      method, at: addressee, property.interface.rawValue, property.name.rawValue, timeout: timeout,
      autoStart: autoStart
    ).value
  }

  /// Sets a property.
  public func set<Value>(
    _ property: BusProperty<Value>, to value: Value, at addressee: RemoteObject,
    timeout: Duration? = .seconds(25)
  ) async throws(BusError) {
    let method = BusMethod<Arguments<String, String, VariantBox<Value>>, Arguments<>>(
      "Set", of: BusDaemon.properties, takes: ["interface", "name", "value"])
    try await call(
      method, at: addressee, property.interface.rawValue, property.name.rawValue, VariantBox(value),
      timeout: timeout)
  }

  /// Sends a call and waits for its reply; `observe` gets the reply first, in its place among all messages.
  func send(
    _ message: BusMessage, timeout: Duration?,
    observe: @escaping @Sendable (Result<BusMessage, BusError>) -> Void = { _ in }
  ) async -> Result<BusMessage, BusError> {
    let pending = PendingCall()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        do throws(BusError) {
          pending.start(try handle(), message, timeout: timeout) {
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
