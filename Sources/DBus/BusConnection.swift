// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc
public import Systemd

/// A connection to a bus, on an event loop.
///
/// Calls, served objects and watched names share the loop's thread; handlers start in the order in which messages
/// arrive. A lost connection is restored automatically, with its objects, subscriptions and names, unless it was
/// opened with `reconnects: false`.
///
/// ```swift
/// let bus = try await BusConnection.open(.user, on: .shared)
/// let receipt = try await bus.call(BrokerInterface.open, at: BrokerInterface.broker, ["notes:x"], [:])
/// ```
public actor BusConnection {
  /// A change of the state of a connection.
  public enum Event: Hashable, Sendable {
    /// The connection was lost; calls fail with `Disconnected` until it is restored.
    case lost
    /// The connection is restored, with its objects, subscriptions and names.
    case restored
  }

  /// The event loop of the connection.
  public nonisolated let loop: EventLoop
  /// The address of the bus.
  public nonisolated let address: BusAddress
  /// The loop as the actor's executor.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  let reconnects: Bool
  var state = State.new
  var objects: [ObjectPath: Export] = [:]
  var names: Set<BusName> = []
  var subscriptions: [Int: Subscription] = [:]
  var nextSubscription = 0
  /// The watches of the well-known names whose signals are received.
  var senders: [BusName: OwnerWatch] = [:]
  let weakly = WeakConnection()
  private(set) var observers: [(number: Int, stream: AsyncStream<Event>.Continuation)] = []
  private var nextObserver = 0
  /// Indicates whether everything is restored; `connect` itself reports a loss before that.
  private var isComplete = false

  enum State: Sendable {
    case new
    case open(BusHandle)
    case lost
    case closed
  }

  private init(_ address: BusAddress, on loop: EventLoop, reconnects: Bool) {
    self.address = address
    self.loop = loop
    self.reconnects = reconnects
    weakly.connection = self
  }

  /// Connects, and returns after the first reply of the bus.
  ///
  /// - Throws: `BusError` named `Disconnected`, with the address and the reason.
  public static func open(
    _ address: BusAddress = .user, on loop: EventLoop = .shared, reconnects: Bool = true
  ) async throws(BusError) -> BusConnection {
    let connection = BusConnection(address, on: loop, reconnects: reconnects)
    try await connection.connect()
    return connection
  }

  /// Returns a stream of the future state changes of the connection, until it is released.
  public func events() -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream<Event>.makeStream()
    let number = nextObserver
    nextObserver += 1
    observers.append((number, continuation))
    continuation.onTermination = { [weak self, loop] _ in
      loop.start { [weak self] in await self?.removeObserver(number) }
    }
    return stream
  }

  private func removeObserver(_ number: Int) { observers.removeAll { $0.number == number } }

  /// Sends queued messages, releases every name and closes the connection; later calls fail with `Disconnected`.
  public func close() {
    let before = state
    state = .closed
    isComplete = false
    if case .open(let handle) = before { discard(handle, flush: true) }
    for subscription in subscriptions.values { subscription.receiver.finish() }
    objects = [:]
    subscriptions = [:]
    senders = [:]
    names = []
    for observer in observers { observer.stream.finish() }
    observers = []
  }

  /// Indicates whether the connection is open and all input is read, so that the state known from signals is current.
  ///
  /// A connection that could not send its last message is not open, even before the loss is reported. Otherwise a
  /// caller would rely on outdated signals and send again immediately, so that the loop could never process the loss.
  public var hasNoUnreadInput: Bool {
    guard case .open(let handle) = state, sd_bus_is_open(handle.pointer) > 0 else { return false }
    var (queued, unread): (UInt64, Int32) = (0, 0)
    return sd_bus_get_n_queued_read(handle.pointer, &queued) >= 0 && queued == 0
      && ioctl(sd_bus_get_fd(handle.pointer), UInt(FIONREAD), &unread) == 0 && unread == 0
  }

  /// Returns the `sd_bus` of the open connection; throws `Disconnected` if there is none.
  func bus() throws(BusError) -> OpaquePointer { try handle().pointer }

  func handle() throws(BusError) -> BusHandle {
    guard case .open(let handle) = state else {
      throw BusError(.disconnected, "the connection to \(address) is closed")
    }
    return handle
  }

  private func connect() async throws(BusError) {
    let handle = try BusHandle(try address.resolved())
    guard sd_bus_attach_event(handle.pointer, loop.event, 0) >= 0 else {
      handle.close(flush: false)
      throw BusError(.disconnected, "the connection cannot join the event loop")
    }
    handle.outbox = Outbox(handle.pointer, on: loop)
    watchForLoss(of: handle)
    state = .open(handle)
    do throws(BusError) {
      // The bus answers the first call only after the authentication.
      _ = try await call(BusDaemon.getID, at: .bus)
      try await restore()
      guard case .open(let current) = state, current === handle else {
        throw BusError(.disconnected, "it was closed immediately")
      }
      isComplete = true
    } catch {
      if case .open(let current) = state, current === handle {
        discard(handle, flush: false)
        state = .lost
      }
      throw BusError(.disconnected, "no bus at \(address): \(error.message)")
    }
  }

  private func watchForLoss(of handle: BusHandle) {
    // Without a slot the match rule lives as long as the bus object; it is local, so nothing is sent for it.
    sd_bus_add_match(
      handle.pointer, nil,
      "type='signal',sender='org.freedesktop.DBus.Local',path='/org/freedesktop/DBus/Local',"
        + "interface='org.freedesktop.DBus.Local',member='Disconnected'",
      { message, data, _ in
        let pointer = UInt(bitPattern: sd_bus_message_get_bus(message))
        WeakConnection.at(data)?.assumeIsolated { $0.lose(pointer) }
        return 0
      }, weakly.pointer)
  }

  private func lose(_ pointer: UInt) {
    guard case .open(let handle) = state, UInt(bitPattern: handle.pointer) == pointer else { return }
    state = .lost
    let wasComplete = isComplete
    isComplete = false
    // sd-bus is dispatching, so the connection is torn down afterwards.
    loop.start { self.tearDown(handle, thenReconnect: wasComplete) }
  }

  private func tearDown(_ handle: BusHandle, thenReconnect wasComplete: Bool) {
    discard(handle, flush: false)
    guard wasComplete, case .lost = state else { return }
    for subscription in subscriptions.values { subscription.receiver.lose() }
    for observer in observers { observer.stream.yield(.lost) }
    guard reconnects else { return close() }
    // The reference is weak, so that a released connection stops reconnecting.
    loop.start { [weak self, loop] in
      var backoff = Backoff(from: .milliseconds(50), upTo: .seconds(1))
      while await self?.reconnected() == false {
        // The bus may need a long time to restart, so the attempts continue, with growing intervals. They stay short,
        // because the successor of a program that another one replaced on the new bus waits for the end of the first.
        do { try await loop.sleep(for: backoff.next()) } catch { return }
      }
    }
  }

  /// Tries to reconnect; returns `true` if no further attempt is needed.
  private func reconnected() async -> Bool {
    guard case .lost = state else { return true }
    do throws(BusError) {
      try await connect()
    } catch {
      return false
    }
    for observer in observers { observer.stream.yield(.restored) }
    return true
  }

  private func restore() async throws(BusError) {
    for (path, export) in objects where export.slot.isReleased {
      objects[path] = try attach(export.object)
    }
    for number in subscriptions.keys {
      // A subscription that was removed while another one was restored must not be restored.
      guard let old = subscriptions[number], old.slot.isReleased else { continue }
      let new = try await install(old.rule, old.receiver)
      guard subscriptions[number] != nil else {
        new.slot.release()
        continue
      }
      subscriptions[number] = new
      try await new.receiver.restore(on: self)
    }
    for name in names { _ = try await requestName(name) }
  }

  private func discard(_ handle: BusHandle, flush: Bool) {
    for export in objects.values { export.slot.release() }
    for subscription in subscriptions.values { subscription.slot.release() }
    handle.close(flush: flush)
  }

  deinit {
    for subscription in subscriptions.values { subscription.receiver.finish() }
    for observer in observers { observer.stream.finish() }
    guard case .open(let handle) = state else { return }
    // The loop may be using the bus at this moment, so it is closed on the loop's thread; until then callbacks find
    // an empty weak reference.
    let slots = objects.values.map(\.slot) + subscriptions.values.map(\.slot)
    loop.submit { [weakly] in
      for slot in slots { slot.release() }
      handle.close(flush: true)
      weakly.connection = nil
    }
  }
}
