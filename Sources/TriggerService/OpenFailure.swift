// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

/// The meaning of an error of `Broker1.Open` for a stored request.
enum OpenFailure: Hashable, Sendable {
  /// The broker exited or did not answer, and may have the request: it is sent again under its ID.
  case unanswered
  /// The broker has reached a limit, and has not tried to deliver the request: it is sent again under another ID.
  case limited
  /// The request was certainly not delivered, for a reason that passes: it is sent again under another ID, because the broker
  /// gives a known ID its earlier answer.
  case notDelivered
  /// The request was sent to the application, or the broker still delivers it.
  case sent
  /// The broker rejects the request, and has started nothing.
  case rejected
  /// The application could not be started, or has failed to handle the request.
  case failed

  /// Indicates whether the request is sent again.
  var isTransient: Bool { self == .unanswered || needsOtherID }

  /// Indicates whether the request is sent again under another ID.
  var needsOtherID: Bool { self == .limited || self == .notDelivered }

  /// Indicates whether the broker has started the application, or may have tried to.
  var mayHaveStarted: Bool {
    switch self {
    case .notDelivered, .sent, .failed: true
    // A broker that has the request starts the application once, and reports it under the same ID.
    case .unanswered: false
    case .limited, .rejected: false
    }
  }

  init(_ error: BusError) {
    let outcome = (try? Receipt(error.details))?.outcome ?? .failed
    switch error.brokerError {
    case nil: self = error.name == .accessDenied ? .rejected : .unanswered
    case .tooMany: self = outcome == .failed ? .limited : .sent
    // This daemon cancels no request. The broker reports a request as cancelled if it exits before it has sent the request
    // and cannot store it, and if the application exits before it has handled it.
    case .timeout, .cancelled: self = outcome == .failed ? .notDelivered : .sent
    case .invalidURL, .noHandler, .denied, .loop, .needsBus, .invalidRequest: self = .rejected
    case .launchFailed, .targetFailed, .notHandled: self = .failed
    }
  }
}
