// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Freedesktop
import Glibc

/// The checks of an application that serves `org.usher.Application1`, in the order in which they run.
struct ApplicationChecks {
  typealias Check = (name: String, run: () throws(CheckFailure) -> Void)

  let application: ApplicationUnderTest
  /// A link that the application handles, and one whose handling takes some seconds.
  let link: String
  let slowLink: String?

  var all: [Check] {
    [
      ("reply", reply), ("stranger", stranger), ("unknown-keys", unknownKeys),
      ("unknown-reason", unknownReason),
      ("invalid-envelope", invalidEnvelope), ("duplicate-answered", duplicateAfterAnswer),
      ("duplicate-in-progress", duplicateInProgress), ("burst", burst), ("limits", limits),
      ("cancel-answered", cancelAnswered), ("cancel-waiting", cancelWaiting),
      ("cancel-running", cancelRunning), ("progress", progress),
      ("duplicate-after-crash", duplicateAfterCrash),
      ("crash-before-reading", crashBeforeReading),
      ("crash-while-handling", crashWhileHandling),
    ]
  }

  // MARK: Single requests

  private func reply() throws(CheckFailure) {
    let reply = try application.handle(application.envelope([link]))
    guard reply.handled else {
      throw .cannotRun("the application did not handle \(link)\(reply.error.map { ": \($0)" } ?? "")")
    }
  }

  private func stranger() throws(CheckFailure) {
    let stranger = application.stranger
    let delivered = try application.deliver(application.envelope([link]).entries, by: stranger)
    try expectDenied(try application.result(of: delivered, by: stranger), "Deliver")
    try expectDenied(
      try application.result(of: try application.cancel("1", by: stranger), by: stranger), "Cancel")
  }

  private func expectDenied<Value>(_ result: Result<Value, BusError>, _ method: String) throws(CheckFailure) {
    if case .failure(let error) = result, error.name == .accessDenied { return }
    throw .broken(.access, "\(method) by a program that is not the broker: \(text(result))")
  }

  private func unknownKeys() throws(CheckFailure) {
    var envelope = Envelope(
      requestID: RequestID.random(), urls: [link],
      others: [
        "org.example.key": .dictionary(["a": .array(of: "v", [.variant(.int64(1)), .variant(.string("b"))])]),
        "x-number": .uint32(7),
      ])
    envelope.application = application.id.rawValue
    envelope.annotation = ["list": [1, 2.5, true, "text"], "data": PropertyList.data([0, 255])]
    envelope.via = "org.example.Via"
    let reply = try application.handle(envelope)
    guard reply.handled else {
      throw .broken(
        .unknown, "a request with keys that the interface does not name is not handled: \(reply.json)")
    }
  }

  private func unknownReason() throws(CheckFailure) {
    var envelope = application.envelope([])
    envelope.reason = LaunchReason(rawValue: "org.example.reason")
    let reply = try application.handle(envelope)
    guard !reply.handled, reply.error == nil else {
      throw .broken(
        .unknown, "a request with an unknown reason gets \(reply.json) instead of “handled” false")
    }
  }

  private func invalidEnvelope() throws(CheckFailure) {
    for entries in [["urls": Variant.strings([link])], ["request-id": .string(RequestID.random())]] {
      let result = try application.result(of: try application.deliver(entries))
      if case .failure(let error) = result, error.brokerError == .invalidRequest { continue }
      throw .broken(
        .invalid,
        "an envelope with only \(entries.keys.joined()) gets \(text(result)) instead of InvalidRequest")
    }
  }

  // MARK: Repeated requests

  private func duplicateAfterAnswer() throws(CheckFailure) {
    let envelope = application.envelope([link])
    let first = try application.handle(envelope)
    try expectSame(first, try application.handle(envelope), clause: .repeat, moment: "after its answer")
    // Other requests in between do not matter.
    _ = try application.handle(application.envelope([link]))
    try expectSame(first, try application.handle(envelope), clause: .repeat, moment: "after its answer")
  }

  private func duplicateInProgress() throws(CheckFailure) {
    let envelope = application.envelope([slowLink ?? link])
    try application.signal(SIGSTOP)
    let calls = [try application.deliver(envelope), try application.deliver(envelope)]
    try application.signal(SIGCONT)
    if slowLink != nil { try waitForBegin(of: envelope) }
    let third = try application.deliver(envelope)
    let first = try application.reply(to: calls[0])
    for call in [calls[1], third] {
      try expectSame(first, try application.reply(to: call), clause: .join, moment: "while it is handled")
    }
  }

  private func duplicateAfterCrash() throws(CheckFailure) {
    let envelope = application.envelope([link])
    let first = try application.handle(envelope)
    try application.crashAndRestart()
    try expectSame(
      first, try application.handle(envelope), clause: .repeat, moment: "after its answer and a crash")
  }

  private func expectSame(
    _ first: Reply, _ second: Reply, clause: Clause, moment: String
  ) throws(CheckFailure) {
    guard first != second else { return }
    throw .broken(
      clause, "a repeated request \(moment) gets \(second.json) instead of the first reply \(first.json)")
  }

  // MARK: Many and large requests

  private func burst() throws(CheckFailure) {
    let count = try number(32...200)
    let envelopes = (1...count).map { _ in application.envelope([link]) }
    try application.signal(SIGSTOP)
    var calls: [ApplicationUnderTest.Pending] = []
    for envelope in envelopes { calls.append(try application.deliver(envelope)) }
    try application.signal(SIGCONT)
    for call in calls {
      let reply = try application.reply(to: call)
      guard reply.handled else { throw .broken(.answer, "one of \(count) requests gets \(reply.json)") }
    }
    let begun = application.progress.map(\.id).filter { id in envelopes.contains { $0.requestID == id } }
    var seen: Set<String> = []
    let named = begun.filter { seen.insert($0).inserted }
    // An application that handles several at a time names each when it begins; otherwise the replies show the order.
    let order =
      named.count == envelopes.count
      ? named : zip(envelopes, calls).sorted { $0.1.order ?? 0 < $1.1.order ?? 0 }.map(\.0.requestID)
    let wrong = zip(order, envelopes).filter { $0 != $1.requestID }.count
    guard wrong == 0 else {
      throw .broken(
        .order,
        "\(wrong) of \(count) requests are handled in another order than that of their arrival, and not named by Progress"
      )
    }
  }

  private func limits() throws(CheckFailure) {
    let pid = try application.processID()
    let long = link + String(repeating: "x", count: (1 << 20) - link.utf8.count)
    var annotated = application.envelope([link])
    var value: PropertyList = .string(String(repeating: "x", count: 60_000))
    for _ in 1...15 { value = .array([value]) }
    annotated.annotation = value
    let count = try number(16...Self.maximumURLs)
    // An application answers a reason that it does not know without opening the URLs.
    var unopened = application.envelope(Array(repeating: link, count: Self.maximumURLs))
    unopened.reason = LaunchReason(rawValue: "org.example.reason")
    let requests = [
      ("a URL of 1 MiB", application.envelope([long])),
      ("\(Self.maximumURLs) URLs and an unknown reason", unopened),
      ("\(count) URLs", application.envelope(Array(repeating: link, count: count))),
      ("an annotation of 60 kB, nested 15 deep", annotated),
    ]
    for (name, envelope) in requests {
      switch try application.result(of: try application.deliver(envelope)) {
      case .success(let entries):
        do throws(MessageError) { _ = try Reply(entries) } catch {
          throw .broken(.answer, "the reply to \(name) is invalid: \(error)")
        }
      case .failure(let error) where error.name == .noReply: throw .exited("a request with \(name)")
      case .failure(let error):
        guard error.brokerError == .targetFailed else {
          throw .broken(.limits, "a request with \(name) gets \(error)")
        }
      }
    }
    guard try application.processID() == pid else { throw .exited("a large request") }
  }

  /// The number of URLs that one request may have.
  private static let maximumURLs = 512

  /// Returns how many links the application handles in five seconds, within `range`.
  private func number(_ range: ClosedRange<Int>) throws(CheckFailure) -> Int {
    let time = try application.handlingTime(of: link)
    return min(
      max(Int(Duration.seconds(5) / max(time, .microseconds(1))), range.lowerBound), range.upperBound)
  }

  // MARK: Withdrawn requests

  private func cancelAnswered() throws(CheckFailure) {
    let envelope = application.envelope([link])
    let first = try application.handle(envelope)
    for id in [envelope.requestID, RequestID.random()] { try expectSuccess(ofCancel: id) }
    try expectSame(
      first, try application.handle(envelope), clause: .repeat, moment: "after its answer and a Cancel")
  }

  private func expectSuccess(ofCancel id: String) throws(CheckFailure) {
    if case .failure(let error) = try application.result(of: try application.cancel(id)) {
      throw .broken(.withdraw, "Cancel of a request that is answered or unknown fails with \(error)")
    }
  }

  private func cancelWaiting() throws(CheckFailure) {
    let slow = application.envelope([try slow()])
    let first = try application.deliver(slow)
    try waitForBegin(of: slow)
    let waiting = application.envelope([link])
    let second = try application.deliver(waiting)
    let cancel = try application.cancel(waiting.requestID)
    if case .failure(let error) = try application.result(of: cancel) {
      throw .broken(.withdraw, "Cancel of a waiting request fails with \(error)")
    }
    let wasAnswered = second.result != nil
    // An application that handles several requests at a time had begun this one, which then did not wait.
    let hadBegun = application.progress.contains { $0.id == waiting.requestID }
    let result = try application.result(of: second)
    _ = try application.reply(to: first)
    switch result {
    case .success where hadBegun: return
    case .failure(let error) where hadBegun:
      guard error.brokerError == .cancelled else {
        throw .broken(.stop, "a request that was withdrawn while it was handled fails with \(error)")
      }
    // Handled before the application could read the Cancel, or handled beside the first one.
    case .success where wasAnswered || (second.order ?? 0) < (first.order ?? 0): return
    case .success(let entries):
      throw .broken(
        .withdraw,
        "a request that was withdrawn while it waited gets \(JSONText.line(entries)) instead of Cancelled")
    case .failure(let error) where error.brokerError == .cancelled:
      guard wasAnswered else {
        throw .broken(.withdraw, "Cancel returns before the withdrawn request is answered with Cancelled")
      }
    case .failure(let error):
      throw .broken(
        .withdraw, "a request that was withdrawn while it waited fails with \(error) instead of Cancelled")
    }
  }

  private func cancelRunning() throws(CheckFailure) {
    let envelope = application.envelope([try slow()])
    let call = try application.deliver(envelope)
    try waitForBegin(of: envelope)
    if case .failure(let error) = try application.result(of: try application.cancel(envelope.requestID)) {
      throw .broken(.stop, "Cancel of a running request fails with \(error)")
    }
    let first = try application.result(of: call)
    if case .failure(let error) = first, error.brokerError != .cancelled {
      throw .broken(.stop, "a request that was withdrawn while it was handled fails with \(error)")
    }
    let second = try application.result(of: try application.deliver(envelope))
    guard text(first) == text(second) else {
      throw .broken(
        .repeat, "a withdrawn request that is repeated gets \(text(second)) instead of \(text(first))")
    }
    try reply()
  }

  // MARK: Progress

  private func progress() throws(CheckFailure) {
    let envelope = application.envelope([try slow()])
    _ = try application.handle(envelope)
    _ = try application.wait(for: .zero, on: application.stranger) { false }
    guard application.broadcast.isEmpty else {
      throw .broken(.progress, "Progress is sent to everyone on the bus, not only to org.usher.Broker1")
    }
    let reports = application.progress.filter { $0.id == envelope.requestID }
    for (_, entries) in reports {
      do throws(MessageError) { _ = try RequestProgress(entries) } catch {
        throw .broken(.progress, "a progress report is invalid: \(error)")
      }
    }
    guard !reports.isEmpty else {
      throw .notChecked("the application reported no progress for \(try slow())")
    }
  }

  // MARK: Crashes

  private func crashBeforeReading() throws(CheckFailure) {
    let envelope = application.envelope([link])
    try application.signal(SIGSTOP)
    let call = try application.deliver(envelope)
    try application.crashAndRestart()
    guard case .failure = try application.result(of: call) else {
      throw .notChecked("the application had read the request")
    }
    let reply = try application.handle(envelope)
    guard reply.handled else {
      throw .broken(
        .crash, "a request that a crash interrupted gets \(reply.json) when it is delivered again")
    }
  }

  private func crashWhileHandling() throws(CheckFailure) {
    let envelope = application.envelope([try slow()])
    for number in 1...2 {
      let call = try application.deliver(envelope)
      try waitForBegin(of: envelope)
      guard call.result == nil else {
        guard number == 1 else {
          throw .broken(
            .crash,
            "a request that a crash interrupted is not handled again: \(text(try application.result(of: call)))"
          )
        }
        throw .notChecked("the slow link is handled within a second")
      }
      try application.crashAndRestart()
    }
    let result = try application.result(of: try application.deliver(envelope))
    guard case .failure(let error) = result, error.brokerError == .targetFailed else {
      throw .broken(
        .crash,
        "a request that two crashes interrupted gets \(text(result)) instead of TargetFailed; it may be handled a third time"
      )
    }
    try reply()
  }

  // MARK: -

  private func slow() throws(CheckFailure) -> String {
    guard let slowLink else { throw .notChecked("name a link whose handling takes some seconds with --slow") }
    return slowLink
  }

  /// Waits until a request reports progress, or for a second.
  private func waitForBegin(of envelope: Envelope) throws(CheckFailure) {
    let before = application.progress.filter { $0.id == envelope.requestID }.count
    _ = try application.wait(for: .seconds(1)) {
      application.progress.filter { $0.id == envelope.requestID }.count > before
    }
  }

  private func text<Value>(_ result: Result<Value, BusError>) -> String {
    switch result {
    case .success(let entries as [String: Variant]): JSONText.line(entries)
    case .success: "success"
    case .failure(let error): "\(error.name)"
    }
  }
}
