// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The clocks of what is stored.
///
/// A stored deadline is a time of CLOCK_BOOTTIME, which includes the time in suspend and restarts with each boot. It is the
/// clock of `ContinuousClock`, with which the broker measures everything that it holds in memory.
package enum BootClock {
  /// Nanoseconds since boot.
  static var now: Int64 {
    var moment = timespec()
    clock_gettime(CLOCK_BOOTTIME, &moment)
    return Int64(moment.tv_sec) * 1_000_000_000 + Int64(moment.tv_nsec)
  }

  /// Microseconds since 1970, from CLOCK_REALTIME.
  static var microsecondsSince1970: Int64 {
    var moment = timespec()
    clock_gettime(CLOCK_REALTIME, &moment)
    return Int64(moment.tv_sec) * 1_000_000 + Int64(moment.tv_nsec) / 1_000
  }

  /// Returns `instant` in microseconds since 1970, from CLOCK_REALTIME.
  static func microsecondsSince1970(at instant: ContinuousClock.Instant) -> Int64 {
    microsecondsSince1970 - microseconds(since: instant)
  }

  /// Returns `instant` in nanoseconds since boot.
  static func nanoseconds(at instant: ContinuousClock.Instant) -> Int64 {
    Int64(clamping: (.nanoseconds(now) + (instant - .now)).attoseconds / 1_000_000_000)
  }

  /// Returns the instant that is `nanoseconds` since boot.
  static func instant(at nanoseconds: Int64) -> ContinuousClock.Instant {
    .now + (.nanoseconds(nanoseconds) - .nanoseconds(now))
  }

  /// Returns the microseconds from `instant` until now.
  static func microseconds(since instant: ContinuousClock.Instant) -> Int64 {
    Int64(clamping: (.now - instant).attoseconds / 1_000_000_000_000)
  }

  /// The boot ID of the kernel, which differs for each boot; empty if it cannot be read.
  package static var bootID: String {
    let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
