import BusInterfaces
import DBus

/// What became of `usher open`: a receipt, or an error with what is known of the request.
struct OpenResult {
  /// Who decided.
  enum Decider {
    /// The broker had the request.
    case broker
    /// The request was dealt with in this process.
    case usher
  }

  let decider: Decider
  private let entries: [String: Variant]
  /// What is known of the deliveries.
  let deliveries: [Delivery]
  /// What went wrong; `nil` when what was waited for was reached.
  let failure: (name: ErrorName, message: String)?
  let exitCode: Int32
  /// Whether nobody is known to have the request: the broker gave no answer, or the one that answered has not heard of it.
  let isLost: Bool

  /// A receipt, held to what was waited for.
  init(_ receipt: Receipt, waitingFor goal: OpenOptions.Wait, by decider: Decider) {
    self.decider = decider
    entries = receipt.entries
    deliveries = receipt.deliveries
    exitCode = receipt.exitCode(waitingFor: goal)
    let reported = receipt.failure ?? receipt.deliveries.first { $0.error != nil }
    let name = reported?.error ?? BrokerErrorName.timeout.errorName
    // The table of promises: only who serves Application1 says that it has handled something.
    let message =
      reported?.message
      ?? "the request got no further than “\(receipt.outcome.rawValue)”: an application says more only if it serves "
      + Application1Interface.name.rawValue
    failure = exitCode == 0 ? nil : (name, message)
    isLost = false
  }

  /// An error in the place of a receipt.
  init(_ error: BusError, of requestID: String, by decider: Decider) {
    self.decider = decider
    let receipt = try? Receipt(error.details)
    deliveries = receipt?.deliveries ?? []
    let isUnanswered = error.brokerError == nil && receipt == nil && Self.leavesOpen(error.name)
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
        ? "the broker went, or gave no answer, after it was asked (\(error.message)): the link may have been opened "
          + "or not, so look before you try again"
        : error.message
    )
    exitCode = Self.exitCode(of: error, hasReceipt: receipt != nil)
  }

  /// One JSON object: the receipt's keys, and `error` and `message` when there is an error.
  var json: String { JSONText.line(reported) }

  /// The keys of ``json``.
  var reported: [String: Variant] {
    var entries = entries
    entries["error"] = failure.map { .string($0.name.rawValue) }
    entries["message"] = failure.map { .string($0.message) }
    return entries
  }

  /// What the desktop's opener is told, which tries the next program with the same URL when it is not 0.
  ///
  /// So it is 0 as soon as the broker decided, and whenever trying another program could be wrong: what was
  /// denied must not be opened after all, what may have been opened not twice. A link that nobody is known to have is worth more
  /// than that it is not opened twice.
  var exitCodeForDesktop: Int32 {
    if isLost { return exitCode }
    guard decider == .usher, let failure, let name = BrokerErrorName(failure.name) else { return 0 }
    switch name {
    case .noHandler, .launchFailed, .needsBus: return name.exitCode
    default: return 0
    }
  }

  /// Whether an error of the bus leaves open what became of the call.
  private static func leavesOpen(_ name: ErrorName) -> Bool {
    [.noReply, .timeout, .disconnected].contains(name)
  }

  private static func exitCode(of error: BusError, hasReceipt: Bool) -> Int32 {
    if let name = error.brokerError { return name.exitCode }
    // A foreign target's own error is a target that failed.
    if hasReceipt { return BrokerErrorName.targetFailed.exitCode }
    switch error.name {
    case .accessDenied: return BrokerErrorName.denied.exitCode
    case .invalidArgs: return BrokerErrorName.invalidRequest.exitCode
    case "org.freedesktop.DBus.Error.LimitsExceeded": return BrokerErrorName.tooMany.exitCode
    default: return BrokerErrorName.timeout.exitCode
    }
  }
}
