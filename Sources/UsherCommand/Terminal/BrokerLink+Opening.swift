import BusInterfaces
import DBus
import Glibc

extension BrokerLink {
  /// After so many brokers that ended each is given some time: all that wait for it call at once.
  private static let quickBrokers = 10
  /// How long a bus that went may take to come back.
  private static let busAbsence = Duration.seconds(5)

  /// Has the broker open URLs, and brings the request to the next one under the same ID when the broker or the bus goes.
  ///
  /// Not when the broker has said that from then on nobody may know: the next one knows nothing of such a request.
  ///
  /// - Parameters:
  ///   - tell: told how far the application is that handles it, where that is waited for.
  ///   - tellGivingUp: called when the person at the terminal withdraws it, whatever becomes of it then.
  static func open(
    _ urls: [String], _ options: OpenOptions, within patience: Duration,
    telling tell: BrokerWord.Telling? = nil, tellGivingUp: (() -> Void)? = nil
  ) throws(Failure) -> [String: Variant] {
    let end = ContinuousClock.now + patience
    var link = try BrokerLink.unanswered()
    let word = BrokerWord(
      about: options.requestID ?? "", canBeGivenUp: options.wait == .handled && options.requestID != nil,
      tell,
      tellGivingUp: tellGivingUp)
    // The connection holds it, and the signal is to do again what it does to any command.
    defer { word.stopListening() }
    word.listen(link.bus)
    var lost: Failure?
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

  private static func reconnected(by end: ContinuousClock.Instant) -> BrokerLink? {
    while ContinuousClock.now < end {
      if let link = try? BrokerLink() { return link }
      // There is nothing yet that could tell that the bus is back.
      usleep(50_000)
    }
    return nil
  }
}
