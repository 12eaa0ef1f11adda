// SPDX-License-Identifier: Apache-2.0
/// A time of the wall clock: milliseconds since 1970-01-01 00:00 UTC, without leap seconds.
public struct WallTime: Hashable, Comparable, Sendable {
  /// The milliseconds.
  public var milliseconds: Int64

  /// Creates a time.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Creates a time from whole seconds since 1970.
  public init(seconds: Int64) { milliseconds = seconds * 1_000 }

  /// The whole seconds since 1970, rounded down.
  public var seconds: Int64 { milliseconds >= 0 ? milliseconds / 1_000 : (milliseconds - 999) / 1_000 }

  /// Orders by time.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.milliseconds < rhs.milliseconds }

  /// Returns the time some milliseconds later.
  public static func + (time: Self, milliseconds: Int64) -> Self {
    WallTime(milliseconds: time.milliseconds + milliseconds)
  }
}
