// SPDX-License-Identifier: Apache-2.0
/// The outcome of a request or a delivery, weakest first.
public enum Outcome: String, CaseIterable, Comparable, Sendable {
  /// It was certainly not delivered, or was rejected; the delivery's `error` has the reason.
  case failed
  /// It was sent, and its outcome cannot be determined.
  case unknown
  /// The broker has accepted it and will not lose it.
  case accepted
  /// The target has replied, or its program was started.
  case delivered
  /// The target has replied that it handled it.
  case handled

  /// Returns whether `left` is weaker.
  public static func < (left: Outcome, right: Outcome) -> Bool { left.strength < right.strength }

  private var strength: Int { Outcome.allCases.firstIndex(of: self) ?? 0 }
}
