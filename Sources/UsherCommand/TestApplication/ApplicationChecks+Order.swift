// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Freedesktop

/// The checks of the entry, the start, and the order of requests.
extension ApplicationChecks {
  func entry() throws(CheckFailure) {
    guard isDeclared else {
      throw .broken(
        .serve,
        "the entry \(application.id.desktopFileName) does not contain “Implements=\(Application1Interface.name);”"
      )
    }
  }

  /// Sends a request that the application receives together with its name.
  func coldStart() throws(CheckFailure) {
    let call = try application.crashAndRestart(delivering: application.envelope([link]))
    guard case .failure(let error) = try application.result(of: call), error.isOfMissingObject else { return }
    let deadline = ContinuousClock.now + Self.exportTime
    while .now < deadline {
      let next = try application.result(of: try application.deliver(application.envelope([link])))
      guard case .failure(let error) = next, error.isOfMissingObject else {
        throw .broken(
          .serve,
          "a request that arrives as soon as the application owns its bus name fails with \(error.name), and a later one "
            + "does not; export the object before you request the name")
      }
      _ = try application.wait(for: .milliseconds(20)) { false }
    }
    throw .cannotRun(
      (isDeclared ? "the entry of \(application.id) declares \(Application1Interface.name), but " : "")
        + application.notServed(error))
  }

  /// The longest wait for an object that is exported after the bus name was acquired.
  private static let exportTime = Duration.seconds(5)

  /// Sends requests behind a slow one.
  func order() throws(CheckFailure) {
    let slow = application.envelope([try slow()])
    let first = try application.deliver(slow)
    try waitForBegin(of: slow)
    let envelopes = (1...8).map { _ in application.envelope([link]) }
    var calls: [ApplicationUnderTest.Pending] = []
    for envelope in envelopes { calls.append(try application.deliver(envelope)) }
    try application.roundTrip()
    let isInProgress = first.result == nil
    _ = try application.reply(to: first)
    for call in calls { _ = try application.reply(to: call) }
    guard isInProgress else { throw tooFast }
    let beside = zip(envelopes, calls).filter { ($1.order ?? 0) < (first.order ?? 0) }.map(\.0.requestID)
    if let unnamed = ([slow.requestID] + beside).first(where: { !isAnnounced($0) }), !beside.isEmpty {
      throw .broken(
        .one,
        "\(beside.count) of \(envelopes.count) requests were handled while the slow one was in progress, without an empty Progress signal "
          + "that announces \(unnamed == slow.requestID ? "the slow one" : "them")")
    }
    let wrong = zip(handlingOrder(of: envelopes, calls), envelopes).filter { $0 != $1.requestID }.count
    guard wrong == 0 else {
      throw .broken(
        .order,
        "\(wrong) of \(envelopes.count) requests that arrived while the slow one was handled are handled in another order than "
          + "that of their arrival")
    }
  }

  /// Returns the IDs of requests in the order in which they began, as far as the application shows it.
  ///
  /// An application that handles several at a time names each when it begins; otherwise the replies show the order.
  func handlingOrder(of envelopes: [Envelope], _ calls: [ApplicationUnderTest.Pending]) -> [String] {
    let named = application.progress.map(\.id).filter { id in envelopes.contains { $0.requestID == id } }
      .unique
    return named.count == envelopes.count
      ? named : zip(envelopes, calls).sorted { $0.1.order ?? 0 < $1.1.order ?? 0 }.map(\.0.requestID)
  }

  /// Returns whether the first Progress of a request is the empty one that announces it.
  private func isAnnounced(_ id: String) -> Bool {
    application.progress.first { $0.id == id }?.entries.isEmpty == true
  }

  func expectNoLateProgress() throws(CheckFailure) {
    guard application.late.isEmpty else {
      throw .broken(
        .progress, "Progress is sent after the reply to its request, when it is not handled any more")
    }
  }

  /// The reason why a check was not made, because the slow link was not slow.
  var tooFast: CheckFailure {
    .notChecked(
      "\(slowLink ?? link) is handled too fast; name a link whose handling takes two to ten seconds")
  }
}
