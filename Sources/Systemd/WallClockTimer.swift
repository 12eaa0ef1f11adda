// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// A timer at a time of the wall clock, which also reports that the clock was set.
///
/// It fires on time after the machine was suspended, and wakes up no thread before (timerfd_create(2), CLOCK_REALTIME with
/// TFD_TIMER_CANCEL_ON_SET). It is created and used on the loop's thread.
public final class WallClockTimer {
  /// The reason why a timer fires.
  public enum Event: Sendable {
    /// The time has come.
    case due
    /// The clock was set, or the machine was resumed and its clock corrected.
    case clockSet
  }

  private let fired: (Event) -> Void
  private let descriptor: Int32
  private var source: EventSource?

  /// Creates a timer without a time; `nil` if the kernel cannot create one.
  public init?(on loop: EventLoop, _ fired: @escaping (Event) -> Void) {
    self.fired = fired
    descriptor = usher_wall_clock_timer()
    guard descriptor >= 0 else { return nil }
    let descriptor = descriptor
    source = try? EventSource.readable(loop, descriptor: descriptor) {
      var count: UInt64 = 0
      let size = read(descriptor, &count, MemoryLayout<UInt64>.size)
      if size == MemoryLayout<UInt64>.size { fired(.due) } else if errno == ECANCELED { fired(.clockSet) }
    }
    guard source != nil else {
      close(descriptor)
      return nil
    }
  }

  /// Sets the time, in milliseconds since 1970; one in the past fires at once.
  ///
  /// Without a time, the timer still reports that the clock was set. If it was set shortly before, this call reports it.
  public func set(at milliseconds: Int64?) {
    // 0 would stop the timer. The latest time is that of a signed 64-bit number of nanoseconds.
    let time = min(max(milliseconds ?? .max, 1), 9_223_372_036_000)
    // The timer is armed, and the event that was not read is lost (timerfd_settime, TFD_TIMER_CANCEL_ON_SET).
    if usher_set_wall_clock_timer(descriptor, time) != 0, errno == ECANCELED { fired(.clockSet) }
  }

  /// Stops the timer and closes it.
  public func cancel() {
    guard let source else { return }
    source.cancel()
    self.source = nil
    close(descriptor)
  }
}
