// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Testing

/// The result of a desktop's opener, whose user sees neither its output nor its exit status.
@Suite struct `An error without a receipt` {
  @Test(
    arguments: [
      (BrokerErrorName.tooMany.errorName, .broker), (BrokerErrorName.tooMany.errorName, .usher),
      (BrokerErrorName.denied.errorName, .broker), (BrokerErrorName.invalidRequest.errorName, .broker),
      (BrokerErrorName.invalidURL.errorName, .usher), (.accessDenied, .broker),
      ("org.freedesktop.DBus.Error.UnknownMethod", .broker),
      ("org.freedesktop.DBus.Error.LimitsExceeded", .broker),
    ] as [(ErrorName, OpenResult.Decider)])
  func `rejects the links silently if it is final`(name: ErrorName, decider: OpenResult.Decider) {
    let result = OpenResult(BusError(name, "no"), of: "1", by: decider)
    #expect(result.exitStatus != 0 && result.exitCodeForDesktop == 0 && result.isRejectedSilently)
  }

  @Test(
    arguments: [
      (BrokerErrorName.cancelled.errorName, .broker), (BrokerErrorName.timeout.errorName, .broker),
      (.noReply, .broker), (BrokerErrorName.noHandler.errorName, .usher),
      (BrokerErrorName.needsBus.errorName, .usher),
    ] as [(ErrorName, OpenResult.Decider)])
  func `does not if the user cancelled, the outcome is unknown, or the exit status reports it`(
    name: ErrorName, decider: OpenResult.Decider
  ) {
    #expect(!OpenResult(BusError(name, "no"), of: "1", by: decider).isRejectedSilently)
  }

  @Test func `is reported with its first links`() {
    let notice = FailureNotice(links: (1...7).map { "x:\($0)" }, reason: "too many", mayBeOpened: false)
    #expect(notice.text(for: []).body == "x:1\nx:2\nx:3\nx:4\nx:5\nand 2 more\ntoo many")
  }
}
