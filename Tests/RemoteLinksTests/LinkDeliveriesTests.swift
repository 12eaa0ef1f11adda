// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import RemoteProtocol
import Testing

@testable import RemoteLinks

/// The deliveries of links to a program on another machine.
@Suite struct `Links for a program on another machine` {
  @Test func `are sent once, however often the broker asks`() {
    var deliveries = LinkDeliveries()
    #expect(deliveries.begin("a", mayHaveBeenSent: false) == .send(number: 1))
    #expect(
      deliveries.begin("a", mayHaveBeenSent: true) == .wait
        && deliveries.begin("a", mayHaveBeenSent: false) == .wait)
    #expect(deliveries.finish(1, .failed("no")) == "a" && deliveries.finish(1, .handled) == nil)
    #expect(deliveries.begin("a", mayHaveBeenSent: true) == .finished(.failed("no")))
    #expect(deliveries.begin("b", mayHaveBeenSent: false) == .send(number: 2))
    #expect(deliveries.finish(7, .handled) == nil)
  }

  @Test func `have at most four kilobytes of the error that the program reports`() {
    let marks = "e" + String(repeating: "\u{301}", count: 500_000)
    let outcome = LinkDeliveries.Outcome(reportedBy: RemoteMessage(.handled, ["error": marks]))
    #expect(outcome == .failed(marks.shortened(toBytes: 4_096)))
    #expect(LinkDeliveries.Outcome(reportedBy: RemoteMessage(.handled)) == .handled)
  }

  @Test func `that another relay may have sent are not sent again`() {
    var deliveries = LinkDeliveries()
    guard case .finished(.unknown) = deliveries.begin("a", mayHaveBeenSent: true) else {
      Issue.record("sent")
      return
    }
    #expect(deliveries.begin("a", mayHaveBeenSent: false) == .send(number: 1))
  }

  @Test func `have an unknown outcome when the connection is lost, and are limited in number`() {
    var deliveries = LinkDeliveries()
    for number in 1...LinkDeliveries.maximumWaiting {
      #expect(deliveries.begin("\(number)", mayHaveBeenSent: false) == .send(number: UInt64(number)))
    }
    #expect(deliveries.begin("more", mayHaveBeenSent: false) == .tooMany)
    #expect(deliveries.finishAll(.unknown("lost")).count == LinkDeliveries.maximumWaiting)
    #expect(deliveries.begin("1", mayHaveBeenSent: true) == .finished(.unknown("lost")))
    // Old outcomes are forgotten, so that they need no more room.
    for number in 1_000..<(1_001 + LinkDeliveries.maximumOutcomes) {
      guard case .send(let sent) = deliveries.begin("\(number)", mayHaveBeenSent: false) else {
        Issue.record("\(number)")
        return
      }
      #expect(deliveries.finish(sent, .handled) == "\(number)")
    }
    #expect(deliveries.begin("1000", mayHaveBeenSent: false) != .finished(.handled))
    #expect(deliveries.begin("1001", mayHaveBeenSent: false) == .finished(.handled))
  }
}
