// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Glibc

/// The error of a state file that could not be read or written.
///
/// `description` is the complete message for the user: the error, the file, and the fix. It never contains the data.
public struct StateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The cause of the error.
  public enum Reason: Hashable, Sendable {
    /// The disk is full.
    case diskFull
    /// The file is not a database, or is corrupt.
    case corrupt(String)
    /// The file, its directory or the file system is not writable.
    case readOnly(String)
    /// Another process has locked the file.
    case locked
    /// A newer version of Usher wrote the file: its schema version, and the newest one known here.
    case newer(found: Int, known: Int)
    /// The file was removed or replaced while it was open.
    case moved
    /// A directory that the system must provide does not exist: the home directory, or `XDG_RUNTIME_DIR`.
    case missingDirectory(String)
    /// The file or its directory is not private to the user; the text says what it is.
    case notPrivate(String)
    /// The file system did not respond in time; the write may still happen later.
    case notResponding
    /// Any other error of SQLite or the system.
    case failed(String)
  }

  /// The cause of the error.
  public let reason: Reason
  /// The path of the file.
  public let path: String

  /// Creates an error of the file at `path`.
  public init(_ reason: Reason, at path: String) {
    self.reason = reason
    self.path = path
  }

  /// The message for the user.
  public var description: String {
    switch reason {
    case .diskFull: "cannot write \(path), because the disk is full; free space on that file system"
    case .corrupt(let message):
      "\(path): the database is corrupt (\(message)); it is moved aside and recreated"
    case .readOnly(let message):
      "cannot write \(path) (\(message)); make the directory and the file owned by your user"
    case .locked:
      "\(path) is locked by another process; stop that process, such as a second daemon of Usher, and try again"
    case .newer(let found, let known):
      "\(path) was written by a newer Usher (schema \(found), supported: \(known)); start the newer Usher, or move "
        + "the file away"
    case .missingDirectory(let directory):
      "cannot write \(path), because \(directory) does not exist; create that directory, or correct HOME or "
        + "XDG_RUNTIME_DIR"
    case .moved:
      "\(path) was removed or replaced while it was open; it is reopened"
    case .notPrivate(let what): "\(path) is not used, because \(what); move or delete it"
    case .notResponding:
      "\(path): the file system does not respond; pending data is written when it responds, unless the broker exits "
        + "earlier; check the disk or the file server"
    case .failed(let message): "\(path): \(message)"
    }
  }
}

extension StateError {
  /// Creates the error for a result code of SQLite; `message` is SQLite's own message.
  ///
  /// - Parameter systemError: the `errno` of SQLite's last I/O error. SQLite reports a full disk as such only if it cannot write; an
  ///   exhausted quota, and a full disk on which another operation fails, are I/O errors. A log or journal that cannot be created, for want
  ///   of an inode, is only one that cannot be opened, whose `errno` does not show the reason.
  init(sqlite code: Int32, _ message: String, systemError: Int32, at path: String) {
    let reason: Reason =
      switch code & 0xFF {
      case SQLITE_FULL: .diskFull
      case SQLITE_IOERR where [ENOSPC, EDQUOT].contains(systemError): .diskFull
      case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt(message)
      case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN: .readOnly(message)
      case SQLITE_BUSY, SQLITE_LOCKED: .locked
      default: .failed(message)
      }
    self.init(reason, at: path)
  }
}
