import BrokerCore
import BusInterfaces
import DBus
import State

/// The context of one delivery: its record in the journal, its share of the quotas, and its observers.
struct DeliveryContext: Sendable {
  let journal: RequestJournal
  let share: RequestJournal.Share
  /// The number of the request, and the index of the part in it.
  let number: Int64
  let place: Int
  /// The time at which the request expires, in nanoseconds since boot.
  let expires: Int64
  /// The observer for the history and the monitors.
  let note: DeliveryObserver
  /// The function that returns the complete request for the journal, if it was not stored at first.
  let request: @Sendable () -> PendingRequest
  /// Reports progress to the caller.
  let progress: @Sendable (Outcome) -> Void
  /// Forwards the application's progress to the caller; `nil` if the caller does not wait for it.
  var handling: ProgressSubscription?

  /// Stores the request; returns `false` if that fails.
  func store() -> Bool {
    let request = request()
    return journal.assumeIsolated { $0.add(request) }
  }

  /// Stores the progress of the part; returns `false` if that fails.
  func update(
    to progress: PendingRequest.Progress, way: DeliveryMethod? = nil, again: Bool = false,
    result: String? = nil
  ) -> Bool {
    journal.assumeIsolated { journal in
      // A damaged file may have been moved aside with all its requests.
      guard journal.knows(number) || journal.add(request()) else { return false }
      return journal.write { store throws(StateError) in
        try store.update(place, of: number, to: progress, way: way?.rawValue, again: again, result: result)
      }
    }
  }

  /// Stores that the request outlives its caller until it expires; returns `false` if that fails.
  func outlivesCaller() -> Bool {
    journal.assumeIsolated { journal in
      guard journal.knows(number) || journal.add(request()) else { return false }
      return journal.write { store throws(StateError) in try store.outlivesCaller(number) }
    }
  }

  func release() { journal.assumeIsolated { $0.release(share) } }

  /// Lets a test end the process at this point.
  func pass() { journal.assumeIsolated { $0.pass() } }
}
