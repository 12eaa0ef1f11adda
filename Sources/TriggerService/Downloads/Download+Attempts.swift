// SPDX-License-Identifier: Apache-2.0
import BrokerService
import Triggers

/// The changes of a download by its attempts.
extension Download {
  /// Records that an attempt begins, which appends to the partial file.
  mutating func begin(_ opened: AttemptFiles.Opened) {
    file.inode = opened.inode
    if !opened.hasPart { part = PartialFile() }
    attempt = (part, BootClock.bootID)
  }

  /// Records the end of an attempt.
  ///
  /// - Returns: The time to the next attempt, in seconds; `nil` if none follows.
  mutating func end(_ attempt: TransferAttempt, at now: WallTime) -> Int64? {
    self.attempt = nil
    switch attempt.verdict {
    case .whole(let whole):
      part = whole
      part.total = whole.count
      lastFailure = nil
      return nil
    case .proceed(let part, let failure):
      self.part = part
      guard mayTransfer else { return nil }
      return retry(
        after: failure, hasProgressed: part.count > attempt.start.count, requested: attempt.retryAfter,
        at: now)
    case .restart(let failure): return restart(after: failure, isCounted: mayTransfer, at: now)
    case .fail(let failure):
      if phase == .transferring { phase = .failed(failure) }
      return nil
    }
  }

  /// Records that the next attempt begins the file again, and returns the time to it as `end` does.
  ///
  /// - Parameter isCounted: `false` if the download is paused or cancelled, so that no attempt follows.
  mutating func restart(after failure: DownloadFailure, isCounted: Bool, at now: WallTime) -> Int64? {
    part = PartialFile()
    attempt = nil
    guard isCounted else { return nil }
    restarts += 1
    guard restarts <= DownloadLimits.restarts else {
      phase = .failed(
        DownloadFailure(
          .changed,
          "the file was begun again \(DownloadLimits.restarts) times, because it changes on the server, or because the server cannot continue an interrupted transfer; try again later"
        ))
      return nil
    }
    return retry(after: failure, at: now)
  }

  /// Records why an attempt ended, and returns the time to the next one as `end` does.
  ///
  /// - Parameter requested: The time that the server has requested, in seconds.
  mutating func retry(
    after failure: DownloadFailure, hasProgressed: Bool = false, requested: Int64? = nil, at now: WallTime
  ) -> Int64? {
    guard phase == .transferring else { return nil }
    let since = hasProgressed ? now : progressDate
    failures = hasProgressed ? 0 : failures + 1
    // The machine may have been off for a week, or have had another clock.
    guard
      now.milliseconds - since.milliseconds < DownloadLimits.giveUpTime
        || failures < DownloadLimits.leastAttempts
    else {
      phase = .failed(
        DownloadFailure(failure.kind, "nothing was received for seven days: \(failure.description)"))
      return nil
    }
    // A clock that was set back must not extend the time for ever.
    progressDate = min(since, now)
    lastFailure = failure
    return TransferAttempt.delay(after: failures, requested: requested)
  }
}
