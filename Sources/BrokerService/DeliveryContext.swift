import BrokerCore
import BusInterfaces
import DBus
import State

/// What goes along with one part of a request: where it is written down, how much room it takes, and whom to tell.
struct DeliveryContext: Sendable {
  let journal: RequestJournal
  let share: RequestJournal.Share
  /// The request's number, and the part's place in it.
  let number: Int64
  let place: Int
  /// When it is too old.
  let expires: Int64
  /// What is told of it to the history and to those who watch.
  let note: DeliveryObserver
  /// Makes the whole request as it is to be written down, for one that was not at first.
  let request: @Sendable () -> PendingRequest
  /// Tells the caller how far it has come.
  let progress: @Sendable (Outcome) -> Void
  /// Tells the caller how far the application is with handling it; `nil` where nobody waits for that.
  var handling: ProgressSubscription?

  /// Writes the request down; `false` when that cannot be done.
  func store() -> Bool {
    let request = request()
    return journal.assumeIsolated { $0.add(request) }
  }

  /// Writes down how far the part has come; `false` when that cannot be done.
  func update(
    to progress: PendingRequest.Progress, way: DeliveryMethod? = nil, again: Bool = false,
    result: String? = nil
  ) -> Bool {
    journal.assumeIsolated { journal in
      // A damaged file may have been set aside with all that was in it.
      guard journal.knows(number) || journal.add(request()) else { return false }
      return journal.write { store throws(StateError) in
        try store.update(place, of: number, to: progress, way: way?.rawValue, again: again, result: result)
      }
    }
  }

  /// Writes down that nobody waits for the request any more and that it stays until it is too old; `false` when that cannot be
  /// done.
  func outlivesCaller() -> Bool {
    journal.assumeIsolated { journal in
      guard journal.knows(number) || journal.add(request()) else { return false }
      return journal.write { store throws(StateError) in try store.outlivesCaller(number) }
    }
  }

  func release() { journal.assumeIsolated { $0.release(share) } }

  /// A point at which a test may end the process.
  func pass() { journal.assumeIsolated { $0.pass() } }
}
