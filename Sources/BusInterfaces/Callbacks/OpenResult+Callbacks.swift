// SPDX-License-Identifier: Apache-2.0
extension OpenResult {
  /// Returns the longest time to wait for the answer by x-callback-url after the request; `nil` if no application has received the URL.
  ///
  /// An application may answer, and then reply with an error or not at all.
  ///
  /// - Parameter rest: the rest of the caller's timeout.
  package func answerTimeout(rest: Duration) -> Duration? {
    guard let failure else { return rest }
    let isBrokerLost = isLost && BrokerErrorName(failure.name) == nil
    guard isBrokerLost || deliveries.contains(where: \.mayHaveArrived) else {
      return nil
    }
    // An answer that was sent before the error may arrive after it, because it passes through an opener.
    guard exitStatus == BrokerErrorName.timeout.exitStatus else { return .seconds(5) }
    // An answer that has arrived is read although the timeout has expired.
    return max(rest, .seconds(1))
  }
}

extension Delivery {
  /// A Boolean value that indicates whether an application may have the URL.
  fileprivate var mayHaveArrived: Bool {
    outcome == .unknown || kind != nil && error.flatMap { BrokerErrorName($0) } != .launchFailed
  }
}
