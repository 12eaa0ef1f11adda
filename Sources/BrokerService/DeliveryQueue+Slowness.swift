import DBus
import Systemd

/// An application that takes its time until it has its name: what waits for it is kept, and its callers are told why.
extension DeliveryQueue {
  /// Notes that the start is slow, once it has lasted as long as `BrokerLimits.slowStart`.
  ///
  /// - Parameters:
  ///   - how: how it was started, for people: `process 4711`.
  ///   - begin: when; names that programs have taken since then are told.
  func watchForSlowness(_ how: String, since begin: UInt64 = ProcDirectory.now) -> Task<Void, Never> {
    let limit = dependencies.journal.limits.slowStart
    return dependencies.loop.start { [weak self, loop = dependencies.loop] in
      guard (try? await loop.sleep(for: limit)) != nil else { return }
      await self?.noteSlowness(how, limit, begin)
    }
  }

  private func noteSlowness(_ how: String, _ limit: Duration, _ begin: UInt64) async {
    let reason = "\(id) did not take its name within \(limit.components.seconds) s (\(how))"
    while !Task.isCancelled {
      slowStart = slowStart ?? reason
      let others = await namesTaken(since: begin)
      guard !Task.isCancelled else { return }
      slowStart = reason + others
      // It may take another name later.
      try? await dependencies.loop.sleep(for: max(limit, .seconds(1)))
    }
  }

  /// Ends the watch: the start is over.
  func end(_ slowness: Task<Void, Never>) {
    slowness.cancel()
    slowStart = nil
  }
}
