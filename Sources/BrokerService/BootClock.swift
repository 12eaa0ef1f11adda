import Glibc

/// Time that goes on while the machine sleeps and begins again with each start of it.
enum BootClock {
  /// Nanoseconds since the machine started.
  static var now: Int64 {
    var moment = timespec()
    clock_gettime(CLOCK_BOOTTIME, &moment)
    return Int64(moment.tv_sec) * 1_000_000_000 + Int64(moment.tv_nsec)
  }

  /// Microseconds since 1970, by the system's clock.
  static var microsecondsSince1970: Int64 {
    var moment = timespec()
    clock_gettime(CLOCK_REALTIME, &moment)
    return Int64(moment.tv_sec) * 1_000_000 + Int64(moment.tv_nsec) / 1_000
  }

  /// The time `duration` from now; what is beyond all time is the last moment there is.
  static func after(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return .max }
    let (sum, isTooLate) = nanoseconds.addingReportingOverflow(now + attoseconds / 1_000_000_000)
    return isTooLate ? .max : sum
  }

  /// How long it is until `moment`, nothing where it is past.
  static func until(_ moment: Int64) -> Duration { .nanoseconds(max(0, moment - now)) }

  /// Tells one start of the machine from another.
  static var session: String {
    let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
