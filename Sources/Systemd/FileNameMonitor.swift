// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// A monitor that calls a function when a file or a symbolic link at a path is created, replaced, written or removed.
///
/// It is created and cancelled on the loop's thread. Its directory must exist.
public final class FileNameMonitor {
  private var source: EventSource?

  /// Watches the last component of `path`; `nil` if its directory cannot be watched.
  public init?(on loop: EventLoop, path: String, _ changed: @escaping () -> Void) {
    guard let slash = path.unicodeScalars.lastIndex(of: "/") else { return nil }
    let start = path.unicodeScalars.index(after: slash)
    let name = String(path[start...])
    let mask = UInt32(IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_ONLYDIR)
    source = try? EventSource.changes(loop, of: String(path[..<start]), mask: mask) { event in
      guard let event, entryName(event) == name else { return }
      changed()
    }
    guard source != nil else { return nil }
  }

  /// Stops watching.
  public func cancel() {
    source?.cancel()
    source = nil
  }
}
