// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus

/// The answer to a request in the form that the broker keeps for a caller that repeats the request.
///
/// It has neither a link nor the path of a file, and its size does not depend on the length of the links.
struct KeptAnswer: Sendable {
  let result: Result<Receipt, BusError>
  /// The approximate size in bytes.
  let size: Int

  init(_ result: Result<Receipt, BusError>) {
    switch result {
    case .success(let receipt):
      let kept = receipt.kept
      self.result = .success(kept)
      size = kept.size
    case .failure(let error):
      let message = Refusal.withoutPath(error.message).shortened(toBytes: Delivery.maximumText)
      // The receipt is the only content of the details.
      let receipt = error.details.isEmpty ? nil : (try? Receipt(error.details))?.kept
      self.result = .failure(BusError(error.name, message, details: receipt?.entries ?? [:]))
      size = (receipt?.size ?? 0) + message.utf8.count
    }
  }
}

extension Receipt {
  fileprivate var kept: Receipt {
    Receipt(
      requestID: requestID, deliveries: deliveries.map { $0.kept(among: deliveries.count) },
      outcome: outcome, others: others)
  }

  fileprivate var size: Int { deliveries.reduce(others.size) { $0 + $1.size } }
}

extension Delivery {
  /// Returns the delivery as the broker keeps it: without the text and the links of a question, which only the first answer
  /// needs, and with as much of its message as is left if all messages of a request share their space.
  ///
  /// - Parameter count: The number of deliveries of its request.
  func kept(among count: Int) -> Delivery {
    var kept = self
    (kept.question, kept.titles, kept.urls) = (nil, nil, nil)
    let limit = min(Self.maximumText, BrokerLimits.keptMessages / max(1, count))
    kept.message = message.map { Refusal.withoutPath($0).shortened(toBytes: limit) }
    return kept
  }

  /// The approximate size in bytes that the delivery takes in memory.
  var size: Int {
    let texts =
      [application, message, question].compactMap(\.self) + (choices ?? []) + (titles ?? []) + (urls ?? [])
    return texts.reduce(256 + others.size + (value?.encodedSize ?? 0)) { $0 + 16 + $1.utf8.count }
  }
}
