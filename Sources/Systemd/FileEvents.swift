// SPDX-License-Identifier: Apache-2.0
import CSystemd

/// A sequence of the events in the bytes that were read from an inotify descriptor, without copying them.
///
/// inotify(7), "Reading events from an inotify file descriptor".
struct FileEvents: Sequence, IteratorProtocol {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  /// Creates a sequence of the events in these bytes, which must outlive it.
  init(in bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func next() -> UnsafePointer<inotify_event>? {
    let size = MemoryLayout<inotify_event>.size
    guard place + size <= bytes.count, let start = bytes.baseAddress else { return nil }
    let event = (start + place).assumingMemoryBound(to: inotify_event.self)
    // The name follows the fixed part.
    place += size + Int(event.pointee.len)
    return event
  }
}
