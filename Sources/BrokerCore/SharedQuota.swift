// SPDX-License-Identifier: Apache-2.0
/// A quota that callers share so that no caller can exhaust it.
///
/// A caller may hold a third of what remains free afterwards: a single caller gets a quarter of the capacity, two
/// callers get a fifth each, and `n` callers get one part of `n + 3` each. Nothing is reserved, and a caller that holds
/// nothing gets any amount that fits.
///
/// ```swift
/// var room = SharedQuota(capacity: 8)
/// room.take(2, for: "a")   // true: a quarter
/// room.take(1, for: "a")   // false
/// room.take(1, for: "b")   // true
/// ```
public struct SharedQuota: Sendable {
  /// The reason why an amount is not available.
  public enum Shortage: Hashable, Sendable {
    /// Too little is free for any caller.
    case full
    /// The caller holds its share already; `held` is the amount.
    case part(held: Int)
  }

  /// The free amount that must remain, as a multiple of what a caller holds.
  private static let reserve = 3

  /// The total amount.
  public let capacity: Int
  /// The amount in use.
  public private(set) var taken = 0
  /// The amount that each caller holds.
  private(set) var held: [String: Int] = [:]

  /// Creates a quota of which nothing is in use.
  public init(capacity: Int) { self.capacity = capacity }

  /// Returns the amount that a caller holds.
  public func held(by caller: String) -> Int { held[caller] ?? 0 }

  /// Returns the reason why `amount` is not available to `caller`; `nil` if it is.
  public func shortage(of amount: Int, for caller: String) -> Shortage? {
    guard amount > 0 else { return nil }
    let (held, left) = (held(by: caller), capacity - taken - amount)
    guard held > 0 else { return left >= 0 ? nil : .full }
    return (held + amount) * Self.reserve <= left ? nil : .part(held: held)
  }

  /// Acquires an amount for a caller; returns `false`, and acquires nothing, if it is not available.
  public mutating func take(_ amount: Int, for caller: String) -> Bool {
    guard shortage(of: amount, for: caller) == nil else { return false }
    hold(amount, for: caller)
    return true
  }

  /// Acquires an amount even beyond the limits, for requests that were accepted before.
  public mutating func hold(_ amount: Int, for caller: String) {
    guard amount > 0 else { return }
    taken += amount
    held[caller, default: 0] += amount
  }

  /// Releases an amount.
  public mutating func release(_ amount: Int, for caller: String) {
    taken -= amount
    let rest = held(by: caller) - amount
    held[caller] = rest > 0 ? rest : nil
  }
}
