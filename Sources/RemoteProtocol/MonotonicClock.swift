// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The clock for time limits, without the standard library's, which the static client does not need otherwise.
enum MonotonicClock {
  /// The time in milliseconds since the machine was started.
  static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
  }
}
