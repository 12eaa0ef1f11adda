// SPDX-License-Identifier: Apache-2.0

/// The calls of an application whose replies are not sent yet.
struct UnsentReplies {
  /// The number of calls, those that deliver no request included.
  private(set) var count = 0
  /// The number of calls that deliver each request, and the actions that wait for their replies.
  private var deliveries: [String: (count: Int, actions: [() -> Void])] = [:]

  /// Adds a call; `requestID` is the request that it delivers.
  mutating func add(_ requestID: String?) {
    count += 1
    if let requestID { deliveries[requestID, default: (0, [])].count += 1 }
  }

  /// Removes a call whose reply is sent, and performs the actions that waited for the last reply to a request.
  mutating func remove(_ requestID: String?) {
    count -= 1
    guard let requestID, let delivery = deliveries[requestID] else { return }
    deliveries[requestID]?.count -= 1
    guard delivery.count == 1 else { return }
    deliveries[requestID] = nil
    for action in delivery.actions { action() }
  }

  /// Performs an action when the replies to all calls that delivered a request are sent; at once if they are.
  mutating func whenSent(_ requestID: String, perform action: @escaping () -> Void) {
    guard deliveries[requestID] != nil else { return action() }
    deliveries[requestID]?.actions.append(action)
  }
}
