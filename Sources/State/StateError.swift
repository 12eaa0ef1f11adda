import CSQLite

/// Why state could not be read or written.
///
/// `description` is the whole sentence a person sees: what, where, and what to do. It never holds what was to be
/// stored.
public struct StateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// There is no room on the disk.
    case diskFull
    /// What the file holds is no database, or a damaged one.
    case corrupt(String)
    /// The file, its folder or the file system cannot be written.
    case readOnly(String)
    /// Another process holds it.
    case locked
    /// A newer version of Usher has written it: its schema, and the newest one known here.
    case newer(found: Int, known: Int)
    /// The file was removed or replaced while it was open.
    case moved
    /// A directory that is the system's to make does not exist: the home directory, or `XDG_RUNTIME_DIR`.
    case missingDirectory(String)
    /// The file or its folder is not the user's own alone; says what it is.
    case notPrivate(String)
    /// The file system has not answered in time; what was to be written may be written yet.
    case silent
    /// Anything else that SQLite or the system said.
    case failed(String)
  }

  /// What is wrong.
  public let reason: Reason
  /// The file.
  public let path: String

  /// An error of the file at `path`.
  public init(_ reason: Reason, at path: String) {
    self.reason = reason
    self.path = path
  }

  /// The sentence a person reads.
  public var description: String {
    switch reason {
    case .diskFull: "\(path): there is no room left to write; free some on that file system"
    case .corrupt(let said): "\(path): this is no sound database (\(said)); it is set aside and begun anew"
    case .readOnly(let said):
      "\(path): it cannot be written (\(said)); give the folder and the file to yourself"
    case .locked:
      "\(path): another process holds it; end that process, an usherd or a program that reads the file, and try again"
    case .newer(let found, let known):
      "\(path): a newer Usher wrote it (schema \(found), this one knows \(known)); start the newer usherd, or move "
        + "the file away"
    case .missingDirectory(let directory):
      "\(path): it cannot be written, because \(directory) does not exist; make that directory, or set HOME or "
        + "XDG_RUNTIME_DIR to the right one"
    case .moved:
      "\(path): the file was removed or replaced while the broker had it open; the broker opens it anew"
    case .notPrivate(let what): "\(path): \(what), so it is not used; move it away"
    case .silent:
      "\(path): the file system does not answer; what was to be written is written when it does, unless the broker ends "
        + "before; look at the disk or the server of that folder"
    case .failed(let said): "\(path): \(said)"
    }
  }
}

extension StateError {
  /// What an SQLite result means; `said` is SQLite's own sentence.
  init(sqlite code: Int32, _ said: String, at path: String) {
    let reason: Reason =
      switch code & 0xFF {
      case SQLITE_FULL: .diskFull
      case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt(said)
      case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN: .readOnly(said)
      case SQLITE_BUSY, SQLITE_LOCKED: .locked
      default: .failed(said)
      }
    self.init(reason, at: path)
  }
}
