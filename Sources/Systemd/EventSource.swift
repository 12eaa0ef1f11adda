import CSystemd

// @unchecked: used on the loop's thread alone, which `precondition` holds it to.
/// Something the loop waits for: a timer, a descriptor, a watched folder.
///
/// It is made, fires and is cancelled on the loop's thread; until it is cancelled it keeps itself alive.
final class EventSource: @unchecked Sendable {
  private let loop: EventLoop
  private var source: OpaquePointer?
  private var handler: (UnsafePointer<inotify_event>?) -> Void

  private init(_ loop: EventLoop, _ handler: @escaping (UnsafePointer<inotify_event>?) -> Void) {
    precondition(loop.isCurrent, "event sources are made on their loop's thread")
    self.loop = loop
    self.handler = handler
  }

  /// Waits for `duration` once.
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

  /// Waits until `descriptor` can be read, each time.
  static func readable(
    _ loop: EventLoop, _ descriptor: Int32, _ handler: @escaping () -> Void
  ) throws(SystemdError) -> EventSource {
    let reader = EventSource(loop) { _ in handler() }
    try reader.add("watch a descriptor") { source, data in
      sd_event_add_io(
        loop.event, source, descriptor, UInt32(EPOLLIN.rawValue),
        { _, _, _, data in EventSource.fire(data) }, data)
    }
    return reader
  }

  /// Waits for changes of `path`, each time.
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

  /// Stops waiting and lets go of the handler.
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
    // sd-event switches timers and inotify off after an error of their handler only; ours return 0.
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
  /// Whole microseconds, rounded up, never negative.
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
