// SPDX-License-Identifier: Apache-2.0
/// The pauses between attempts that fail: each is twice as long as the one before, up to a maximum.
package struct Backoff: Sendable {
  private let first: Duration
  private let longest: Duration
  private var pause: Duration

  /// Creates pauses that begin with `first`.
  package init(from first: Duration = .seconds(1), upTo longest: Duration = .seconds(60)) {
    self.first = first
    self.longest = longest
    pause = first
  }

  /// Returns the pause before the next attempt.
  package mutating func next() -> Duration {
    defer { pause = min(pause * 2, longest) }
    return pause
  }

  /// Begins with the first pause again, because an attempt has succeeded.
  package mutating func reset() { pause = first }
}
