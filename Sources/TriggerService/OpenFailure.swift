// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

/// The meaning of an error of `Broker1.Open` for a stored request.
enum OpenFailure: Hashable, Sendable {
  /// The broker exited or did not answer, and may have the request: it is sent again under its ID.
  case unanswered
  /// The request was certainly not delivered, for a reason that passes: it is sent again under another ID, because the broker
  /// gives a known ID its earlier answer.
  case notDelivered
  /// The request was sent to the application, or the broker still delivers it.
  case sent
  /// The broker rejects the request, or the application has failed to handle it.
  case final

  /// Indicates whether the request is sent again.
  var isTransient: Bool { self == .unanswered || self == .notDelivered }

  init(_ error: BusError) {
    switch error.brokerError {
    case nil: self = error.name == .accessDenied ? .final : .unanswered
    case .timeout, .tooMany:
      let outcome = (try? Receipt(error.details))?.outcome ?? .failed
      self = outcome == .failed ? .notDelivered : .sent
    default: self = .final
    }
  }
}
