// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// A monitor of the changes in a directory, for a program with one thread that waits for nothing else.
public final class DirectoryMonitor {
  private let descriptor: Int32
  /// A Boolean value that is `false` after the directory was removed or moved away.
  private var isWatched = true

  /// Watches `directory`.
  ///
  /// - Throws: `SystemdError` if it cannot be watched, for example because it does not exist.
  public init(_ directory: String) throws(SystemdError) {
    descriptor = inotify_init1(Int32(O_CLOEXEC))
    guard descriptor >= 0 else { throw SystemdError("watch directories", code: errno) }
    let mask = IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
    guard inotify_add_watch(descriptor, directory, UInt32(mask)) >= 0 else {
      throw SystemdError("watch \(directory)", code: errno)
    }
  }

  /// Runs after a failed initialization, too.
  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Waits until a file with this name was written or moved here, and 50 ms have passed without a further change.
  ///
  /// Returns `false` if the directory no longer exists there.
  public func waitForChange(of name: String) -> Bool {
    while isWatched {
      let hasChanged = next(of: name)
      guard isWatched, hasChanged else { continue }
      // An editor makes several changes in a row, and the file is complete after the last one.
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while isWatched, poll(&polled, 1, 50) > 0 { _ = next(of: name) }
      return true
    }
    return false
  }

  /// Waits for events; returns whether one of them concerns the file with this name, or says that events were lost.
  private func next(of name: String) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
      var count = read(descriptor, buffer.baseAddress, buffer.count)
      while count < 0, errno == EINTR { count = read(descriptor, buffer.baseAddress, buffer.count) }
      var hasChanged = false
      isWatched = count > 0
      for event in FileEvents(in: UnsafeRawBufferPointer(rebasing: buffer[..<max(0, count)])) {
        if event.pointee.mask & UInt32(IN_IGNORED | IN_MOVE_SELF) != 0 { isWatched = false }
        if event.pointee.mask & UInt32(IN_Q_OVERFLOW) != 0 || entryName(event) == name { hasChanged = true }
      }
      return hasChanged
    }
  }
}
