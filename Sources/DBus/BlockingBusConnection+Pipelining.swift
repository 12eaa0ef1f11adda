// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Systemd

/// A reply that a blocking connection receives while it waits, to a call that it sent before.
public final class BlockingReply<Value> {
  /// The reply or the error; `nil` until it has arrived.
  public fileprivate(set) var result: Result<Value, BusError>?
  /// The position of the reply among all replies of the connection; `nil` until it has arrived.
  public fileprivate(set) var order: Int?

  fileprivate init() {}
}

/// Calls that are sent before the replies to earlier ones have arrived.
extension BlockingBusConnection {
  /// Sends a call without waiting for its reply, which ``wait(by:until:)`` receives.
  ///
  /// - Parameter autoStart: Whether the bus starts the owner of the name, and delivers the call as soon as there is one.
  /// - Throws: the error if the call cannot be sent.
  public func begin<each Input: BusConvertible, each Output: BusConvertible>(
    _ method: BusMethod<Arguments<repeat each Input>, Arguments<repeat each Output>>,
    at addressee: RemoteObject, _ input: repeat each Input, autoStart: Bool = false
  ) throws(BusError) -> BlockingReply<(repeat each Output)> {
    let message = try BusMessage.call(
      bus, interface: method.interface, member: method.name, at: addressee, autoStart: autoStart)
    try Arguments<repeat each Input>.write(repeat each input, to: message)
    let reply = BlockingReply<(repeat each Output)>()
    PendingCall().start(handle, message: message, timeout: nil) { [weak self] result in
      reply.order = self?.replies
      self?.replies += 1
      switch result {
      case .failure(let error): reply.result = .failure(error)
      case .success(let message):
        do throws(BusError) {
          reply.result = .success(
            try Arguments<repeat each Output>.read(fromReply: message, within: method.replyLimit))
        } catch {
          reply.result = .failure(error)
        }
      }
    }
    return reply
  }

  /// Receives messages until `condition` is true; returns `false` if `deadline` passes before.
  ///
  /// - Throws: `Disconnected` if the connection is lost.
  public func wait(
    by deadline: ContinuousClock.Instant, until condition: () -> Bool
  ) throws(BusError) -> Bool {
    while true {
      let result = sd_bus_process(bus, nil)
      guard result >= 0 else { throw BusError(errno: result, "the connection was lost") }
      if condition() { return true }
      if result > 0 { continue }
      let left = deadline - .now
      guard left > .zero else { return false }
      sd_bus_wait(bus, left.microseconds)
    }
  }

  /// Requests a bus name; returns whether this connection owns it now.
  public func acquire(_ name: BusName) throws(BusError) -> Bool {
    // Without a queue: the name belongs to another connection, or to this one.
    try call(BusDaemon.requestName, at: .bus, name.rawValue, 4) == 1
  }

  /// Releases a bus name.
  public func release(_ name: BusName) throws(BusError) {
    _ = try call(BusDaemon.releaseName, at: .bus, name.rawValue)
  }

  /// Receives the signals that match `rule`, also those that are sent to no connection in particular.
  public func subscribe(_ rule: String) throws(BusError) {
    try call(
      BusMethod<Arguments<String>, Arguments<>>("AddMatch", of: BusDaemon.interface, takes: ["rule"]),
      at: .bus, rule)
  }
}
