import Systemd

/// What the bus said to a request for a name.
public enum NameRequest: Hashable, Sendable {
  /// The name is ours now, or was already.
  case owned
  /// Somebody else has it.
  case taken
}

extension BusConnection {
  /// Asks for a well-known name, without waiting in its queue and without letting others take it.
  ///
  /// A name that was got is asked for again after the connection was restored.
  public func requestName(_ name: BusName) async throws(BusError) -> NameRequest {
    // 4: DBUS_NAME_FLAG_DO_NOT_QUEUE. Replies: 1 primary owner, 3 exists, 4 already owner.
    let result = try await call(BusDaemon.requestName, at: .bus, name.rawValue, 4)
    guard result == 1 || result == 4 else { return .taken }
    names.insert(name)
    return .owned
  }

  /// Gives a name back.
  public func releaseName(_ name: BusName) async throws(BusError) {
    names.remove(name)
    _ = try await call(BusDaemon.releaseName, at: .bus, name.rawValue)
  }

  /// The unique name of the connection that owns `name`, or `nil` when nobody does.
  public func owner(of name: BusName) async throws(BusError) -> BusName? {
    do throws(BusError) {
      return BusName(try await call(BusDaemon.getNameOwner, at: .bus, name.rawValue))
    } catch  where error.name == .nameHasNoOwner {
      return nil
    }
  }

  /// The owner of `name` now, then each time it changes; `nil` while nobody owns it.
  ///
  /// No change is missed between the first element and the second. While the bus is lost nobody owns it.
  public func owners(of name: BusName) async throws(BusError) -> AsyncStream<BusName?> {
    let (stream, continuation) = AsyncStream<BusName?>.makeStream()
    let watch = OwnerWatch(name, continuation)
    let rule = MatchRule(
      sender: "org.freedesktop.DBus", interface: BusDaemon.interface,
      member: BusDaemon.nameOwnerChanged.name, argument0: name.rawValue)
    let number = try await subscribe(rule, watch)
    do throws(BusError) {
      try await watch.restore(on: self)
    } catch {
      unsubscribe(number)
      throw error
    }
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      self.loop.start { await self.unsubscribe(number) }
    }
    return stream
  }
}

// @unchecked: used on the connection's loop alone.
/// Follows the owner of one name.
private final class OwnerWatch: SignalReceiver, @unchecked Sendable {
  private enum State: Equatable {
    case nothing
    case owner(BusName?)
  }
  private let name: BusName
  private let continuation: AsyncStream<BusName?>.Continuation
  private var knowledge = State.nothing
  private var hasAnswer = false

  init(_ name: BusName, _ continuation: AsyncStream<BusName?>.Continuation) {
    self.name = name
    self.continuation = continuation
  }

  func receive(_ message: BusMessage) {
    // What came before the bus said who owns the name is older than that answer.
    guard hasAnswer, let (_, _, owner) = try? Arguments<String, String, String>.read(from: message)
    else { return }
    learn(BusName(owner))
  }

  func restore(on connection: BusConnection) async throws(BusError) {
    try await connection.ask(BusDaemon.getNameOwner, name.rawValue) { result in
      // Before any message that came after the answer.
      self.hasAnswer = true
      switch result {
      case .success(let reply): self.learn((try? Arguments<String>.read(from: reply)).flatMap { BusName($0) })
      case .failure(let error) where error.name == .nameHasNoOwner: self.learn(nil)
      case .failure: break
      }
    }
  }

  func lose() {
    hasAnswer = false
    learn(nil)
  }

  func finish() { continuation.finish() }

  private func learn(_ owner: BusName?) {
    guard knowledge != .owner(owner) else { return }
    knowledge = .owner(owner)
    continuation.yield(owner)
  }
}

extension BusConnection {
  /// Asks the bus something about a name; `observe` gets the answer in its place among all messages.
  fileprivate func ask(
    _ method: BusMethod<Arguments<String>, Arguments<String>>, _ name: String,
    observe: @escaping @Sendable (Result<BusMessage, BusError>) -> Void
  ) async throws(BusError) {
    let message = try BusMessage.call(
      try bus(), method.interface, method.name, at: .bus, autoStart: false)
    try Arguments<String>.write(name, to: message)
    do throws(BusError) {
      _ = try await send(message, timeout: .seconds(25), observe: observe).get()
    } catch  where error.name == .nameHasNoOwner {
      return
    } catch {
      throw error.attempting(method.interface, method.name, at: .bus)
    }
  }
}
