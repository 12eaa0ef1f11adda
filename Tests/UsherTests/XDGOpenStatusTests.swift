// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Testing

@testable import UsherCommand

@Suite struct `The exit status of xdg-open` {
  private static func status(_ outcomes: [Outcome]) -> XDGOpen.Status {
    let deliveries = outcomes.map {
      Delivery(
        application: "org.example.A", outcome: $0, error: BrokerErrorName.timeout.errorName, message: "")
    }
    let receipt = Receipt(requestID: "r", deliveries: deliveries)
    return XDGOpenStatus(OpenResult(receipt, waitingFor: .delivered, by: .broker))
  }

  @Test func `is 0 where the broker has the link and delivers it later`() {
    #expect(Self.status([.accepted]) == .success)
    #expect(Self.status([.accepted, .delivered]) == .success)
  }

  @Test func `is 0 where an application may have handled the link`() {
    #expect(Self.status([.unknown]) == .success)
    #expect(Self.status([.accepted, .unknown]) == .success)
    #expect(Self.status([.failed, .unknown]) == .failed)
  }

  @Test func `is 4 where a link was withdrawn`() {
    #expect(Self.status([.failed]) == .failed)
    #expect(Self.status([.accepted, .failed]) == .failed)
  }
}
