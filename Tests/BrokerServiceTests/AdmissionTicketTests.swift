// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrokerService

@Suite struct `The delay after a request` {
  @Test func `A caller is delayed while many of its requests wait`() {
    #expect(AdmissionTicket.delay(afterURLs: 1, isBeyondLimit: false, waiting: 65) == .milliseconds(1))
    #expect(AdmissionTicket.delay(afterURLs: 512, isBeyondLimit: false, waiting: 65) == .microseconds(51_200))
  }

  @Test func `A caller is delayed after a request that was large or exceeded a limit`() {
    #expect(AdmissionTicket.delay(afterURLs: 1, isBeyondLimit: false, waiting: 64) == .zero)
    #expect(AdmissionTicket.delay(afterURLs: 16, isBeyondLimit: false, waiting: 64) == .zero)
    #expect(AdmissionTicket.delay(afterURLs: 512, isBeyondLimit: false, waiting: 64) == .microseconds(51_200))
    #expect(AdmissionTicket.delay(afterURLs: 1, isBeyondLimit: true, waiting: 65) == .milliseconds(5))
    #expect(AdmissionTicket.delay(afterURLs: 512, isBeyondLimit: true, waiting: 65) == .microseconds(51_200))
    // A request that is rejected for its size is charged a fixed time, not one for each URL.
    #expect(
      AdmissionTicket.delay(afterURLs: 1_000_000, isBeyondLimit: true, waiting: 65) == .milliseconds(100))
  }
}
