import DBus
import Systemd

/// Slow starts: requests stay queued while an application starts slowly, and their callers learn the reason.
extension DeliveryQueue {
  /// Records that a start is slow after `BrokerLimits.slowStart`.
  ///
  /// - Parameters:
  ///   - how: How the application was started, for the message, such as `process 4711`.
  ///   - begin: The start time; names that appeared since then are part of the message.
  func watchForSlowness(_ how: String, since begin: UInt64 = ProcDirectory.now) -> Task<Void, Never> {
    let limit = dependencies.journal.limits.slowStart
    return BrokerActor.loop.start { [weak self] in
      guard (try? await BrokerActor.loop.sleep(for: limit)) != nil else { return }
      await self?.noteSlowness(how, limit, begin)
    }
  }

  private func noteSlowness(_ how: String, _ limit: Duration, _ begin: UInt64) async {
    let reason = "\(id) did not acquire its bus name within \(limit.components.seconds) s (\(how))"
    while !Task.isCancelled {
      slowStart = slowStart ?? reason
      let others = await namesTaken(since: begin)
      guard !Task.isCancelled else { return }
      slowStart = reason + others
      // The application may acquire another name later.
      try? await BrokerActor.loop.sleep(for: max(limit, .seconds(1)))
    }
  }

  /// Ends the watch when the start is finished.
  func end(_ slowness: Task<Void, Never>) {
    slowness.cancel()
    slowStart = nil
  }
}
