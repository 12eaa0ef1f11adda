import BrokerCore
import BusInterfaces
import DBus
import State

/// The context of one delivery: its record in the journal, its share of the quotas, and its observers.
@BrokerActor
struct DeliveryContext {
  let journal: RequestJournal
  let quotas: QuotaTracker
  let quota: QuotaShare
  /// The number of the request, and the index of the delivery in it.
  let number: Int64
  let index: Int
  /// The time at which the request expires, in nanoseconds since boot.
  let expires: Int64
  /// The observer for the history and the monitors.
  let observer: DeliveryObserver
  /// Returns the complete request for the journal, if it was not stored at first.
  let request: @BrokerActor () -> PendingRequest
  /// Reports progress to the caller.
  let report: CallerReport

  /// Stores the request; returns `false` if that fails.
  func store() -> Bool { journal.add(request()) }

  /// Stores the progress of the delivery; returns `false` if that fails.
  func update(
    to progress: PendingRequest.Progress, way: DeliveryMethod? = nil, again: Bool = false,
    result: String? = nil
  ) -> Bool {
    // A damaged file may have been moved aside with all its requests.
    guard journal.knows(number) || store() else { return false }
    return journal.write { store throws(StateError) in
      try store.update(index, of: number, to: progress, way: way?.rawValue, again: again, result: result)
    }
  }

  /// Stores that the request outlives its caller until it expires; returns `false` if that fails.
  func retainAfterCaller() -> Bool {
    guard journal.knows(number) || store() else { return false }
    return journal.write { store throws(StateError) in try store.outlivesCaller(number) }
  }

  func release() { quotas.release(quota) }

  /// Lets a test end the process at this point.
  func pass() { journal.pass() }
}
