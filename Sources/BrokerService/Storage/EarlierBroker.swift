// SPDX-License-Identifier: Apache-2.0
/// The traces of an earlier broker of the session that may have sent requests without storing them.
///
/// Callers may repeat such requests, and this broker does not know them. A request outlives its broker by its lifetime at most.
struct EarlierBroker {
  /// The lifetime of its requests.
  private let lifetime: Duration
  /// The time from which requests may be repetitions of those that it did not store.
  private let began = ContinuousClock.now
  /// A Boolean value that indicates whether it may have sent requests that it did not store.
  private var hasCrashed = false
  /// A Boolean value that indicates whether another process has locked the file, which may be a broker that has not stored all it has sent.
  var locksFile = false

  /// Creates the traces of a broker that has exited in order.
  init(lifetime: Duration) { self.lifetime = lifetime }

  /// Notes that the file is that of a broker which has crashed, or was damaged, so that what its broker had sent is not known.
  mutating func noteCrash() { hasCrashed = true }

  /// A Boolean value that indicates whether it has crashed so recently that callers may repeat requests that it did not store.
  var hasCrashedRecently: Bool { hasCrashed && isRecent }

  /// A Boolean value that indicates whether a repeated request may be one that it has sent without storing it.
  var mayHaveSentUnstored: Bool { (hasCrashed || locksFile) && isRecent }

  /// A Boolean value that indicates whether a request may live that it had accepted.
  private var isRecent: Bool { ContinuousClock.now - began < lifetime }
}
