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

@Suite struct `The wait for an answer by URL` {
  private static let rest = Duration.seconds(200)

  /// Returns the result of a request that failed, with its delivery.
  private static func failed(
    _ name: BrokerErrorName, _ outcome: Outcome, _ kind: Delivery.Kind? = nil
  ) -> OpenResult {
    let delivery = Delivery(
      application: "org.example.Notes", outcome: outcome, kind: kind, error: name.errorName, message: "no")
    let receipt = Receipt(requestID: "1", deliveries: [delivery])
    return OpenResult(BusError(name, "no", details: receipt.entries), of: "1", by: .broker)
  }

  @Test func `ends at once if no application has received the URL`() {
    #expect(Self.failed(.noHandler, .failed).answerTimeout(rest: Self.rest) == nil)
    #expect(Self.failed(.timeout, .failed).answerTimeout(rest: Self.rest) == nil)
    let error = BusError(.denied, "no")
    #expect(OpenResult(error, of: "1", by: .broker).answerTimeout(rest: Self.rest) == nil)
  }

  @Test(arguments: [BrokerErrorName.targetFailed, .notHandled, .cancelled])
  func `ends soon after an error of the application`(_ name: BrokerErrorName) {
    #expect(Self.failed(name, .failed, .running).answerTimeout(rest: Self.rest) == .seconds(5))
  }

  @Test func `lasts for the timeout after a success, and if the outcome is unknown`() {
    let receipt = Receipt(
      requestID: "1", deliveries: [Delivery(application: "org.example.Notes", outcome: .delivered)])
    let opened = OpenResult(receipt, waitingFor: .delivered, by: .broker)
    #expect(opened.answerTimeout(rest: Self.rest) == Self.rest)
    let unknown = Self.failed(.timeout, .unknown, .running)
    #expect(unknown.answerTimeout(rest: Self.rest) == Self.rest)
    // An answer may have arrived before the timeout.
    #expect(unknown.answerTimeout(rest: .zero) == .seconds(1))
    let lost = OpenResult(BusError(.noReply, "the broker exited"), of: "1", by: .broker)
    #expect(lost.answerTimeout(rest: Self.rest) == Self.rest)
  }
}
