// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// A monitor of the changes in a directory, for a program with one thread that waits for nothing else.
public final class DirectoryMonitor {
  private let descriptor: Int32

  /// Watches `directory`.
  ///
  /// - Throws: `SystemdError` if it cannot be watched, for example because it does not exist.
  public init(_ directory: String) throws(SystemdError) {
    descriptor = inotify_init1(Int32(O_CLOEXEC))
    guard descriptor >= 0 else { throw SystemdError("watch directories", code: errno) }
    let mask = IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE_SELF
    guard inotify_add_watch(descriptor, directory, UInt32(mask)) >= 0 else {
      let code = errno
      close(descriptor)
      throw SystemdError("watch \(directory)", code: code)
    }
  }

  deinit { close(descriptor) }

  /// Waits until a file with this name was written or moved here, and 50 ms have passed without a further change.
  ///
  /// Returns `false` if the directory no longer exists.
  public func waitForChange(of name: String) -> Bool {
    while true {
      let change = next()
      guard change.isWatched else { return false }
      guard change.names.contains(name) else { continue }
      // An editor makes several changes in a row, and the file is complete after the last one.
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while poll(&polled, 1, 50) > 0, next().isWatched {}
      return true
    }
  }

  private func next() -> (names: [String], isWatched: Bool) {
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
      var count = read(descriptor, buffer.baseAddress, buffer.count)
      while count < 0, errno == EINTR { count = read(descriptor, buffer.baseAddress, buffer.count) }
      guard count > 0 else { return ([], false) }
      var (names, isWatched): ([String], Bool) = ([], true)
      for event in FileEvents(in: UnsafeRawBufferPointer(rebasing: buffer[..<count])) {
        if event.pointee.mask & UInt32(IN_IGNORED) != 0 { isWatched = false }
        if let name = entryName(event) { names.append(name) }
      }
      return (names, isWatched)
    }
  }
}
