// SPDX-License-Identifier: Apache-2.0
/// The starts of one application for pushes in the background, whose number in an hour is limited.
///
/// The server of an application decides when it pushes, and must not be able to start a program without end.
public struct BackgroundStarts: Hashable, Sendable {
  private static let hour: Int64 = 3_600_000

  /// The times of the recent starts, the earliest first.
  private var times: [WallTime]

  /// Creates a record of earlier starts.
  public init(_ times: [WallTime] = []) { self.times = times.sorted() }

  /// The earliest time of a start that can limit one at `now`.
  public static func horizon(at now: WallTime) -> WallTime { now + -hour }

  /// Records a start.
  public mutating func record(at now: WallTime) {
    // A time in the future comes from a clock that was wrong, and would limit starts for too long.
    times = times.filter { $0 > Self.horizon(at: now) && $0 <= now } + [now]
  }

  /// Returns the milliseconds until the application may be started; 0 if it may be started now.
  public func delay(at now: WallTime) -> Int64 {
    let recent = times.filter { $0 > Self.horizon(at: now) && $0 <= now }
    guard recent.count >= NotificationLimits.backgroundStarts else { return 0 }
    return recent[recent.count - NotificationLimits.backgroundStarts].milliseconds + Self.hour
      - now.milliseconds
  }
}
