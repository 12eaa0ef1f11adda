// SPDX-License-Identifier: Apache-2.0
import Systemd

/// The reply of the bus to a request for a name.
public enum NameRequest: Hashable, Sendable {
  /// This connection owns the name now, or owned it already.
  case owned
  /// Another connection owns the name.
  case taken
}

extension BusConnection {
  /// Requests a well-known name, without queueing and without allowing replacement.
  ///
  /// After the connection is restored, the name is requested again if this connection owned it.
  public func requestName(_ name: BusName) async throws(BusError) -> NameRequest {
    // 4: DBUS_NAME_FLAG_DO_NOT_QUEUE. Replies: 1 primary owner, 3 exists, 4 already owner.
    let result = try await call(BusDaemon.requestName, at: .bus, name.rawValue, 4)
    guard result == 1 || result == 4 else { return .taken }
    names.insert(name)
    return .owned
  }

  /// Releases a name.
  public func releaseName(_ name: BusName) async throws(BusError) {
    names.remove(name)
    _ = try await call(BusDaemon.releaseName, at: .bus, name.rawValue)
  }

  /// Returns the unique name of the connection that owns `name`; `nil` if there is none.
  public func owner(of name: BusName) async throws(BusError) -> BusName? {
    do throws(BusError) {
      return BusName(try await call(BusDaemon.getNameOwner, at: .bus, name.rawValue))
    } catch  where error.busFailure == .nameHasNoOwner {
      return nil
    }
  }

  /// Returns whether a connection owns `name`; `false` if the bus cannot be asked.
  public func hasOwner(_ name: BusName) async -> Bool { (try? await owner(of: name)) != nil }

  /// Returns a stream with the current owner of `name`, followed by each change; an element is `nil` if there is no owner.
  ///
  /// No change is missed between the first element and the second. A lost bus connection counts as no owner.
  public func owners(of name: BusName) async throws(BusError) -> AsyncStream<BusName?> {
    let (stream, continuation) = AsyncStream<BusName?>.makeStream()
    let number = try await begin(OwnerWatch(name, continuation))
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      self.loop.start { await self.unsubscribe(number) }
    }
    return stream
  }

  /// Returns the watch of a name whose signals are received; it ends with the connection.
  func watchOwner(of name: BusName) async throws(BusError) -> OwnerWatch {
    if let watch = senders[name] {
      // After a reconnection, the bus may not have named the owner yet.
      if !watch.hasAnswer { try await watch.restore(on: self) }
      return watch
    }
    // Stored only when it has begun, because a receiver that is cancelled before takes its watch with it.
    let watch = OwnerWatch(name, nil)
    let number = try await begin(watch)
    guard senders[name] == nil else {
      // Another receiver began at the same time.
      unsubscribe(number)
      return try await watchOwner(of: name)
    }
    senders[name] = watch
    return watch
  }

  /// Starts a watch, and returns the number of its subscription after the bus has named the owner.
  private func begin(_ watch: OwnerWatch) async throws(BusError) -> Int {
    let rule = MatchRule(
      sender: .bus, interface: BusDaemon.interface, member: BusDaemon.nameOwnerChanged.name,
      argument0: watch.name.rawValue)
    let number = try await subscribe(rule, watch)
    do throws(BusError) {
      try await watch.restore(on: self)
    } catch {
      unsubscribe(number)
      throw error
    }
    return number
  }
}

// @unchecked: used only on the connection's loop.
/// A receiver that tracks the owner of one name.
final class OwnerWatch: SignalReceiver, @unchecked Sendable {
  private enum State: Equatable {
    case nothing
    case owner(BusName?)
  }
  let name: BusName
  private let continuation: AsyncStream<BusName?>.Continuation?
  private var knowledge = State.nothing
  /// A Boolean value that indicates whether the bus has named the owner since the connection was opened or restored.
  private(set) var hasAnswer = false

  /// Creates a watch that yields each owner to `continuation`.
  init(_ name: BusName, _ continuation: AsyncStream<BusName?>.Continuation?) {
    self.name = name
    self.continuation = continuation
  }

  /// The unique name of the owner; `nil` if there is none, and while it is unknown.
  var owner: BusName? { if case .owner(let owner) = knowledge { owner } else { nil } }

  func receive(_ message: BusMessage) {
    // Signals before the reply of the bus are older than that reply. Every connection can send a signal of this name to this
    // connection alone.
    guard hasAnswer, message.sender == .bus,
      let (_, _, owner) = try? Arguments<String, String, String>.read(from: message)
    else { return }
    learn(BusName(owner))
  }

  func restore(on connection: BusConnection) async throws(BusError) {
    try await connection.ask(BusDaemon.getNameOwner, name.rawValue) { result in
      // Set here, before any message that follows the reply is handled.
      self.hasAnswer = true
      switch result {
      case .success(let reply): self.learn((try? Arguments<String>.read(from: reply)).flatMap { BusName($0) })
      case .failure(let error) where error.busFailure == .nameHasNoOwner: self.learn(nil)
      case .failure: break
      }
    }
  }

  func lose() {
    hasAnswer = false
    learn(nil)
  }

  func finish() { continuation?.finish() }

  private func learn(_ owner: BusName?) {
    guard knowledge != .owner(owner) else { return }
    knowledge = .owner(owner)
    continuation?.yield(owner)
  }
}

extension BusConnection {
  /// Asks the bus about a name; `observe` receives the reply in the order of all messages.
  fileprivate func ask(
    _ method: BusMethod<Arguments<String>, Arguments<String>>, _ name: String,
    observe: @escaping @Sendable (Result<BusMessage, BusError>) -> Void
  ) async throws(BusError) {
    let message = try BusMessage.call(
      try bus(), interface: method.interface, member: method.name, at: .bus, autoStart: false)
    try Arguments<String>.write(name, to: message)
    do throws(BusError) {
      _ = try await send(message, timeout: Self.defaultTimeout, observe: observe).get()
    } catch  where error.busFailure == .nameHasNoOwner {
      return
    } catch {
      throw error.attempting(method.interface, method.name, at: .bus)
    }
  }
}
