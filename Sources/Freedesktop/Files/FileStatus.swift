import Glibc

/// What shows that one file or folder has changed: equal statuses, equal content, once they have rested.
///
/// Links are followed, so that a link which leads elsewhere has another status.
public struct FileStatus: Hashable, Sendable {
  private let file: DirectoryIdentity
  private let size: Int
  /// In nanoseconds since 1970, as are all times here.
  private let modified: Int
  private let changed: Int

  /// The status of what is at `path` now; `nil` where there is nothing.
  public init?(at path: String) {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    self.init(found)
  }

  /// The status that the system told.
  init(_ found: stat) {
    file = DirectoryIdentity(device: UInt64(found.st_dev), inode: UInt64(found.st_ino))
    size = Int(found.st_size)
    modified = found.st_mtim.nanoseconds
    changed = found.st_ctim.nanoseconds
  }

  /// When it was last changed.
  var lastChange: Int { max(modified, changed) }

  /// Whether the last change was so long ago that the next one shows.
  public var isSettled: Bool { Self.now &- lastChange >= Self.tick }

  /// More than a tick of any file system's clock: two changes within one look alike.
  static let tick = 100_000_000

  static var now: Int {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return now.nanoseconds
  }
}

extension timespec {
  /// What is beyond all time, as a file may say it is, is the last moment there is.
  fileprivate var nanoseconds: Int {
    let (seconds, overflow) = tv_sec.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : seconds &+ tv_nsec
  }
}
