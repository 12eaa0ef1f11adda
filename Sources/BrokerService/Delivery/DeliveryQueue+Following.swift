import DBus
import Systemd

/// The followed owner of the application's bus name, which is queried once and then updated from signals of the bus.
extension DeliveryQueue {
  /// Follows the owner of `name` until there is none.
  ///
  /// The bus reports a change of the owner before the error replies to the calls that the old owner had.
  func follow(_ name: BusName) {
    guard !isFollowing else { return }
    isFollowing = true
    // The reference is weak, so that a released queue ends the task.
    BrokerActor.loop.start { [weak self] in
      if let owners = await self?.owners(of: name) {
        for await owner in owners {
          self?.take(owner)
          if owner == nil { break }
        }
      }
      self?.stopFollowing()
    }
  }

  /// The current owner of the name, if it is certain.
  ///
  /// `nil` if the socket has unread messages, because a NameOwnerChanged signal or an error reply may be among them.
  /// The queue then asks the bus, whose reply is ordered after them. Otherwise many requests would be sent to an
  /// instance that is exiting, and a series of crashing brokers would send all pending requests repeatedly without
  /// reading their replies.
  var knownOwner: BusName? {
    dependencies.bus.hasNoUnreadInputNow ? followedOwner : nil
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
