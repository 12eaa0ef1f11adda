// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The clock CLOCK_BOOTTIME, which includes the time in suspend and restarts with each boot.
enum BootClock {
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

  /// Returns the time `duration` from now, in nanoseconds since boot; `Int64.max` if it overflows.
  static func after(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return .max }
    let (sum, isTooLate) = nanoseconds.addingReportingOverflow(now + attoseconds / 1_000_000_000)
    return isTooLate ? .max : sum
  }

  /// Returns the duration until `moment`, in nanoseconds since boot; zero if it has passed.
  static func until(_ moment: Int64) -> Duration { .nanoseconds(max(0, moment - now)) }

  /// The boot ID of the kernel, which differs for each boot; empty if it cannot be read.
  static var session: String {
    let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
