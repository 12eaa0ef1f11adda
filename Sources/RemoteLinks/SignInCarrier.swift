// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import DBus
import RemoteProtocol

/// The carrier of the answers of sign-ins from the browser to the programs on the machine that wait for them.
@BrokerActor
protocol SignInCarrier: AnyObject {
  /// A Boolean value that indicates whether answers can still be carried.
  var isConnected: Bool { get }

  /// Returns the error for a sign-in of a request whose answer cannot be carried; `nil` if it can.
  ///
  /// Its message has no links, because the broker logs and stores it.
  func obstacle(to request: RemoteRequest, at port: UInt16) -> BusError?

  /// Expects the answer of a sign-in, which the request with this ID of a client has begun.
  func expect(_ signIn: SignIn, for id: String)

  /// Carries the answer of a sign-in, and reports the result with ``SignIn/apply(_:)``.
  func carry(_ request: CarriedRequest, of signIn: SignIn)

  /// Forgets a sign-in of which nothing is left.
  func forget(_ signIn: SignIn)
}
