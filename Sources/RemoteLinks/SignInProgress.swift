// SPDX-License-Identifier: Apache-2.0
import BusInterfaces

/// The progress of the sign-in that a request begins, until its result is known, as a value without connections and clocks.
///
/// All clients that have sent the request share it, so that a second client with the ID of the first changes nothing about what follows from
/// the answer of the user.
struct SignInProgress {
  /// An effect of a result on the machine.
  enum Consequence: Equatable {
    /// The user has not allowed the sign-in, so that the machine may not ask for a while.
    case pause
    /// The machine has withdrawn the sign-in while the user was asked.
    case withdrawal
    /// Nothing was opened, so that no answer will arrive.
    case cancel
  }

  private enum State {
    /// The link in the request begins it.
    case requested
    /// The broker asks the user.
    case admitted
    /// The machine has withdrawn it, and that was counted.
    case withdrawn
    /// The user has allowed it.
    case allowed
  }

  private var state: State?
  /// A Boolean value that indicates whether the user has allowed a sign-in of the request; a fallback may begin another one.
  private var hasAllowed = false

  /// A Boolean value that indicates whether the request is known to begin a sign-in.
  var isKnown: Bool { state != nil }

  /// Records that the link in the request begins a sign-in.
  mutating func request() { state = state ?? .requested }

  /// Records that the broker asks the user.
  mutating func admit() { state = .admitted }

  /// Records that the user has allowed it.
  mutating func allow() {
    state = .allowed
    hasAllowed = true
  }

  /// Returns what follows from the result that a client gets.
  mutating func consequences(of result: OpenResult) -> [Consequence] {
    var consequences: [Consequence] = []
    let error = result.failure.flatMap { BrokerErrorName($0.name) }
    if isKnown, state != .allowed, result.deliveries.contains(where: \.wasAsked) {
      consequences.append(.pause)
    } else if state == .admitted, error == .cancelled {
      // Every client of the request gets this result.
      state = .withdrawn
      consequences.append(.withdrawal)
    }
    // A lost request may have been delivered, and one that is rejected because it has the ID of another is not that one.
    let isRejected = error == .invalidRequest && result.deliveries.isEmpty
    if hasAllowed, !result.isLost, !isRejected, result.deliveries.allSatisfy({ $0.outcome == .failed }) {
      consequences.append(.cancel)
    }
    return consequences
  }
}
