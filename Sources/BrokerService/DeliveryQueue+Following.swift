import DBus
import Systemd

/// Who has the application's name: asked once, and told by the bus from then on, so that no request waits for the answer.
extension DeliveryQueue {
  /// Follows the owner of `name` as long as there is one.
  ///
  /// The bus tells of a change before it answers what was sent to the one who went.
  func follow(_ name: BusName) {
    guard !isFollowing else { return }
    isFollowing = true
    // Weakly: nobody who lets go of a target has to end this.
    dependencies.loop.start { [weak self] in
      if let owners = await self?.owners(of: name) {
        for await owner in owners {
          await self?.take(owner)
          if owner == nil { break }
        }
      }
      await self?.stopFollowing()
    }
  }

  /// Who has the name, where nothing can have changed that.
  ///
  /// Where something of the bus is unread it may be that the name has gone, or that what was sent before has ended: the bus is to be asked, and
  /// its answer comes behind all that. Else many requests would go to an instance that quits; and brokers that die one after the
  /// other would send all that is left again and again, and never read of its end.
  var knownOwner: BusName? {
    dependencies.bus.assumeIsolated { $0.hasNoUnreadInput } ? followedOwner : nil
  }

  private func owners(of name: BusName) async -> AsyncStream<BusName?>? {
    try? await dependencies.bus.owners(of: name)
  }

  private func take(_ owner: BusName?) { followedOwner = owner }

  private func stopFollowing() {
    followedOwner = nil
    isFollowing = false
  }
}
