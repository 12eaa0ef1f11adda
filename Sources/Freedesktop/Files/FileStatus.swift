import Glibc

/// What shows that one file or folder has changed: equal statuses, equal content, once they have rested.
///
/// Links are followed, so that a link which leads elsewhere has another status.
public struct FileStatus: Hashable, Sendable {
  private let file: DirectoryIdentity
  private let size: Int
  private let modified: Duration
  private let changed: Duration

  /// The status of what is at `path` now; `nil` where there is nothing.
  public init?(at path: String) {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    file = DirectoryIdentity(device: UInt64(found.st_dev), inode: UInt64(found.st_ino))
    size = Int(found.st_size)
    modified = found.st_mtim.duration
    changed = found.st_ctim.duration
  }

  /// When it was last changed, since 1970.
  var lastChange: Duration { max(modified, changed) }

  /// Whether the last change was so long ago that the next one shows.
  public var hasRested: Bool { Self.now - lastChange >= Self.tick }

  /// More than a tick of any file system's clock: two changes within one look alike.
  static let tick = Duration.milliseconds(100)

  /// The time since 1970.
  static var now: Duration {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return now.duration
  }
}

extension timespec {
  fileprivate var duration: Duration { .seconds(tv_sec) + .nanoseconds(tv_nsec) }
}
