// SPDX-License-Identifier: Apache-2.0
/// The rate limit for progress reports of an application about one request; earlier reports are dropped.
public struct ProgressRate: Sendable {
  /// The minimum time between two reports: twenty per second.
  public static let pause = Duration.milliseconds(50)

  private var last: ContinuousClock.Instant?

  /// Creates a limit without previous reports.
  public init() {}

  /// Returns whether a report at `moment` is passed on.
  public mutating func take(at moment: ContinuousClock.Instant) -> Bool {
    if let last, moment - last < Self.pause { return false }
    last = moment
    return true
  }
}
