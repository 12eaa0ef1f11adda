import BusInterfaces

/// The first reply to each request, so that a request that comes again is answered and not handled again.
struct AnswerMemory {
  /// How many replies are kept; the broker sends again within seconds, not after a thousand others.
  private static let capacity = 1_000

  private var replies: [String: Reply] = [:]
  private var order: [String] = []

  subscript(requestID: String) -> Reply? { replies[requestID] }

  mutating func remember(_ reply: Reply, to requestID: String) {
    guard replies.updateValue(reply, forKey: requestID) == nil else { return }
    order.append(requestID)
    // Dropped by halves, so that it costs nothing on average.
    guard order.count >= 2 * Self.capacity else { return }
    for old in order.prefix(Self.capacity) { replies[old] = nil }
    order.removeFirst(Self.capacity)
  }
}
