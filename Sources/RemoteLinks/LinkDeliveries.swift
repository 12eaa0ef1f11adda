// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import RemoteProtocol

/// The deliveries of links to one program on the machine, as a value without connections and clocks.
///
/// A delivery is sent to the program once, however often the broker asks for it.
struct LinkDeliveries {
  /// The outcome of a delivery.
  enum Outcome: Hashable, Sendable {
    /// The program has accepted the links.
    case handled
    /// The program reports a failure, as a sentence for users.
    case failed(String)
    /// It is unknown whether the program has accepted the links, for this reason.
    case unknown(String)
  }

  /// The reaction to a delivery.
  enum Admission: Equatable {
    /// The links are sent with this number.
    case send(number: UInt64)
    /// They were sent, and have no outcome yet.
    case wait
    /// They were sent, with this outcome.
    case finished(Outcome)
    /// Too many deliveries wait for the program.
    case tooMany
  }

  /// The maximum number of deliveries that wait for the program.
  static let maximumWaiting = 32
  /// The maximum number of outcomes that are stored.
  static let maximumOutcomes = 256

  private var waiting: [UInt64: String] = [:]
  private var outcomes: [String: Outcome] = [:]
  /// The IDs of the deliveries with outcomes, the oldest first.
  private var finished: [String] = []
  private var lastNumber: UInt64 = 0

  /// Begins a delivery.
  ///
  /// - Parameter mayHaveBeenSent: Whether the broker may have sent it before, also to another relay.
  mutating func begin(_ requestID: String, mayHaveBeenSent: Bool) -> Admission {
    if let outcome = outcomes[requestID] { return .finished(outcome) }
    if waiting.values.contains(requestID) { return .wait }
    guard !mayHaveBeenSent else {
      return .finished(.unknown("an earlier connection of the machine may have received the link"))
    }
    guard waiting.count < Self.maximumWaiting else { return .tooMany }
    lastNumber += 1
    waiting[lastNumber] = requestID
    return .send(number: lastNumber)
  }

  /// Finishes the delivery of a number, and returns its ID; `nil` if it does not wait.
  mutating func finish(_ number: UInt64, _ outcome: Outcome) -> String? {
    guard let requestID = waiting.removeValue(forKey: number) else { return nil }
    outcomes[requestID] = outcome
    finished.append(requestID)
    if finished.count > Self.maximumOutcomes { outcomes[finished.removeFirst()] = nil }
    return requestID
  }

  /// Finishes all deliveries that wait, and returns their IDs.
  mutating func finishAll(_ outcome: Outcome) -> [String] {
    waiting.keys.sorted().compactMap { finish($0, outcome) }
  }
}

extension LinkDeliveries.Outcome {
  /// Creates the outcome that a client reports, with as much of its error as a receipt has.
  init(reportedBy message: RemoteMessage) {
    self = message["error"].map { .failed($0.shortened(toBytes: Delivery.maximumText)) } ?? .handled
  }
}
