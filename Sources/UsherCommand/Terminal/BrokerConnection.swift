// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

/// A connection to the broker, which the bus starts if it is not running.
struct BrokerConnection {
  /// The reason why the broker gave no answer.
  enum Failure: Error {
    /// The broker certainly never received the call; the reason completes “…, and”.
    case unreachable(String)
    /// The broker, or the bus while the broker had the call, answered with an error.
    case answered(BusError)
  }

  let bus: BlockingBusConnection

  /// Connects, and verifies that the bus answers; after that, a lost connection does not prove that a call was not received.
  init() throws(Failure) {
    self = try .unanswered()
    do throws(BusError) {
      _ = try bus.call(
        BusDaemon.getNameOwner, at: .bus, BrokerInterface.busName.rawValue, timeout: .seconds(10))
    } catch {
      guard error.name == .nameHasNoOwner else {
        throw .unreachable("the session bus does not reply (\(error.message))")
      }
    }
  }

  /// Connects without waiting for an answer of the bus, so that the first call detects a bus that does not answer.
  static func unanswered() throws(Failure) -> BrokerConnection {
    do throws(BusError) {
      return BrokerConnection(bus: try BlockingBusConnection(.user))
    } catch {
      throw .unreachable("cannot connect to a session bus (\(error.message))")
    }
  }

  private init(bus: BlockingBusConnection) { self.bus = bus }

  /// Calls the broker; if it exited before it acquired its name, the bus is asked to start it once more.
  func ask<Answer>(_ call: (BlockingBusConnection) throws(BusError) -> Answer) throws(Failure) -> Answer {
    var isSecond = false
    while true {
      do throws(BusError) {
        return try call(bus)
      } catch {
        guard let reason = Self.neverArrived(error) else { throw .answered(error) }
        if isSecond || !Self.mayComeBack(error) { throw .unreachable(reason) }
        isSecond = true
      }
    }
  }

  /// Returns the reason if `error` proves that the broker never received the call; otherwise `nil`.
  private static func neverArrived(_ error: BusError) -> String? {
    switch error.name {
    case .serviceUnknown, .nameHasNoOwner:
      return
        "the broker is not installed on this session bus (no owner and no activation of org.usher.Broker1)"
    case .notSent: return "the session bus does not reply (\(error.message))"
    case "org.freedesktop.DBus.Error.TimedOut":
      return "the broker did not start in time (\(error.message))"
    default:
      let isOfStarting = startErrors.contains { error.name.rawValue.hasPrefix($0) }
      return isOfStarting ? "the broker cannot be started (\(error.message))" : nil
    }
  }

  private static func mayComeBack(_ error: BusError) -> Bool {
    error.name.rawValue.hasPrefix("org.freedesktop.DBus.Error.Spawn.Child")
  }

  private static let startErrors = ["org.freedesktop.DBus.Error.Spawn.", "org.freedesktop.systemd1."]
}
