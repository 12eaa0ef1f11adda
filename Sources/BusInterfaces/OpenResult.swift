// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The result of `usher open`: a receipt, or an error with the known state of the request.
public struct OpenResult: Sendable {
  /// The process that made the decision.
  public enum Decider: Sendable {
    /// The broker received the request.
    case broker
    /// This process handled the request.
    case usher
  }

  /// The process that made the decision.
  public let decider: Decider
  private let entries: [String: Variant]
  /// The known deliveries.
  public let deliveries: [Delivery]
  /// The error; `nil` if the requested progress was reached.
  public let failure: (name: ErrorName, message: String)?
  /// The exit status of `usher open`.
  public let exitStatus: Int32
  /// A Boolean value that is `true` if no broker is known to have the request: it gave no answer, or does not know the request.
  public let isLost: Bool

  /// Creates the result of a receipt, compared with the progress that the caller waits for.
  public init(_ receipt: Receipt, waitingFor goal: OpenOptions.Wait, by decider: Decider) {
    self.decider = decider
    entries = receipt.entries
    deliveries = receipt.deliveries
    exitStatus = receipt.exitStatus(waitingFor: goal)
    let reported =
      receipt.failure ?? receipt.deliveries.first { $0.error != nil }
      ?? receipt.deliveries.first { $0.message != nil }
    let name = reported?.error ?? BrokerErrorName.timeout.errorName
    // Only applications that implement Application1 report `handled`.
    let message =
      reported?.message
      ?? "the outcome is “\(receipt.outcome.rawValue)”; only applications that implement "
      + "\(Application1Interface.name.rawValue) report “handled”"
    failure = exitStatus == 0 ? nil : (name, message)
    isLost = false
  }

  /// Creates the result of an error without a receipt.
  public init(_ error: BusError, of requestID: String, by decider: Decider) {
    self.decider = decider
    let receipt = try? Receipt(error.details)
    deliveries = receipt?.deliveries ?? []
    let isUnanswered = error.brokerError == nil && receipt == nil && error.leavesOutcomeUnknown
    isLost = decider == .broker && receipt == nil && (isUnanswered || error.brokerError == .timeout)
    var entries = error.details
    if receipt == nil {
      let outcome: Outcome = isUnanswered || error.brokerError == .timeout ? .unknown : .failed
      entries.merge(Receipt(requestID: requestID, deliveries: [], outcome: outcome).entries) { $1 }
    }
    self.entries = entries
    failure = (
      error.name,
      isUnanswered
        ? "the broker exited or did not reply after it received the request (\(error.message)); it is unknown whether "
          + "the link was opened; check before you try again"
        : error.message
    )
    exitStatus = Self.exitStatus(of: error, hasReceipt: receipt != nil)
  }

  /// A Boolean value that is `true` if no application has the URLs, and neither a prompt nor the exit status for the desktop
  /// says so.
  public var isRejectedSilently: Bool {
    guard let failure, exitStatus != 0, exitCodeForDesktop == 0, !isLost else { return false }
    // An error without deliveries rejects the whole request before it is decided, such as one beyond the limits of the broker.
    guard !deliveries.isEmpty else { return failure.name != BrokerErrorName.cancelled.errorName }
    return deliveries.allSatisfy { $0.outcome == .failed && !$0.wasAsked }
  }

  /// One JSON object: the receipt's keys, with `error` and `message` if there is an error.
  public var json: String { JSONText.line(reported) }

  /// The keys of ``json``.
  public var reported: [String: Variant] {
    var entries = entries
    entries["error"] = failure.map { .string($0.name.rawValue) }
    entries["message"] = failure.map { .string($0.message) }
    return entries
  }

  /// The exit status for a desktop's opener, which tries the next program with the same URL unless it is 0.
  ///
  /// It is 0 as soon as the broker has decided, and whenever trying another program could be wrong: a rejected URL must
  /// not be opened after all, and a URL that may have been opened must not be opened twice. If no broker is known to have
  /// the request, the status reports the error, because losing the link would be worse than opening it twice.
  public var exitCodeForDesktop: Int32 {
    if isLost { return exitStatus }
    guard decider == .usher, let failure, let name = BrokerErrorName(failure.name) else { return 0 }
    switch name {
    case .noHandler, .launchFailed, .needsBus: return name.exitStatus
    default: return 0
    }
  }

  private static func exitStatus(of error: BusError, hasReceipt: Bool) -> Int32 {
    if let name = error.brokerError { return name.exitStatus }
    // With a receipt, an unknown error name is the target's own error.
    if hasReceipt { return BrokerErrorName.targetFailed.exitStatus }
    switch error.name {
    case .accessDenied: return BrokerErrorName.denied.exitStatus
    case .invalidArgs: return BrokerErrorName.invalidRequest.exitStatus
    case "org.freedesktop.DBus.Error.LimitsExceeded": return BrokerErrorName.tooMany.exitStatus
    default: return BrokerErrorName.timeout.exitStatus
    }
  }
}
