import CSystemd

/// The events in what was read of an inotify descriptor, in their order; each stands where it was read.
///
/// inotify(7), "Reading events from an inotify file descriptor".
struct FileEvents: Sequence, IteratorProtocol {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  /// The events in these bytes, which must outlive them.
  init(in bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func next() -> UnsafePointer<inotify_event>? {
    let size = MemoryLayout<inotify_event>.size
    guard place + size <= bytes.count, let start = bytes.baseAddress else { return nil }
    let event = (start + place).assumingMemoryBound(to: inotify_event.self)
    // The name stands behind the fixed part.
    place += size + Int(event.pointee.len)
    return event
  }
}
