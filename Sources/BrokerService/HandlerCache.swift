import BrokerCore
import Freedesktop
import Synchronization
import Systemd

/// Watches the files that the rules come from, and remembers which applications these choose, for as long as nothing changes.
final class HandlerCache: HandlerCaching {
  private struct Choice {
    let application: TargetApplication
    let made = ContinuousClock.now
  }

  private struct State {
    let watch: PathMonitor
    var choices: [URLScheme: Choice] = [:]
    /// Those that rest on files of which not every change is told.
    var unwatched: Set<URLScheme> = []
  }

  /// How many schemes are remembered.
  private static let most = 64

  private let trust: Duration
  private let state: Mutex<State>

  /// Watches `places`, and believes what it remembers as long as `trust`; `nil` where not every change of them would be told.
  init?(watching places: [String], trust: Duration) {
    guard let watch = PathMonitor(of: places) else { return nil }
    self.trust = trust
    state = Mutex(State(watch: watch))
  }

  /// Whether nothing has changed; once something has, `false` for good.
  var hasNoChanges: Bool { state.withLock { $0.watch.hasNoChanges() } }

  /// The same, without waiting for who begins to watch a file on a disk that does not answer: `false` meanwhile.
  var isQuietNow: Bool { state.withLockIfAvailable { $0.watch.hasNoChanges() } ?? false }

  func choice(for scheme: URLScheme) -> TargetApplication? {
    // Not waited for, as above.
    let choice = state.withLockIfAvailable { state -> TargetApplication? in
      guard let choice = state.choices[scheme], .now - choice.made < trust, state.watch.hasNoChanges()
      else { return nil }
      return choice.application
    }
    return choice ?? nil
  }

  func keep(_ application: TargetApplication, for scheme: URLScheme, restingOn places: [String]) {
    state.withLock { state in
      guard !state.unwatched.contains(scheme) else { return }
      // What was not watched when it was looked at may have changed since: the next choice counts.
      let isWatched = places.allSatisfy(state.watch.covers)
      guard isWatched else {
        if !places.allSatisfy(state.watch.add) { state.unwatched.insert(scheme) }
        return
      }
      guard state.watch.hasNoChanges() else { return }
      if state.choices.count >= Self.most { state.choices = [:] }
      state.choices[scheme] = Choice(application: application)
    }
  }
}
