// SPDX-License-Identifier: Apache-2.0
public import Glibc

/// Waits for descriptors, for a caller that waits for nothing else.
public enum Polling {
  /// Waits until one of `descriptors` has a requested event, which is set in its `revents`.
  ///
  /// Returns `false` if `deadline` passes before. A signal does not interrupt the wait.
  public static func wait(for descriptors: inout [pollfd], by deadline: ContinuousClock.Instant) -> Bool {
    while true {
      // Rounded up, because otherwise the loop would spin in the last millisecond.
      let left = (max(.zero, deadline - .now) / .milliseconds(1)).rounded(.up)
      let ready = poll(&descriptors, nfds_t(descriptors.count), Int32(min(left, 86_400_000)))
      if ready >= 0 || errno != EINTR { return ready > 0 }
    }
  }

  /// Waits until `descriptor` is readable; returns `false` if `deadline` passes before.
  public static func wait(for descriptor: Int32, by deadline: ContinuousClock.Instant) -> Bool {
    var polled = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
    return wait(for: &polled, by: deadline)
  }
}
