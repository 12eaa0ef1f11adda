// SPDX-License-Identifier: Apache-2.0
import BrokerCore

/// The caller of a request: the identity that is charged, the endpoint that receives reports, and the tokens for one window.
struct RequestCaller {
  /// The identity to which quotas and rates are charged.
  let charged: ChargedCaller
  /// The endpoint that asked last; `nil` if an earlier broker received the request.
  ///
  /// A caller may repeat its request on another connection, and to another broker.
  var endpoint: CallerEndpoint? {
    didSet { hasLostBus = false }
  }
  /// A Boolean value that indicates whether the bus of the endpoint was lost; the next one gives its unique name to another program.
  var hasLostBus = false
  /// The tokens of the caller for one window.
  let tokens: CallerTokens

  /// The endpoint, if it can still be reached.
  var reachableEndpoint: CallerEndpoint? { hasLostBus && endpoint?.connection != nil ? nil : endpoint }
}
