// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrokerService

@Suite struct `The delay after a request` {
  @Test func `A caller is delayed after a request that was large or exceeded a limit`() {
    #expect(AdmissionTicket.delay(afterURLs: 1, isBeyondLimit: false) == .zero)
    #expect(AdmissionTicket.delay(afterURLs: 16, isBeyondLimit: false) == .zero)
    #expect(AdmissionTicket.delay(afterURLs: 512, isBeyondLimit: false) == .microseconds(51_200))
    #expect(AdmissionTicket.delay(afterURLs: 1, isBeyondLimit: true) == .milliseconds(5))
    #expect(AdmissionTicket.delay(afterURLs: 512, isBeyondLimit: true) == .microseconds(51_200))
    // A request that is rejected for its size is charged a fixed time, not one for each URL.
    #expect(AdmissionTicket.delay(afterURLs: 1_000_000, isBeyondLimit: true) == .milliseconds(100))
  }
}
