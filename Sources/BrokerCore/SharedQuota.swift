/// Room for what waits, shared by callers so that none of them can fill it.
///
/// A caller may hold a third of what remains free afterwards: one alone gets a quarter of the room, two a fifth each, `n` get
/// one part of `n + 3` each. Nothing has to be reserved, and a caller that holds nothing yet gets whatever fits.
///
/// ```swift
/// var room = SharedQuota(capacity: 8)
/// room.take(2, for: "a")   // true: a quarter
/// room.take(1, for: "a")   // false
/// room.take(1, for: "b")   // true
/// ```
public struct SharedQuota: Sendable {
  /// Why there is no room.
  public enum Shortage: Hashable, Sendable {
    /// Too little is left for any caller.
    case full
    /// The caller holds this much, which is its part.
    case part(held: Int)
  }

  /// How many times as much as a caller holds stays free.
  private static let reserve = 3

  /// How much there is.
  public let capacity: Int
  /// How much is taken.
  public private(set) var taken = 0
  private var held: [String: Int] = [:]

  /// Room of which nothing is taken.
  public init(capacity: Int) { self.capacity = capacity }

  /// How much a caller holds.
  public func held(by caller: String) -> Int { held[caller] ?? 0 }

  /// Why `amount` more cannot be taken for `caller`; `nil` if it can.
  public func shortage(of amount: Int, for caller: String) -> Shortage? {
    let (held, left) = (held(by: caller), capacity - taken - amount)
    guard held > 0 else { return left >= 0 ? nil : .full }
    return (held + amount) * Self.reserve <= left ? nil : .part(held: held)
  }

  /// Takes room for a caller; `false`, and nothing is taken, where there is none for it.
  public mutating func take(_ amount: Int, for caller: String) -> Bool {
    guard shortage(of: amount, for: caller) == nil else { return false }
    hold(amount, for: caller)
    return true
  }

  /// Takes room whether there is any or not: for what was accepted before.
  public mutating func hold(_ amount: Int, for caller: String) {
    taken += amount
    held[caller, default: 0] += amount
  }

  /// Gives room back.
  public mutating func release(_ amount: Int, for caller: String) {
    taken -= amount
    let rest = held(by: caller) - amount
    held[caller] = rest > 0 ? rest : nil
  }
}
