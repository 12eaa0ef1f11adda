// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import Synchronization
import Systemd

/// A cache of chosen handlers that monitors the files of the policy, and is valid until one of them changes.
final class HandlerCache: HandlerCaching {
  private struct State {
    let watch: PathMonitor
    var choices: RecentValues<URLScheme, TargetApplication>
    /// The schemes whose choice depends on files that cannot be monitored.
    var unwatched: Set<URLScheme> = []
  }

  private let state: Mutex<State>

  /// Creates a cache that monitors `places`; `nil` if they cannot be monitored.
  ///
  /// - Parameter trust: The maximum age of a cached choice.
  init?(watching places: [String], trust: Duration) {
    guard let watch = PathMonitor(of: places) else { return nil }
    state = Mutex(
      State(
        watch: watch,
        choices: RecentValues(trust: trust, capacity: BrokerLimits.maximumCachedSchemes)))
  }

  /// A Boolean value that indicates whether nothing has changed; after a change it is `false` permanently.
  var hasNoChanges: Bool { state.withLock { $0.watch.hasNoChanges() } }

  /// A Boolean value that indicates whether nothing has changed, without waiting for the lock.
  ///
  /// It is `false` while another thread holds the lock, for example to monitor a file on a disk that does not respond.
  var isQuietNow: Bool { state.withLockIfAvailable { $0.watch.hasNoChanges() } ?? false }

  func choice(for scheme: URLScheme) -> TargetApplication? {
    // The lock is not waited for, because another thread may hold it for a disk that does not respond.
    let choice = state.withLockIfAvailable { state -> TargetApplication? in
      guard let choice = state.choices[scheme], state.watch.hasNoChanges() else { return nil }
      return choice
    }
    return choice ?? nil
  }

  func keep(_ application: TargetApplication, for scheme: URLScheme, restingOn places: [String]) {
    state.withLock { state in
      guard !state.unwatched.contains(scheme) else { return }
      // A file that was not monitored when it was read may have changed since, so only the next choice is cached.
      let isWatched = places.allSatisfy(state.watch.covers)
      guard isWatched else {
        if !places.allSatisfy(state.watch.add) { state.unwatched.insert(scheme) }
        return
      }
      guard state.watch.hasNoChanges() else { return }
      state.choices.keep(application, for: scheme)
    }
  }
}
