// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// A monitor that calls a function when a file or a symbolic link at a path is created, replaced, written or removed.
///
/// It is created and cancelled on the loop's thread. Its directory must exist; if it is removed or moved away, the monitor waits for another.
public final class FileNameMonitor {
  private let loop: EventLoop
  private let directory: String
  private let name: String
  private let changed: () -> Void
  private var source: EventSource?

  private static let moves = UInt32(IN_MOVE_SELF | IN_ONLYDIR)
  private static let ends = UInt32(IN_IGNORED | IN_MOVE_SELF | IN_UNMOUNT)

  /// Watches the last component of `path`; `nil` if its directory cannot be watched.
  public init?(on loop: EventLoop, path: String, _ changed: @escaping () -> Void) {
    guard let slash = path.unicodeScalars.lastIndex(of: "/") else { return nil }
    let start = path.unicodeScalars.index(after: slash)
    self.loop = loop
    self.changed = changed
    directory = String(path[..<start])
    name = String(path[start...])
    guard watchDirectory() else { return nil }
  }

  /// Stops watching.
  public func cancel() {
    source?.cancel()
    source = nil
  }

  /// Watches the directory; returns `false` if that is not possible, as while it does not exist.
  private func watchDirectory() -> Bool {
    let mask = UInt32(IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM)
    return watch(directory, for: mask) { [weak self] event in
      guard let self, let event else { return }
      guard event.pointee.mask & Self.ends == 0 else { return watchAgain() }
      // An event without a name says that others were lost.
      if entryName(event) ?? name == name { changed() }
    }
  }

  private func watch(
    _ path: String, for mask: UInt32, _ handler: @escaping (UnsafePointer<inotify_event>?) -> Void
  ) -> Bool {
    guard let watch = try? EventSource.changes(loop, of: path, mask: mask | Self.moves, handler) else {
      return false
    }
    source?.cancel()
    source = watch
    return true
  }

  /// Watches the directory that is at the path now, or waits for one.
  private func watchAgain() {
    cancel()
    if !watchDirectory() {
      waitForDirectory()
      // It may have been created before that.
      guard watchDirectory() else { return }
    }
    changed()
  }

  /// Watches the nearest directory above that exists.
  private func waitForDirectory() {
    var names = directory.unicodeScalars.split(separator: "/").map { String($0) }
    while names.popLast() != nil {
      let isWatched = watch("/" + names.joined(separator: "/"), for: UInt32(IN_CREATE | IN_MOVED_TO)) {
        [weak self] _ in self?.watchAgain()
      }
      guard !isWatched else { return }
    }
  }
}
