import Glibc

/// What shows that files and folders have changed: equal stamps, equal content.
///
/// Links are followed, so that a link which leads elsewhere has another stamp.
///
/// ```swift
/// let stamp = FileStamp(of: places)            // before reading, so that a change meanwhile shows
/// let resolver = ApplicationResolver(directories: directories, programs: programs)
/// if stamp.rest ?? .zero < .milliseconds(100) || FileStamp(of: places) != stamp { /* read again */ }
/// ```
public struct FileStamp: Equatable, Sendable {
  private struct Status: Equatable {
    let file: DirectoryIdentity
    let size: Int
    let modified: Duration
    let changed: Duration
  }

  private let paths: [String]
  private let statuses: [Status?]
  private let taken: Duration

  /// The stamp of what is at `paths` now.
  public init(of paths: [String]) {
    self.paths = paths
    statuses = paths.map { path in
      var found = stat()
      guard stat(path, &found) == 0 else { return nil }
      return Status(
        file: DirectoryIdentity(device: UInt64(found.st_dev), inode: UInt64(found.st_ino)),
        size: Int(found.st_size), modified: found.st_mtim.duration, changed: found.st_ctim.duration)
    }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    taken = now.duration
  }

  /// How long before the stamp the last change was; `nil` where there was nothing.
  ///
  /// Two changes within one tick of a file system's clock look alike, so a stamp that has not rested a while proves nothing.
  public var rest: Duration? {
    statuses.compactMap { $0.map { max($0.modified, $0.changed) } }.max().map { taken - $0 }
  }

  /// Whether both were taken of the same content under the same names.
  public static func == (one: FileStamp, other: FileStamp) -> Bool {
    one.statuses == other.statuses && one.paths == other.paths
  }
}

extension timespec {
  fileprivate var duration: Duration { .seconds(tv_sec) + .nanoseconds(tv_nsec) }
}
