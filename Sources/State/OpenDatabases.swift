import Glibc
import Synchronization

/// The files that SQLite has open in this process: each database, its log and its shared memory.
///
/// Nothing else in the process may open and close one of them, because that drops the locks that SQLite holds
/// (``StateFile``). Code that opens a file which a caller named asks ``contains(fileAt:)`` first.
public enum OpenDatabases {
  /// Which file it is, whatever its name.
  struct File: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64

    /// The file at `path`, links followed; `nil` where there is none.
    init?(at path: [CChar]) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
  }

  /// How many connections have each file open.
  private static let counts = Mutex<[File: Int]>([:])

  /// Whether SQLite has the file at `path` open in this process, under this name or another.
  ///
  /// - Parameter path: the bytes of the path, which need not be UTF-8. A file system that hangs makes this hang.
  public static func contains(fileAt path: [UInt8]) -> Bool {
    guard let file = File(at: path.map { CChar(bitPattern: $0) } + [0]) else { return false }
    return counts.withLock { $0[file] != nil }
  }

  /// Adds the files of the database at `path`; returns them.
  static func add(databaseAt path: String) -> [File] {
    let files = ["", "-wal", "-shm"].compactMap { File(at: Array((path + $0).utf8CString)) }
    counts.withLock { counts in
      for file in files { counts[file, default: 0] += 1 }
    }
    return files
  }

  /// Removes files that ``add(databaseAt:)`` returned, once SQLite has closed them.
  static func remove(_ files: [File]) {
    counts.withLock { counts in
      for file in files {
        let count = counts[file, default: 0] - 1
        counts[file] = count > 0 ? count : nil
      }
    }
  }
}
