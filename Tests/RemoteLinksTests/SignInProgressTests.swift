// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Testing

@testable import RemoteLinks

@Suite struct `The progress of a sign-in before its result` {
  private static let refused = result(wasAsked: true)
  private static let rejected = OpenResult(
    BusError(.invalidRequest, "a request one with different content already exists"), of: "one", by: .broker)
  private static let cancelled = OpenResult(
    BusError(.cancelled, "the request was cancelled while the user was asked"), of: "one", by: .broker)

  private static func result(wasAsked: Bool) -> OpenResult {
    var delivery = Delivery(
      application: nil, outcome: .failed, error: BrokerErrorName.denied.errorName, message: "refused")
    delivery.wasAsked = wasAsked
    return OpenResult(Receipt(requestID: "one", deliveries: [delivery]), waitingFor: .delivered, by: .broker)
  }

  @Test func `begins the pause for each client that gets the refusal`() {
    var signIn = SignInProgress()
    #expect(signIn.consequences(of: Self.refused) == [])
    signIn.request()
    #expect(signIn.consequences(of: Self.rejected) == [])
    signIn.admit()
    // A second client sends the same request.
    signIn.request()
    for _ in 1...2 { #expect(signIn.consequences(of: Self.refused) == [.pause]) }
  }

  @Test func `counts a withdrawal once for all clients`() {
    var signIn = SignInProgress()
    signIn.request()
    #expect(signIn.consequences(of: Self.cancelled) == [])
    signIn.admit()
    signIn.request()
    #expect(signIn.consequences(of: Self.cancelled) == [.withdrawal])
    #expect(signIn.consequences(of: Self.cancelled) == [])
  }

  @Test func `ends an allowed sign-in whose link was not opened, and not because of a rejected repetition`() {
    var signIn = SignInProgress()
    signIn.admit()
    signIn.allow()
    #expect(signIn.consequences(of: Self.rejected) == [])
    #expect(signIn.consequences(of: Self.result(wasAsked: false)) == [.cancel])
    #expect(signIn.consequences(of: Self.cancelled) == [.cancel])
  }
}
