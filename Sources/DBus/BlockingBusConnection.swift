// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// A bus connection for a program that does nothing else while it waits, such as a command.
///
/// It belongs to the thread that created it. The calls are those of `BusConnection`, without an event loop, a second
/// thread or a task.
public final class BlockingBusConnection {
  let handle: BusHandle
  var bus: OpaquePointer { handle.pointer }
  private var observers: [SignalObserver] = []
  /// The number of calls so far.
  private var calls = 0
  /// The number of replies to calls that did not wait for them.
  var replies = 0
  private var watched: (descriptor: Int32, body: () -> Bool)?
  /// A Boolean value that is `true` if the call that waits was abandoned.
  private var isAbandoned = false

  /// Connects to the bus.
  ///
  /// - Throws: `BusError` named `Disconnected`, with the address and the reason.
  public init(_ address: BusAddress = .user) throws(BusError) {
    handle = try BusHandle(try address.resolved())
  }

  deinit { handle.close(flush: true) }

  /// Calls a method and blocks until the reply arrives.
  ///
  /// The first call is sent together with the authentication, without waiting for the bus's answer.
  ///
  /// - Throws: the error of the reply, `Timeout`, `Disconnected`, or `NotSent` if it is the first call and the bus
  ///   cannot have received it; each with the attempted call.
  public func call<each Input: BusConvertible, each Output: BusConvertible>(
    _ method: BusMethod<Arguments<repeat each Input>, Arguments<repeat each Output>>,
    at addressee: RemoteObject, _ input: repeat each Input, timeout: Duration? = BusConnection.defaultTimeout,
    autoStart: Bool = true
  ) throws(BusError) -> (repeat each Output) {
    do throws(BusError) {
      let message = try BusMessage.call(
        bus, interface: method.interface, member: method.name, at: addressee, autoStart: autoStart)
      try Arguments<repeat each Input>.write(repeat each input, to: message)
      return try Arguments<repeat each Output>.read(
        fromReply: try send(message, timeout: timeout).get(), within: method.replyLimit)
    } catch {
      throw error.attempting(method.interface, method.name, at: addressee)
    }
  }

  /// Returns the unique name of the connection that owns `name`; `nil` if there is none.
  public func owner(of name: BusName) throws(BusError) -> BusName? {
    do throws(BusError) {
      return BusName(try call(BusDaemon.getNameOwner, at: .bus, name.rawValue))
    } catch  where error.busFailure == .nameHasNoOwner {
      return nil
    }
  }

  /// Passes the arguments of each `signal` to `body` that is sent to this connection alone, while a call waits.
  public func observe<each Value: BusConvertible>(
    _ signal: BusSignal<Arguments<repeat each Value>>, _ body: @escaping (repeat each Value) -> Void
  ) {
    let observer = SignalObserver(interface: signal.interface, member: signal.name) { message in
      guard let values = try? Arguments<repeat each Value>.read(from: message) else { return }
      body(repeat each values)
    }
    observers.append(observer)
    sd_bus_add_filter(
      bus, nil,
      { message, data, _ in
        guard let message, let data else { return 0 }
        Unmanaged<SignalObserver>.fromOpaque(data).takeUnretainedValue().see(BusMessage(borrowing: message))
        return 0
      }, Unmanaged.passUnretained(observer).toOpaque())
  }

  /// Calls `body` each time `descriptor` is readable while a call waits, until it returns `false`.
  ///
  /// It may make calls itself.
  public func watch(_ descriptor: Int32, _ body: @escaping () -> Bool) { watched = (descriptor, body) }

  /// Ends the call that waits, from the function of a watched descriptor: it fails as `NoReply`, and its reply is ignored.
  public func abandonCall() { isAbandoned = true }

  private func wait() -> Int32 {
    guard let watched else { return sd_bus_wait(bus, .max) }
    let events = sd_bus_get_events(bus)
    guard events >= 0 else { return events }
    var until: UInt64 = .max
    sd_bus_get_timeout(bus, &until)
    var polled = [
      pollfd(fd: sd_bus_get_fd(bus), events: Int16(truncatingIfNeeded: events), revents: 0),
      pollfd(fd: watched.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let result = poll(&polled, nfds_t(polled.count), Self.milliseconds(until: until))
    guard result >= 0 else { return -errno }
    if polled[1].revents != 0 {
      // Removed while `body` runs, because the calls it makes wait in this function, too.
      self.watched = nil
      if watched.body() { self.watched = watched }
    }
    return result
  }

  /// Returns the time until a deadline in microseconds of the monotonic clock, rounded up to milliseconds; -1 for no deadline.
  private static func milliseconds(until moment: UInt64) -> Int32 {
    guard moment != .max else { return -1 }
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let passed = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1_000
    return moment > passed ? Int32(clamping: (moment - passed) / 1_000 + 1) : 0
  }

  private func send(_ message: BusMessage, timeout: Duration?) -> Result<BusMessage, BusError> {
    calls += 1
    var outcome: Result<BusMessage, BusError>?
    let pending = PendingCall()
    pending.start(handle, message: message, timeout: timeout) { outcome = $0 }
    while true {
      if let outcome { return outcome.mapError(tellingUnsent) }
      // sd_bus_call() is not used, because its errors omit what follows the message text.
      var result = sd_bus_process(bus, nil)
      // The result is also 0 after sd-bus has handled a timeout, and waiting then would never end.
      if result == 0, outcome == nil { result = wait() }
      if isAbandoned {
        isAbandoned = false
        pending.cancel()
        return .failure(BusError(.noReply, "the caller has abandoned the call"))
      }
      if result < 0, result != -EINTR {
        pending.cancel()
        if case .success(let reply)? = outcome { return .success(reply) }
        let reason = String(cString: strerror(-result))
        return .failure(tellingUnsent(BusError(.disconnected, "the connection was lost: \(reason)")))
      }
    }
  }

  /// Returns the loss of the connection as `NotSent` if the first call is still in the queue that waits for authentication.
  ///
  /// After a second call it is unknown which messages of the queue were sent.
  private func tellingUnsent(_ error: BusError) -> BusError {
    var queued: UInt64 = 0
    guard error.busFailure == .disconnected, calls == 1, sd_bus_get_n_queued_write(bus, &queued) >= 0,
      queued > 0
    else { return error }
    return BusError(.notSent, error.message)
  }
}

/// An observer of one kind of signal.
private final class SignalObserver {
  private let interface: InterfaceName
  private let member: MemberName
  private let body: (BusMessage) -> Void

  init(interface: InterfaceName, member: MemberName, _ body: @escaping (BusMessage) -> Void) {
    self.interface = interface
    self.member = member
    self.body = body
  }

  func see(_ message: BusMessage) {
    guard message.interface == interface, message.member == member else { return }
    body(message)
  }
}
