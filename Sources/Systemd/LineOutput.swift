// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// Lines for the reader of a pipe, a socket or a terminal, which are written as it reads them, without blocking.
///
/// It is used on the thread of its loop. A file that an event loop cannot watch is written at once, and may block.
public final class LineOutput {
  private let file: NonblockingFile
  private let loop: EventLoop
  private let onWritten: (_ isOpen: Bool) -> Void
  /// The lines that are not written completely.
  private var lines: [(id: String?, bytes: [UInt8])] = []
  /// The number of bytes of the first line that were written.
  private var written = 0
  private var source: EventSource?
  /// A Boolean value that indicates whether the reader has closed a socket without reading everything.
  private var isReset = false

  /// Creates an output without lines.
  ///
  /// - Parameter onWritten: Called after each write, with `false` if nothing more can be written.
  public init(
    _ descriptor: Int32, on loop: EventLoop, _ onWritten: @escaping (_ isOpen: Bool) -> Void
  ) {
    file = NonblockingFile(descriptor)
    self.loop = loop
    self.onWritten = onWritten
  }

  /// Adds a line, with its line ending, and writes as much as the reader has room for.
  ///
  /// - Parameter id: The request that the line contains; `nil` for a line that cannot be removed.
  public func append(_ line: [UInt8], for id: String?) {
    lines.append((id, line))
    write()
  }

  /// Returns whether the line of a request is not written completely.
  public func contains(_ id: String) -> Bool { lines.contains { $0.id == id } }

  /// Removes the line of a request; returns `false` if a part of it was written.
  public func remove(_ id: String) -> Bool {
    guard let index = lines.firstIndex(where: { $0.id == id }), index > 0 || written == 0 else {
      return false
    }
    lines.remove(at: index)
    return true
  }

  /// The data that the reader has not read: a number of bytes, and whether the byte before them is unread, too.
  ///
  /// The number is exact for a pipe. For a socket it is that of the bytes that are not written: the kernel reports how much memory the
  /// others occupy (`SIOCOUTQ`), and discards them when the reader closes its end.
  public var unread: (count: Int, hasMore: Bool) {
    let unwritten = lines.reduce(-written) { $0 + $1.bytes.count }
    switch file.type {
    case S_IFIFO: return (unwritten + size(FIONREAD), false)
    case S_IFSOCK:
      // In this order, because the end may be closed in between.
      let isOccupied = size(TIOCOUTQ) > 0
      var (code, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
      getsockopt(file.descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
      // The kernel reports it once.
      isReset = isReset || code == ECONNRESET
      return (unwritten, isOccupied || isReset)
    default: return (unwritten, false)
    }
  }

  /// Records that a read from `input` failed with `ECONNRESET`, which the kernel reports once.
  ///
  /// It has an effect if that is the socket of the output, too.
  public func noteReset(of input: Int32) {
    var (ours, its) = (stat(), stat())
    guard fstat(file.descriptor, &ours) == 0, fstat(input, &its) == 0 else { return }
    isReset = isReset || (ours.st_dev, ours.st_ino) == (its.st_dev, its.st_ino)
  }

  /// Stops writing.
  public func stop() {
    source?.cancel()
    source = nil
  }

  private func size(_ query: Int32) -> Int {
    var count: Int32 = 0
    return ioctl(file.descriptor, UInt(query), &count) == 0 ? Int(count) : 0
  }

  private func write() { onWritten(writeLines()) }

  /// Writes until the reader has no room; returns `false` if nothing more can be written.
  private func writeLines() -> Bool {
    while let line = lines.first {
      let count = line.bytes[written...].withUnsafeBytes { file.write($0) }
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN, watch() { return true }
        isReset = isReset || errno == ECONNRESET
        stop()
        return false
      }
      written += count
      if written == line.bytes.count {
        lines.removeFirst()
        written = 0
      }
    }
    stop()
    return true
  }

  private func watch() -> Bool {
    if source == nil {
      source = try? EventSource.ready(loop, descriptor: file.descriptor, events: EPOLLOUT.rawValue) {
        self.write()
      }
    }
    return source != nil
  }
}
