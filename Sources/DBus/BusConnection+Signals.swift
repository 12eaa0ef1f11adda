// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Systemd

/// A filter for signals (D-Bus Specification, "Match Rules").
struct MatchRule: Sendable {
  var sender: BusName?
  var path: ObjectPath?
  var interface: InterfaceName
  var member: MemberName
  var argument0: String?

  var text: String {
    var keys = ["type='signal'", "interface='\(interface)'", "member='\(member)'"]
    if let sender { keys.append("sender='\(sender)'") }
    if let path { keys.append("path='\(path)'") }
    // Names and paths contain no quotes, and an argument is always a name.
    if let argument0 { keys.append("arg0='\(argument0)'") }
    return keys.joined(separator: ",")
  }
}

/// A match rule, its receiver and its registration with sd-bus.
struct Subscription {
  let rule: MatchRule
  let receiver: any SignalReceiver
  let slot: BusSlot
}

/// A receiver of matching signals; all functions are called on the connection's loop.
protocol SignalReceiver: AnyObject, Sendable {
  /// Handles a matching signal.
  func receive(_ message: BusMessage)
  /// Handles the loss of the bus, after which earlier signals are no longer valid.
  func lose()
  /// Handles the reconnection, after which signals arrive again, possibly from another bus.
  func restore(on connection: BusConnection) async throws(BusError)
  /// Handles the end of the subscription.
  func finish()
}

/// A received signal.
public struct ReceivedSignal<each Value: BusConvertible>: Sendable {
  /// The unique name of the connection that sent it.
  public let sender: BusName
  /// The object that sent it.
  public let path: ObjectPath
  /// Its arguments.
  public let values: (repeat each Value)
}

/// The connections whose signals a stream yields.
///
/// A match rule is not enough: the bus passes on every signal that is sent to this connection alone, and sd-bus, which does not
/// know who owns a well-known name, accepts a signal of any connection for it.
private enum SignalSource: Sendable {
  case anyone
  /// A unique name, or the bus itself.
  case connection(BusName)
  case owner(OwnerWatch)

  /// Returns whether `sender` belongs to the source; called on the connection's loop.
  func includes(_ sender: BusName) -> Bool {
    switch self {
    case .anyone: true
    case .connection(let name): name == sender
    case .owner(let watch): watch.owner == sender
    }
  }
}

/// A receiver that yields signals to a stream.
private final class SignalStream<each Value: BusConvertible>: SignalReceiver {
  let source: SignalSource
  let continuation: AsyncStream<ReceivedSignal<repeat each Value>>.Continuation

  init(_ source: SignalSource, _ continuation: AsyncStream<ReceivedSignal<repeat each Value>>.Continuation) {
    self.source = source
    self.continuation = continuation
  }

  func receive(_ message: BusMessage) {
    guard let sender = message.sender, source.includes(sender), let path = message.path,
      let values = try? Arguments<repeat each Value>.read(from: message)
    else { return }
    continuation.yield(ReceivedSignal(sender: sender, path: path, values: (repeat each values)))
  }

  func lose() {}
  func restore(on connection: BusConnection) async throws(BusError) {}
  func finish() { continuation.finish() }
}

/// The context of sd-bus's callback.
private final class ReceiverBox: Sendable {
  let receiver: any SignalReceiver
  init(_ receiver: any SignalReceiver) { self.receiver = receiver }
}

extension BusConnection {
  /// Returns a stream of the signals that `sender` sends from now on, until its consumer stops.
  ///
  /// It returns once the bus has added the match rule, so that no later signal is missed. A signal whose arguments do
  /// not have the declared types is ignored, and so is one that another connection than `sender`, or than the owner of that name,
  /// sends to this connection alone.
  ///
  /// - Parameter argument0: The first argument, such as the interface of `PropertiesChanged`; `nil` for any. It must not contain quotes.
  public func signals<each Value: BusConvertible>(
    _ signal: BusSignal<Arguments<repeat each Value>>, from sender: BusName? = nil,
    at path: ObjectPath? = nil, argument0: InterfaceName? = nil
  ) async throws(BusError) -> AsyncStream<ReceivedSignal<repeat each Value>> {
    let (stream, continuation) = AsyncStream<ReceivedSignal<repeat each Value>>.makeStream()
    let source: SignalSource =
      switch sender {
      case nil: .anyone
      case .bus?: .connection(.bus)
      case let name? where name.isUnique: .connection(name)
      case let name?: .owner(try await watchOwner(of: name))
      }
    let rule = MatchRule(
      sender: sender, path: path, interface: signal.interface, member: signal.name,
      argument0: argument0?.rawValue)
    let number = try await subscribe(rule, SignalStream(source, continuation))
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      self.loop.start { await self.unsubscribe(number) }
    }
    return stream
  }

  /// Sends a signal from the object at `path`, as a broadcast or to one destination.
  public func emit<each Value: BusConvertible>(
    _ signal: BusSignal<Arguments<repeat each Value>>, from path: ObjectPath, to destination: BusName? = nil,
    _ values: repeat each Value
  ) throws(BusError) {
    var pointer: OpaquePointer?
    let handle = try handle()
    let made = sd_bus_message_new_signal(
      handle.pointer, &pointer, path.rawValue, signal.interface.rawValue, signal.name.rawValue)
    guard made >= 0, let pointer else { throw BusError(errno: made, "the signal cannot be written") }
    let message = BusMessage(owning: pointer)
    try Arguments<repeat each Value>.write(repeat each values, to: message)
    var sent: Int32
    if let destination {
      sent = sd_bus_message_set_destination(pointer, destination.rawValue)
      if sent >= 0 { sent = handle.send(message, to: destination.rawValue) }
    } else {
      sent = sd_bus_send(handle.pointer, pointer, nil)
    }
    guard sent >= 0 else { throw BusError(errno: sent, "the signal cannot be sent") }
  }

  func subscribe(_ rule: MatchRule, _ receiver: any SignalReceiver) async throws(BusError) -> Int {
    let subscription = try await install(rule, receiver)
    nextSubscription += 1
    subscriptions[nextSubscription] = subscription
    return nextSubscription
  }

  func unsubscribe(_ number: Int) { subscriptions.removeValue(forKey: number)?.slot.release() }

  func install(_ rule: MatchRule, _ receiver: any SignalReceiver) async throws(BusError) -> Subscription {
    let box = ReceiverBox(receiver)
    var pointer: OpaquePointer?
    let added = sd_bus_add_match_async(
      try bus(), &pointer, rule.text,
      { message, data, _ in
        guard let message, let data else { return 0 }
        Unmanaged<ReceiverBox>.fromOpaque(data).takeUnretainedValue().receiver
          .receive(BusMessage(borrowing: message))
        return 0
      }, { _, _, _ in 0 }, Unmanaged.passUnretained(box).toOpaque())
    guard added >= 0, let pointer else { throw BusError(errno: added, "cannot listen for \(rule.member)") }
    let slot = BusSlot(pointer, keeping: box)
    do throws(BusError) {
      // The bus handles the messages of a connection in order, so its reply confirms that the match rule was added.
      _ = try await call(BusDaemon.getID, at: .bus)
    } catch {
      slot.release()
      throw error
    }
    return Subscription(rule: rule, receiver: receiver, slot: slot)
  }
}
