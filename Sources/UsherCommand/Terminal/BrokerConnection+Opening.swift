import BusInterfaces
import DBus
import Glibc

extension BrokerConnection {
  /// After so many brokers that ended each is given some time: all that wait for it call at once.
  private static let quickBrokers = 10
  /// How long a bus that went may take to come back.
  private static let busAbsence = Duration.seconds(5)

  /// Has the broker open URLs, and brings the request to the next one under the same ID when the broker or the bus goes.
  ///
  /// Not when the broker has said that from then on nobody may know: the next one knows nothing of such a request.
  ///
  /// - Parameters:
  ///   - wasSent: whether a broker may have it already, by another way.
  ///   - tell: told how far the application is that handles it, where that is waited for.
  ///   - tellGivingUp: called when the person at the terminal withdraws it, whatever becomes of it then.
  static func open(
    _ urls: [String], _ options: OpenOptions, within timeout: Duration, wasSent: Bool = false,
    telling tell: RequestSession.Output? = nil, tellGivingUp: (() -> Void)? = nil
  ) throws(Failure) -> [String: Variant] {
    let end = ContinuousClock.now + timeout
    var lost: Failure? = wasSent ? .answered(BusError(.noReply, "the broker went")) : nil
    var link = try first(by: end, lost)
    let word = RequestSession(
      about: options.requestID ?? "", canBeGivenUp: options.wait == .handled && options.requestID != nil,
      tell,
      tellGivingUp: tellGivingUp)
    // The connection holds it, and the signal is to do again what it does to any command.
    defer { word.stopListening() }
    word.listen(link.bus)
    var brokers = 0
    while true {
      brokers += 1
      if brokers > quickBrokers { usleep(100_000) }
      do throws(Failure) {
        return try link.ask { bus throws(BusError) in
          try bus.call(
            BrokerInterface.open, at: BrokerInterface.broker, urls, options.entries, timeout: end - .now)
        }
      } catch {
        // Once a broker has had it, what keeps us from the next is no reason to open it ourselves.
        guard case .answered(let failure) = error else { throw lost ?? error }
        lost = error
        guard options.requestID != nil, !word.isUncertain, !word.isGivenUp, ContinuousClock.now < end else {
          throw error
        }
        switch failure.name {
        case .noReply: continue
        case .disconnected:
          guard let again = reconnected(by: min(end, .now + busAbsence)) else { throw error }
          link = again
          word.listen(link.bus)
        default: throw error
        }
      }
    }
  }

  /// The way to the broker, waited for where it was `lost`.
  private static func first(
    by end: ContinuousClock.Instant, _ lost: Failure?
  ) throws(Failure) -> BrokerConnection {
    do throws(Failure) {
      return try BrokerConnection.unanswered()
    } catch {
      guard let lost else { throw error }
      guard let link = reconnected(by: min(end, .now + busAbsence)) else { throw lost }
      return link
    }
  }

  private static func reconnected(by end: ContinuousClock.Instant) -> BrokerConnection? {
    while ContinuousClock.now < end {
      if let link = try? BrokerConnection() { return link }
      // There is nothing yet that could tell that the bus is back.
      usleep(50_000)
    }
    return nil
  }
}
