// SPDX-License-Identifier: Apache-2.0
/// A delivery in a view.
struct WatchedRequest: Hashable {
  /// The identity of a delivery in a view, in the order of the arrival.
  struct ID: Hashable, Comparable {
    /// The arrival of the request, in microseconds since 1970.
    let arrival: Int64
    fileprivate let number: Int

    static func < (left: ID, right: ID) -> Bool {
      (left.arrival, left.number) < (right.arrival, right.number)
    }
  }

  let id: ID
  var entry: RequestEntry
  /// A Boolean value that indicates whether the broker exited before it reported the outcome.
  var isInterrupted = false
}

/// The latest deliveries, from the events of the monitor and from the history.
struct WatchedRequests {
  /// The maximum number of deliveries.
  static let maximum = 1_000
  /// The number of deliveries above the maximum at which the oldest are removed, many at once.
  private static let excess = 100
  /// The maximum difference between the arrival of a request in the history and in its events, in microseconds.
  ///
  /// The events have the wall clock of the event and the duration, which are not read at the same instant.
  private static let tolerance: Int64 = 1_000_000

  /// The deliveries, the oldest first; a few more than the maximum.
  private var all: [WatchedRequest] = []
  private var added = 0
  /// The deliveries without an outcome, by their request ID.
  private var unfinished: [String: [WatchedRequest.ID]] = [:]

  /// The deliveries, the oldest first.
  var latest: ArraySlice<WatchedRequest> { all.suffix(Self.maximum) }

  /// The number of deliveries that are in progress.
  var pendingCount: Int { unfinished.values.reduce(0) { $0 + $1.count } }

  /// Returns a delivery; `nil` if it was removed.
  subscript(_ id: WatchedRequest.ID) -> WatchedRequest? { index(of: id).map { all[$0] } }

  /// Adds an entry: to its delivery if that is known, otherwise as a new delivery.
  mutating func add(_ entry: RequestEntry) {
    if let index = index(ofDeliveryOf: entry) {
      all[index].entry.add(entry)
      all[index].isInterrupted = false
      if all[index].entry.isEnded { finish(all[index]) }
      return
    }
    added += 1
    let request = WatchedRequest(id: WatchedRequest.ID(arrival: entry.arrival, number: added), entry: entry)
    all.insert(request, at: firstIndex(notBefore: request.id))
    if !entry.isEnded { unfinished[entry.requestID, default: []].append(request.id) }
    guard all.count >= Self.maximum + Self.excess else { return }
    for oldest in all.prefix(Self.excess) { finish(oldest) }
    all.removeFirst(Self.excess)
  }

  /// Records that the broker has exited, so that the outcome of the deliveries in progress may never be reported.
  mutating func interrupt() {
    for id in unfinished.values.joined() {
      if let index = index(of: id) { all[index].isInterrupted = true }
    }
  }

  private mutating func finish(_ request: WatchedRequest) {
    unfinished[request.entry.requestID]?.removeAll { $0 == request.id }
    if unfinished[request.entry.requestID]?.isEmpty == true { unfinished[request.entry.requestID] = nil }
  }

  private func index(ofDeliveryOf entry: RequestEntry) -> Int? {
    for id in unfinished[entry.requestID] ?? [] {
      if let index = index(of: id), all[index].entry.isSameDelivery(as: entry) { return index }
    }
    // Without a difference of the clocks, the arrival would be enough.
    let start = firstIndex(notBefore: WatchedRequest.ID(arrival: entry.arrival - Self.tolerance, number: 0))
    let end = firstIndex(notBefore: WatchedRequest.ID(arrival: entry.arrival + Self.tolerance, number: 0))
    return all[start..<end].firstIndex { $0.entry.isSameDelivery(as: entry) }
  }

  private func index(of id: WatchedRequest.ID) -> Int? {
    let index = firstIndex(notBefore: id)
    return index < all.count && all[index].id == id ? index : nil
  }

  private func firstIndex(notBefore id: WatchedRequest.ID) -> Int {
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
