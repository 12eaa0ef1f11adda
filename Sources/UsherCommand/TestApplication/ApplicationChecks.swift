// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Freedesktop
import Glibc

/// The checks of an application that serves `org.usher.Application1`, in the order in which they run.
struct ApplicationChecks {
  typealias Check = (name: String, run: () throws(CheckFailure) -> Void)

  let application: ApplicationUnderTest
  /// A link that the application handles, one whose handling takes some seconds, and one for which it reports an error.
  let link: String
  let slowLink, failingLink: String?
  /// A Boolean value that is `true` if the entry declares the interface.
  let isDeclared: Bool

  var all: [Check] {
    [
      ("entry", entry), ("cold-start", coldStart), ("reply", reply), ("stranger", stranger),
      ("next-broker", nextBroker), ("error", error),
      ("unknown-keys", unknownKeys), ("unknown-reason", unknownReason),
      ("invalid-envelope", invalidEnvelope), ("duplicate-answered", duplicateAfterAnswer),
      ("duplicate-in-progress", duplicateInProgress), ("burst", burst), ("order", order),
      ("many", manyReplies), ("limits", limits), ("cancel-answered", cancelAnswered),
      ("cancel-waiting", cancelWaiting),
      ("cancel-running", cancelRunning), ("progress", progress),
      ("duplicate-after-crash", duplicateAfterCrash),
      ("crash-before-reading", crashBeforeReading), ("crash-once", crashOnce),
      ("crash-while-handling", crashWhileHandling), ("unreadable-record", unreadableRecord),
    ]
  }

  // MARK: Single requests

  private func reply() throws(CheckFailure) {
    let reply = try application.handle(application.envelope([link]))
    guard reply.handled else {
      throw .cannotRun("the application did not handle \(link)\(reply.error.map { ": \($0)" } ?? "")")
    }
    let other = try application.handle(application.envelope([link]))
    application.hasConstantReply = reply == other
  }

  private func stranger() throws(CheckFailure) {
    try expectDenied(application.stranger, "a program that is not the broker")
  }

  private func expectDenied(_ caller: BlockingBusConnection, _ name: String) throws(CheckFailure) {
    let deliver = try application.deliver(application.envelope([link]).entries, by: caller)
    try expectDenied(try application.result(of: deliver, by: caller), "Deliver by \(name)")
    let cancel = try application.cancel("1", by: caller)
    try expectDenied(try application.result(of: cancel, by: caller), "Cancel by \(name)")
  }

  private func expectDenied<Value>(_ result: Result<Value, BusError>, _ call: String) throws(CheckFailure) {
    if case .failure(let error) = result, error.name == .accessDenied { return }
    throw .broken(.access, "\(call) gets \(text(result)) instead of AccessDenied")
  }

  private func nextBroker() throws(CheckFailure) {
    _ = try application.handle(application.envelope([link]))
    let former = try application.replaceBroker()
    let result = try application.result(of: try application.deliver(application.envelope([link])))
    guard case .success = result else {
      throw .broken(
        .access,
        "after org.usher.Broker1 changed its owner, a request of the new owner gets \(text(result)) instead of a reply; "
          + "compare the sender of each call with the current owner of the name"
      )
    }
    try expectDenied(former, "the former broker, which does not own org.usher.Broker1 any more,")
  }

  private func error() throws(CheckFailure) {
    guard let failingLink else {
      throw .notChecked("name a link for which the application reports an error with --failing")
    }
    let envelope = application.envelope([failingLink])
    let first = try application.result(of: try application.deliver(envelope))
    if case .failure(let error) = first, error.busFailure == .noReply {
      throw .exited("a request that fails")
    }
    // This error means that the effect is unknown: usher listen returns it for a program that crashes or does not reply.
    if case .failure(let error) = first, error.brokerError == .targetFailed {
      throw .broken(.answer, "a request that fails gets no reply: \(error)")
    }
    if case .success(let entries) = first {
      let reply: Reply
      do throws(MessageError) { reply = try Reply(entries) } catch {
        throw .broken(.answer, "the reply \(text(first)) to a request that fails is invalid: \(error)")
      }
      guard !reply.handled, reply.error?.isEmpty == false else {
        throw .broken(
          .answer, "a request that fails gets \(reply.json) instead of “handled” false and an “error”")
      }
    }
    let second = try application.result(of: try application.deliver(envelope))
    guard isSame(first, second) else {
      throw .broken(
        .repeat,
        "a repeated request that failed gets \(text(second)) instead of the first reply \(text(first))")
    }
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
    let other = application.envelope([link])
    let beside = try application.deliver(other)
    let (isInProgress, reports) = (calls[0].result == nil, application.progress.count)
    let third = try application.deliver(envelope)
    let first = try application.reply(to: calls[0])
    for call in [calls[1], third] {
      try expectSame(first, try application.reply(to: call), clause: .join, moment: "while it is handled")
    }
    _ = try application.reply(to: beside)
    if slowLink != nil {
      application.slowRequestID = envelope.requestID
      guard isInProgress else { throw tooFast }
    }
    let isNamed = { (report: (id: String, entries: [String: Variant])) in
      report.id == envelope.requestID && report.entries.isEmpty
    }
    // Only an application that handles several at a time has to name them.
    guard isInProgress, (beside.order ?? 0) < (calls[0].order ?? 0),
      application.progress.prefix(reports).contains(where: isNamed)
    else { return }
    guard application.progress.dropFirst(reports).contains(where: isNamed) else {
      throw .broken(
        .one,
        "the application handles two requests at a time, but sends no new Progress signal with the request ID when Deliver is "
          + "called again for a running request")
    }
  }

  private func duplicateAfterCrash() throws(CheckFailure) {
    let envelope = application.envelope([link])
    let first = try application.handle(envelope)
    try application.crashAndRestart()
    try expectSame(
      first, try application.handle(envelope), clause: .repeat, moment: "after its answer and a crash")
  }

  func expectSame(
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
    let order = handlingOrder(of: envelopes, calls)
    let wrong = zip(order, envelopes).filter { $0 != $1.requestID }.count
    guard wrong == 0 else {
      throw .broken(
        .order,
        "the application handled \(wrong) of \(count) requests out of order; it must handle requests in the order of arrival, or "
          + "send Progress when it begins each one"
      )
    }
  }

  private func manyReplies() throws(CheckFailure) {
    let count = try number(32...Self.rememberedReplies - 1, in: .seconds(2))
    let envelope = application.envelope([link])
    let first = try application.handle(envelope)
    var left = count
    while left > 0 {
      var calls: [ApplicationUnderTest.Pending] = []
      for _ in 1...min(left, 100) { calls.append(try application.deliver(application.envelope([link]))) }
      for call in calls { _ = try application.reply(to: call) }
      left -= calls.count
    }
    try expectSame(
      first, try application.handle(envelope), clause: .repeat, moment: "after \(count) other requests")
  }

  /// The number of replies that an application remembers at least.
  private static let rememberedReplies = 1_000

  private func limits() throws(CheckFailure) {
    let pid = try application.processID()
    let long = link + String(repeating: "x", count: (1 << 20) - link.utf8.count)
    var annotated = application.envelope([link])
    var value: PropertyList = .string(String(repeating: "x", count: 60_000))
    for _ in 1...15 { value = .array([value]) }
    annotated.annotation = value
    let count = try number(16...RequestSize.maximumURLs)
    // An application answers a reason that it does not know without opening the URLs.
    var unopened = application.envelope(Array(repeating: link, count: RequestSize.maximumURLs))
    unopened.reason = LaunchReason(rawValue: "org.example.reason")
    let requests = [
      ("a URL of 1 MiB", application.envelope([long])),
      ("\(RequestSize.maximumURLs) URLs and an unknown reason", unopened),
      ("\(count) URLs", application.envelope(Array(repeating: link, count: count))),
      ("an annotation of 60 kB, nested 15 deep", annotated),
    ]
    for (name, envelope) in requests {
      switch try application.result(of: try application.deliver(envelope)) {
      case .success(let entries):
        do throws(MessageError) { _ = try Reply(entries) } catch {
          throw .broken(.answer, "the reply to \(name) is invalid: \(error)")
        }
      case .failure(let error) where error.busFailure == .noReply: throw .exited("a request with \(name)")
      case .failure(let error): throw .broken(.limits, "a request with \(name) gets \(error)")
      }
    }
    guard try application.processID() == pid else { throw .exited("a large request") }
  }

  /// Returns how many links the application handles in a time, within `range`.
  private func number(
    _ range: ClosedRange<Int>, in limit: Duration = .seconds(5)
  ) throws(CheckFailure) -> Int {
    let time = try application.handlingTime(of: link)
    return min(max(Int(limit / max(time, .microseconds(1))), range.lowerBound), range.upperBound)
  }

  // MARK: Cancelled requests

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
    let hadEnded = first.result != nil
    let result = try application.result(of: second)
    _ = try application.reply(to: first)
    switch result {
    case .success where hadBegun: return
    case .failure(let error) where hadBegun:
      guard error.brokerError == .cancelled else {
        throw .broken(.stop, "a request that was cancelled while it was handled fails with \(error)")
      }
    case .success where (second.order ?? 0) < (first.order ?? 0):
      throw .notChecked(
        "the request was handled while the slow one was in progress, so it could not be cancelled")
    case _ where hadEnded || wasAnswered && (try? result.get()) != nil: throw tooFast
    case .success(let entries):
      throw .broken(
        .withdraw,
        "a request that was cancelled while it waited gets \(JSONText.line(entries)) instead of Cancelled")
    case .failure(let error) where error.brokerError == .cancelled:
      guard wasAnswered else {
        throw .broken(.withdraw, "Cancel returns before the cancelled request is answered with Cancelled")
      }
      let repeated = try application.result(of: try application.deliver(waiting))
      guard isSame(result, repeated) else {
        throw .broken(
          .withdraw,
          "a request that was cancelled while it waited gets \(text(repeated)) instead of Cancelled when it is repeated"
        )
      }
    case .failure(let error):
      throw .broken(
        .withdraw, "a request that was cancelled while it waited fails with \(error) instead of Cancelled")
    }
  }

  private func cancelRunning() throws(CheckFailure) {
    let envelope = application.envelope([try slow()])
    let call = try application.deliver(envelope)
    try waitForBegin(of: envelope)
    let usual = try timeAndOrder(ofCancel: RequestID.random()).time
    let wasRunning = call.result == nil
    let (time, order) = try timeAndOrder(ofCancel: envelope.requestID)
    let first = try application.result(of: call)
    if case .failure(let error) = first, error.brokerError != .cancelled {
      throw .broken(.stop, "a request that was cancelled while it was handled fails with \(error)")
    }
    // On a busy machine, every call takes longer.
    guard !wasRunning || time < max(.milliseconds(500), usual * 10) else {
      throw .broken(
        .stop,
        "Cancel of a running request returns after \(time / .milliseconds(1)) ms instead of at once; Deliver gets \(text(first))"
      )
    }
    if case .failure = first, wasRunning, let order, (call.order ?? order) < order {
      throw .broken(
        .stop,
        "Deliver of a running request fails with Cancelled before Cancel returns, so that the broker reports that the "
          + "request was certainly not handled; reply to Cancel first")
    }
    let second = try application.result(of: try application.deliver(envelope))
    guard isSame(first, second) else {
      throw .broken(
        .repeat, "a cancelled request that is repeated gets \(text(second)) instead of \(text(first))")
    }
    try reply()
    guard wasRunning else { throw tooFast }
  }

  /// Cancels a request that is running or unknown, and returns how long the call takes, and the position of its reply.
  private func timeAndOrder(ofCancel id: String) throws(CheckFailure) -> (time: Duration, order: Int?) {
    let begin = ContinuousClock.now
    let call = try application.cancel(id)
    if case .failure(let error) = try application.result(of: call) {
      throw .broken(.stop, "Cancel of a running request fails with \(error)")
    }
    return (ContinuousClock.now - begin, call.order)
  }

  // MARK: Progress

  private func progress() throws(CheckFailure) {
    try expectNoLateProgress()
    let url = try slow()
    // An earlier check has handled the link, which takes seconds.
    let id: String
    if let earlier = application.slowRequestID {
      id = earlier
    } else {
      let envelope = application.envelope([url])
      _ = try application.handle(envelope)
      id = envelope.requestID
    }
    try application.roundTrip()
    try expectNoLateProgress()
    _ = try application.wait(for: .zero, on: application.stranger) { false }
    guard application.broadcast.isEmpty else {
      throw .broken(.progress, "Progress is sent to everyone on the bus, not only to org.usher.Broker1")
    }
    let reports = application.progress.filter { $0.id == id }
    for (_, entries) in reports {
      do throws(MessageError) { _ = try RequestProgress(entries) } catch {
        throw .broken(.progress, "a progress report is invalid: \(error)")
      }
    }
    guard !reports.isEmpty else {
      throw .notChecked("the application reported no progress for \(url)")
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

  private func crashOnce() throws(CheckFailure) {
    let (running, waiting) = (application.envelope([try slow()]), application.envelope([link]))
    let call = try application.deliver(running)
    try waitForBegin(of: running)
    let second = try application.deliver(waiting)
    try application.roundTrip()
    guard call.result == nil else {
      throw .notChecked(
        "the --slow link was handled within a second; give a link whose handling takes two to ten seconds")
    }
    let onlyWaited =
      second.result == nil && !application.progress.contains { $0.id == waiting.requestID }
    try application.crashAndRestart()
    if onlyWaited {
      let reply = try application.handle(waiting)
      guard !reply.isRedelivered else {
        throw .broken(
          .crash,
          "a request that only waited when the application crashed gets \(reply.json) although it had not begun"
        )
      }
    }
    let reply = try application.handle(running)
    guard reply.isRedelivered else {
      throw .broken(
        .crash,
        "a request that a crash interrupted and that is handled once more gets \(reply.json) without “redelivered”"
      )
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
        throw .notChecked(
          "the --slow link was handled within a second; give a link whose handling takes two to ten seconds")
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

  func slow() throws(CheckFailure) -> String {
    guard let slowLink else { throw .notChecked("name a link whose handling takes some seconds with --slow") }
    return slowLink
  }

  /// Waits until a request reports progress or is answered; for a second only, unless an earlier one has reported that it begins.
  func waitForBegin(of envelope: Envelope) throws(CheckFailure) {
    let id = envelope.requestID
    let before = application.progress.count { $0.id == id }
    let hasBegun = try application.wait(for: application.reportsBegin ? application.timeout : .seconds(1)) {
      application.progress.count { $0.id == id } > before || application.isAnswered(id)
    }
    if hasBegun, application.progress.last(where: { $0.id == id })?.entries.isEmpty == true {
      application.reportsBegin = true
    }
  }

  func text<Value>(_ result: Result<Value, BusError>) -> String {
    switch result {
    case .success(let entries as [String: Variant]): JSONText.line(entries)
    case .success: "success"
    case .failure(let error): "\(error)"
    }
  }

  /// Returns whether two results of Deliver are the same; the messages of errors do not matter.
  private func isSame(
    _ first: Result<[String: Variant], BusError>, _ second: Result<[String: Variant], BusError>
  ) -> Bool {
    switch (first, second) {
    case (.success, .success): text(first) == text(second)
    case (.failure(let first), .failure(let second)): first.name == second.name
    default: false
    }
  }
}
