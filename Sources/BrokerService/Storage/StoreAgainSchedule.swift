// SPDX-License-Identifier: Apache-2.0
import Systemd

/// The schedule by which requests in progress are stored again after their file was lost, until that has succeeded.
///
/// They are stored at most once a second, so that a broken disk does not occupy the broker. The pauses between later attempts double up
/// to a minute.
@BrokerActor
final class StoreAgainSchedule {
  /// A Boolean value that indicates whether requests in progress are to be stored again, because their file was replaced or damaged.
  private(set) var isNeeded = false
  /// A Boolean value that indicates whether they are being stored again.
  private var isRunning = false
  /// The time at which that was last tried; `nil` if it may be tried at once.
  private var triedAt: ContinuousClock.Instant?
  /// The timer of the next attempt; `nil` if none is planned.
  private var timer: LoopTimer?
  private var backoff = Backoff(from: BrokerLimits.storing, upTo: BrokerLimits.longestStoringPause)
  /// Called when the next attempt is due.
  var tryAgain: @BrokerActor () -> Void = {}

  /// Notes that the file was lost with the requests in it.
  func noteLoss() {
    isNeeded = true
    runLater()
  }

  /// Notes that a request is not in the file that has replaced a lost one, and could not be added to it.
  func noteMissing() { isNeeded = true }

  /// Notes that something could not be written, which may be one of the requests that are being stored again.
  func noteFailedWrite() { isNeeded = isNeeded || isRunning }

  /// Permits the next attempt at once.
  func permitNow() { triedAt = nil }

  /// Stores the requests by `body` if that is needed and permitted now.
  ///
  /// What is left is stored later.
  func run(_ body: () -> Void) {
    defer { runLater() }
    guard isNeeded, triedAt.map({ .now - $0 > BrokerLimits.storing }) ?? true else { return }
    (isNeeded, triedAt, isRunning) = (false, .now, true)
    body()
    isRunning = false
  }

  /// Plans the next attempt after a pause, if one is needed.
  func runLater() {
    guard isNeeded else { return backoff.reset() }
    guard timer == nil else { return }
    timer = LoopTimer(on: BrokerActor.loop, after: backoff.next()) { [weak self] in
      BrokerActor.loop.start { self?.runNow() }
    }
  }

  private func runNow() {
    timer = nil
    if isNeeded { tryAgain() }
  }
}
