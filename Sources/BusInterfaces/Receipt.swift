// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The broker's reply to the caller: one delivery for each target, and the weakest of their outcomes.
public struct Receipt: Hashable, Sendable {
  /// `request-id` s: the ID of the request.
  public let requestID: String
  /// `deliveries` aa{sv}: one for each target, in the order of the request's URLs.
  public let deliveries: [Delivery]
  /// `outcome` s: the weakest outcome of the deliveries.
  public let outcome: Outcome
  /// Keys that Usher does not define, unchanged.
  public let others: [String: Variant]

  /// Creates a receipt for `deliveries`; `outcome` is used only if there are none yet.
  public init(
    requestID: String, deliveries: [Delivery], outcome: Outcome = .accepted, others: [String: Variant] = [:]
  ) {
    self.requestID = requestID
    self.deliveries = deliveries
    self.outcome = deliveries.map(\.outcome).min() ?? outcome
    self.others = others.foreign
  }

  /// The first failed delivery; `nil` if there is none.
  public var failure: Delivery? { deliveries.first { $0.outcome == .failed } }

  /// Returns the exit code of an `usher open` that waited for `goal`: 0 if every delivery has reached it.
  public func exitStatus(waitingFor goal: OpenOptions.Wait) -> Int32 {
    if outcome >= goal.outcome { return 0 }
    guard let failure else {
      return (deliveries.lazy.compactMap(\.error).compactMap(BrokerErrorName.init).first ?? .timeout)
        .exitStatus
    }
    // An error that the broker does not define is an error of the target.
    let name = failure.error.flatMap(BrokerErrorName.init) ?? .targetFailed
    return name.exitStatus
  }
}

extension Receipt {
  /// The `a{sv}` on the bus.
  public var entries: [String: Variant] {
    var entries = others.with(roomFor: 3)
    entries.set(.requestID, .string(requestID))
    entries.set(.outcome, .string(outcome.rawValue))
    entries.set(.deliveries, .array(of: "a{sv}", deliveries.map { .dictionary($0.entries) }))
    return entries
  }

  /// Reads the `a{sv}` of the bus; its `outcome` must be the weakest of its deliveries.
  /// - Throws: ``MessageError`` with the key.
  public init(_ entries: [String: Variant]) throws(MessageError) {
    var fields = DictionaryDecoder(entries)
    guard let requestID = try fields.requestID() else {
      throw MessageError(.missing, at: MessageKey.requestID.rawValue)
    }
    var deliveries: [Delivery] = []
    for (index, delivery) in try (fields.dictionaries(.deliveries) ?? []).enumerated() {
      do { deliveries.append(try Delivery(delivery)) } catch {
        throw error.inside("\(MessageKey.deliveries.rawValue)[\(index)]")
      }
    }
    guard let outcome = try fields.choice(.outcome, of: Outcome.self) else {
      throw MessageError(.missing, at: MessageKey.outcome.rawValue)
    }
    self.init(requestID: requestID, deliveries: deliveries, outcome: outcome, others: entries)
    guard outcome == self.outcome else {
      throw MessageError(
        .wrongValue(allowed: "\(self.outcome.rawValue), the weakest of the deliveries'"),
        at: MessageKey.outcome.rawValue)
    }
  }

  /// The receipt as one line of JSON, with the keys of the bus.
  public var json: String { JSONText.line(entries) }
}
