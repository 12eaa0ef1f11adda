public import Glibc

/// Waiting for descriptors by a caller that has nothing else to do.
public enum Polling {
  /// Waits until one of `descriptors` has what it is asked for, and says so in its `revents`.
  ///
  /// `false` when `deadline` passes before. A signal that comes meanwhile ends nothing.
  public static func wait(for descriptors: inout [pollfd], by deadline: ContinuousClock.Instant) -> Bool {
    while true {
      // Rounded up, so that the last moment is not spent in turning round.
      let left = (max(.zero, deadline - .now) / .milliseconds(1)).rounded(.up)
      let ready = poll(&descriptors, nfds_t(descriptors.count), Int32(min(left, 86_400_000)))
      if ready >= 0 || errno != EINTR { return ready > 0 }
    }
  }

  /// The same for something to read from `descriptor`.
  public static func wait(for descriptor: Int32, by deadline: ContinuousClock.Instant) -> Bool {
    var polled = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
    return wait(for: &polled, by: deadline)
  }
}
