// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

/// The files that SQLite has open in this process: each database, its log and its shared memory.
///
/// No other code in the process may open and close one of them, because that releases the locks that SQLite holds
/// (``StateFile``). Code that opens a file which a caller named must check ``contains(fileAt:)`` first.
public enum OpenDatabases {
  /// The identity of a file, independent of its path.
  struct File: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64

    /// Identifies the file at `path`, following symbolic links; `nil` if there is none.
    init?(at path: [CChar]) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      self.init(status)
    }

    /// Identifies the file with this status.
    init(_ status: stat) { (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino)) }
  }

  /// The number of connections that have each file open.
  private static let counts = Mutex<[File: Int]>([:])

  /// Returns whether SQLite has the file at `path` open in this process, under this path or another.
  ///
  /// Blocks while the file system does not respond.
  ///
  /// - Parameter path: The bytes of the path, which need not be UTF-8.
  public static func contains(fileAt path: [UInt8]) -> Bool {
    guard let file = File(at: path.map { CChar(bitPattern: $0) } + [0]) else { return false }
    return counts.withLock { $0[file] != nil }
  }

  /// Returns the files beside the database at `path` that SQLite has open.
  static func companions(ofDatabaseAt path: String) -> [File] {
    StateFile.logs.compactMap { File(at: Array((path + $0).utf8CString)) }
  }

  /// Adds files of a database.
  static func add(_ files: [File]) {
    counts.withLock { counts in
      for file in files { counts[file, default: 0] += 1 }
    }
  }

  /// Removes files that were added, after SQLite has closed them.
  static func remove(_ files: [File]) {
    counts.withLock { counts in
      for file in files {
        let count = counts[file, default: 0] - 1
        counts[file] = count > 0 ? count : nil
      }
    }
  }
}
