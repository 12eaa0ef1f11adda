// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Glibc

extension BrokerConnection {
  /// The number of broker restarts without a delay; later ones are delayed, because all waiting callers repeat their calls at once.
  private static let quickBrokers = 10
  /// The longest wait for a lost bus to be restored.
  private static let busAbsence = Duration.seconds(5)

  /// Opens URLs through the broker, and repeats the request under the same ID if the broker or the bus is lost.
  ///
  /// It is not repeated after the broker has declared the outcome unknown, because the next broker has no record of the
  /// request.
  ///
  /// - Parameters:
  ///   - wasSent: `true` if a broker may have received the request by another path.
  ///   - ending: the event after which the caller does not need the receipt any more.
  ///   - report: receives the application's progress reports if the caller waits for them.
  ///   - givenUp: called when the user at the terminal cancels the request, regardless of its outcome.
  static func open(
    _ urls: [String], _ options: OpenOptions, within timeout: Duration, wasSent: Bool = false,
    until ending: RequestSession.Ending? = nil, progress report: RequestSession.Output? = nil,
    givenUp: (() -> Void)? = nil
  ) throws(Failure) -> [String: Variant] {
    let end = ContinuousClock.now + timeout
    var lost: Failure? = wasSent ? .answered(BusError(.noReply, "the broker exited")) : nil
    var link = try first(by: end, lost)
    let session = RequestSession(
      about: options.requestID ?? "", canBeGivenUp: options.wait == .handled && options.requestID != nil,
      until: ending, progress: report, givenUp: givenUp)
    // The connection retains the session, and SIGINT must have its default effect again.
    defer { session.stopListening() }
    session.listen(link.bus)
    var options = options
    options.isFirstAttempt = options.requestID != nil && !wasSent
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
        // After a broker has received the request, a failed reconnection is no reason to open the URL in this process.
        guard case .answered(let failure) = error else { throw lost ?? error }
        lost = error
        options.isFirstAttempt = false
        guard options.requestID != nil, !session.isUncertain, !session.isGivenUp, ContinuousClock.now < end
        else {
          throw error
        }
        switch failure.busFailure {
        case .noReply: continue
        case .disconnected:
          guard let again = reconnected(by: min(end, .now + busAbsence)) else { throw error }
          link = again
          session.listen(link.bus)
        default: throw error
        }
      }
    }
  }

  /// Returns a connection to the broker, and waits for the bus if the connection was `lost`.
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
      // Polls, because no signal reports the return of the bus before there is a connection.
      usleep(50_000)
    }
    return nil
  }
}
