import BusInterfaces
import DBus

/// The way to the broker; the bus starts it where it is not running.
struct BrokerConnection {
  /// Why there is no answer of the broker's.
  enum Failure: Error {
    /// It certainly never saw the call; the reason completes “…, and”.
    case unreachable(String)
    /// It, or the bus while it had the call, answered with an error.
    case answered(BusError)
  }

  let bus: BlockingBusConnection

  /// Connects, and makes sure that a bus is there: from then on a loss is no proof of anything.
  init() throws(Failure) {
    self = try .unanswered()
    do throws(BusError) {
      _ = try bus.call(
        BusDaemon.getNameOwner, at: .bus, BrokerInterface.busName.rawValue, timeout: .seconds(10))
    } catch {
      guard error.name == .nameHasNoOwner else {
        throw .unreachable("the session bus does not answer (\(error.message))")
      }
    }
  }

  /// Connects and waits for nothing: whether there is a bus that takes calls turns out with the first one.
  static func unanswered() throws(Failure) -> BrokerConnection {
    do throws(BusError) {
      return BrokerConnection(bus: try BlockingBusConnection(.user))
    } catch {
      throw .unreachable("no session bus can be reached (\(error.message))")
    }
  }

  private init(bus: BlockingBusConnection) { self.bus = bus }

  /// Calls the broker; when it ended before it had its name, the bus is asked to start it once more.
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

  /// The reason, when `error` proves that the broker never had the call.
  private static func neverArrived(_ error: BusError) -> String? {
    switch error.name {
    case .serviceUnknown, .nameHasNoOwner:
      return
        "the broker is not installed on this session bus (no owner and no activation of org.usher.Broker1)"
    case .notSent: return "the session bus does not answer (\(error.message))"
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
