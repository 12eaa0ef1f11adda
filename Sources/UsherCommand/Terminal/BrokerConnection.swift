// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

/// A connection to the broker or the trigger daemon, which the bus starts if it is not running.
struct BrokerConnection {
  /// A daemon of Usher.
  struct Service {
    let title: String
    let name: BusName
    static let broker = Service(title: "the broker", name: BrokerInterface.busName)
    static let triggers = Service(title: "usher-triggers", name: TriggersInterface.busName)
  }

  /// The reason why the broker gave no answer.
  enum Failure: Error {
    /// The daemon certainly never received the call; the reason completes “…, and”.
    case unreachable(String)
    /// The broker, or the bus while the broker had the call, answered with an error.
    case answered(BusError)
  }

  let bus: BlockingBusConnection
  private let service: Service

  /// Connects, and verifies that the bus answers; after that, a lost connection does not prove that a call was not received.
  init(to service: Service = .broker) throws(Failure) {
    self = try .unanswered(service)
    do throws(BusError) {
      _ = try bus.call(
        BusDaemon.getNameOwner, at: .bus, service.name.rawValue, timeout: .seconds(10))
    } catch {
      guard error.busFailure == .nameHasNoOwner else {
        throw .unreachable("the session bus does not reply (\(error.message))")
      }
    }
  }

  /// Connects without waiting for an answer of the bus, so that the first call detects a bus that does not answer.
  static func unanswered(_ service: Service = .broker) throws(Failure) -> BrokerConnection {
    do throws(BusError) {
      return BrokerConnection(bus: try BlockingBusConnection(.user), service: service)
    } catch {
      throw .unreachable("cannot connect to a session bus (\(error.message))")
    }
  }

  private init(bus: BlockingBusConnection, service: Service) {
    self.bus = bus
    self.service = service
  }

  /// Calls the daemon; if it exited before it acquired its name, the bus is asked to start it once more.
  func ask<Answer>(_ call: (BlockingBusConnection) throws(BusError) -> Answer) throws(Failure) -> Answer {
    var isSecond = false
    while true {
      do throws(BusError) {
        return try call(bus)
      } catch {
        guard let reason = neverArrived(error) else { throw .answered(error) }
        if isSecond || error.busFailure != .exitedAtStart { throw .unreachable(reason) }
        isSecond = true
      }
    }
  }

  /// Returns the reason if `error` proves that the daemon never received the call; otherwise `nil`.
  private func neverArrived(_ error: BusError) -> String? {
    switch error.busFailure {
    case .serviceUnknown, .nameHasNoOwner:
      return
        "\(service.title) is not installed on this session bus (no owner and no activation of \(service.name))"
    case .notSent: return "the session bus does not reply (\(error.message))"
    case .startTimedOut: return "\(service.title) did not start in time (\(error.message))"
    case .notStarted, .exitedAtStart: return "\(service.title) cannot be started (\(error.message))"
    default: return nil
    }
  }
}
