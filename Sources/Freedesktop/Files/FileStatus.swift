// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The status of one file or directory: equal statuses mean equal content, if they are settled.
///
/// Symbolic links are followed, so that a link with a new target has a new status.
public struct FileStatus: Hashable, Sendable {
  private let file: DirectoryIdentity
  private let size: Int
  /// The modification time in nanoseconds since 1970, as all times here.
  private let modified: Int
  private let changed: Int
  /// Indicates whether the last change was long enough before the status was read for the next change to be visible.
  public let isSettled: Bool

  /// Reads the status of the file at `path`; `nil` if there is none.
  public init?(at path: String) {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    self.init(found)
  }

  /// Creates the status from the result of stat(2).
  ///
  /// It must be created before the content is read: a change at any later time has a time of its own if the status is settled now.
  init(_ found: stat) {
    file = DirectoryIdentity(device: UInt64(found.st_dev), inode: UInt64(found.st_ino))
    size = Int(found.st_size)
    modified = found.st_mtim.nanoseconds
    changed = found.st_ctim.nanoseconds
    isSettled = Self.now &- max(modified, changed) >= Self.tick
  }

  /// Returns whether both are the status of the same content; the times at which they were read do not matter.
  public static func == (one: Self, other: Self) -> Bool {
    (one.file, one.size, one.modified, one.changed) == (other.file, other.size, other.modified, other.changed)
  }

  /// Hashes a part of what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(file)
    hasher.combine(changed)
  }

  /// The time of the last change.
  var lastChange: Int { max(modified, changed) }

  /// A time in nanoseconds longer than a tick of any file system's clock; two changes within a tick look equal.
  static let tick = 100_000_000

  static var now: Int {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return now.nanoseconds
  }
}

extension timespec {
  /// The time in nanoseconds; a time beyond the range of `Int`, which a file may have, is `Int.max`.
  fileprivate var nanoseconds: Int {
    let (seconds, overflow) = tv_sec.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : seconds &+ tv_nsec
  }
}
