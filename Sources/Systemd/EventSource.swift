// SPDX-License-Identifier: Apache-2.0
import CSystemd

// @unchecked: used only on the loop's thread, which `precondition` enforces.
/// An event source of the loop: a timer, a descriptor or a watched directory.
///
/// It is created, fires and is cancelled on the loop's thread; it retains itself until it is cancelled.
final class EventSource: @unchecked Sendable {
  private let loop: EventLoop
  private var source: OpaquePointer?
  private var handler: (UnsafePointer<inotify_event>?) -> Void

  private init(_ loop: EventLoop, _ handler: @escaping (UnsafePointer<inotify_event>?) -> Void) {
    precondition(loop.isCurrent, "event sources are made on their loop's thread")
    self.loop = loop
    self.handler = handler
  }

  /// Creates a timer that fires once, after `duration`.
  static func timer(
    _ loop: EventLoop, after duration: Duration, _ handler: @escaping () -> Void
  ) throws(SystemdError) -> EventSource {
    let timer = EventSource(loop) { _ in handler() }
    try timer.add("set a timer") { source, data in
      sd_event_add_time_relative(
        loop.event, source, CLOCK_MONOTONIC, duration.microseconds, 1_000,
        { _, _, data in EventSource.fire(data) }, data)
    }
    return timer
  }

  /// Creates a source that fires each time `descriptor` is readable.
  static func readable(
    _ loop: EventLoop, descriptor: Int32, _ handler: @escaping () -> Void
  ) throws(SystemdError) -> EventSource {
    try ready(loop, descriptor: descriptor, events: EPOLLIN.rawValue, handler)
  }

  /// Creates a source that fires each time `descriptor` has one of `events` of `epoll_ctl`, or an error.
  static func ready(
    _ loop: EventLoop, descriptor: Int32, events: UInt32, _ handler: @escaping () -> Void
  ) throws(SystemdError) -> EventSource {
    let watch = EventSource(loop) { _ in handler() }
    try watch.add("watch a descriptor") { source, data in
      sd_event_add_io(
        loop.event, source, descriptor, events, { _, _, _, data in EventSource.fire(data) }, data)
    }
    return watch
  }

  /// Changes the events for which a source of a descriptor fires.
  ///
  /// `epoll_ctl` accepts a descriptor once, so that two sources for one are impossible.
  func setEvents(_ events: UInt32) throws(SystemdError) {
    guard let source else { return }
    try check(sd_event_source_set_io_events(source, events), "watch a descriptor")
  }

  /// Creates a source that fires for each change of `path`.
  static func changes(
    _ loop: EventLoop, of path: String, mask: UInt32,
    _ handler: @escaping (UnsafePointer<inotify_event>?) -> Void
  ) throws(SystemdError) -> EventSource {
    let watch = EventSource(loop, handler)
    try watch.add("watch \(path)") { source, data in
      sd_event_add_inotify(
        loop.event, source, path, mask, { _, event, data in EventSource.fire(data, event) }, data)
    }
    return watch
  }

  /// Cancels the source and releases the handler.
  func cancel() {
    precondition(loop.isCurrent, "event sources are cancelled on their loop's thread")
    guard let source else { return }
    self.source = nil
    handler = { _ in }
    sd_event_source_disable_unref(source)
    Unmanaged.passUnretained(self).release()
  }

  private func add(
    _ operation: @autoclosure () -> String,
    _ body: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutableRawPointer) -> Int32
  ) throws(SystemdError) {
    var source: OpaquePointer?
    try check(body(&source, Unmanaged.passUnretained(self).toOpaque()), operation())
    guard let source else { return }
    // sd-event disables timers and inotify sources only after an error of their handler; these handlers return 0.
    self.source = source
    _ = Unmanaged.passRetained(self)
  }

  private static func fire(
    _ data: UnsafeMutableRawPointer?, _ event: UnsafePointer<inotify_event>? = nil
  ) -> Int32 {
    guard let data else { return 0 }
    let source = Unmanaged<EventSource>.fromOpaque(data).takeUnretainedValue()
    source.handler(event)
    return 0
  }
}

extension Duration {
  /// The duration in whole microseconds, rounded up, and 0 if it is negative.
  public var microseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let whole = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000)
    guard !whole.overflow else { return .max }
    let (sum, overflow) = whole.partialValue.addingReportingOverflow(
      UInt64((attoseconds + 999_999_999_999) / 1_000_000_000_000))
    return overflow ? .max : sum
  }
}
