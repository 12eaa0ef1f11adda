// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Testing

@testable import TriggerService

/// The meaning of the broker's errors for a request of `usher-triggers`.
@Suite struct `A failed call of Open` {
  private func failure(_ error: BrokerErrorName, _ outcome: Outcome = .failed) -> OpenFailure {
    let entries: [String: Variant] = [
      "request-id": "r", "outcome": .string(outcome.rawValue), "deliveries": .array(of: "a{sv}", []),
    ]
    return OpenFailure(BusError(error, "", details: entries))
  }

  @Test func `beyond a limit is repeated under another ID, and is no start of the application`() {
    let failure = failure(.tooMany)
    #expect(failure == .limited && failure.isTransient && failure.needsOtherID && !failure.mayHaveStarted)
    #expect(OpenFailure(BusError(.tooMany, "without a receipt")) == .limited)
  }

  @Test(arguments: [BrokerErrorName.timeout, .cancelled])
  func `that did not reach the application is repeated, and one that did is not`(error: BrokerErrorName) {
    // The broker reports `Cancelled` if it exits before it has sent the request and cannot store it.
    #expect(failure(error) == .notDelivered)
    for outcome in [Outcome.unknown, .accepted, .delivered] {
      #expect(failure(error, outcome) == .sent && !failure(error, outcome).isTransient)
    }
  }

  @Test func `that the broker rejects is no start of the application, and one of the application is`() {
    for error in [BrokerErrorName.denied, .noHandler, .loop, .invalidRequest, .invalidURL, .needsBus] {
      #expect(failure(error) == .rejected && !failure(error).isTransient && !failure(error).mayHaveStarted)
    }
    for error in [BrokerErrorName.targetFailed, .notHandled, .launchFailed] {
      #expect(failure(error) == .failed && !failure(error).isTransient && failure(error).mayHaveStarted)
    }
    #expect(OpenFailure(BusError(.accessDenied, "")) == .rejected)
    let lost = OpenFailure(BusError(.noReply, ""))
    #expect(lost == .unanswered && lost.isTransient && !lost.needsOtherID && !lost.mayHaveStarted)
  }
}
