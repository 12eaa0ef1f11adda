// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The location of a database: a file with mode 0600 in a directory with mode 0700, both owned by the user.
///
/// The file is not a symbolic link. No function here opens a database: POSIX releases all of a process's locks on a
/// file when the process closes any of its descriptors, so a descriptor that SQLite did not open would release SQLite's
/// locks ("How To Corrupt An SQLite Database File", section 2.2). Another program that closes the database would then
/// delete the log that the broker uses.
enum StateFile {
  /// The suffixes of the files beside a database that SQLite uses: its log and its shared memory.
  static let logs = ["-wal", "-shm"]
  /// The suffixes of all files beside a database.
  static let companions = logs + [ReservedSpace.suffix]

  /// Creates the directory and the file if they are missing, and returns the path without symbolic links in its directory, and
  /// the file that is there.
  ///
  /// - Parameter existing: A directory that is not created if it is missing.
  static func prepare(
    _ path: String, existing: String?
  ) throws(StateError) -> (path: String, file: OpenDatabases.File) {
    let directory = try prepareDirectory(of: path, existing: existing)
    let place = directory + path[(path.unicodeScalars.lastIndex(of: "/") ?? path.startIndex)...]
    // mknod(2) creates the file without opening it, and does not follow a symbolic link.
    if mknod(place, S_IFREG | 0o600, 0) == 0 {
      // A leftover log belongs to a database that was removed.
      for log in logs { unlink(place + log) }
    } else if errno != EEXIST {
      throw failure(at: place)
    }
    var status = stat()
    guard lstat(place, &status) == 0 else { throw failure(at: place) }
    switch status.st_mode & S_IFMT {
    case S_IFLNK: throw StateError(.notPrivate("it is a symbolic link"), at: place)
    case S_IFDIR: throw StateError(.readOnly("it is a directory"), at: place)
    default: try requireOwn(status, kind: S_IFREG, name: "file", at: place)
    }
    // The directory is private to the user, so no other user can replace the file with a symbolic link in the meantime.
    if status.st_mode & 0o177 != 0, chmod(place, 0o600) != 0 { throw failure(at: place) }
    return (place, OpenDatabases.File(status))
  }

  /// Moves a database and its companions to paths that contain `reason`, and returns the new path of the database.
  static func setAside(_ path: String, _ reason: String) throws(StateError) -> String {
    var moment = time(nil)
    var parts = tm()
    gmtime_r(&moment, &parts)
    var text = [CChar](repeating: 0, count: 32)
    strftime(&text, text.count, "%Y%m%dT%H%M%SZ", &parts)
    let stamp = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    var aside = "\(path).\(reason)-\(stamp)"
    var number = 1
    while access(aside, F_OK) == 0 {
      number += 1
      aside = "\(path).\(reason)-\(stamp)-\(number)"
    }
    // The log is moved first, so that no other process finds it beside a new database.
    for companion in companions { rename(path + companion, aside + companion) }
    guard rename(path, aside) == 0 else { throw failure(at: path) }
    return aside
  }

  /// Opens the store at `path`, after moving a corrupt file aside.
  ///
  /// Stores in one directory are opened one after the other, in all processes. So a process cannot move a file
  /// aside that another has just created, or open a new file while another changes its journal mode.
  ///
  /// - Parameter waits: Whether the thread may wait for other processes.
  /// - Returns: The store, and the path to which a corrupt file was moved, or `nil`.
  /// - Throws: `locked` if other processes hold the lock, for more than two seconds if the thread may wait.
  static func soundStore<Store>(
    at path: String, existing: String?, waits: Bool = true, _ open: () throws(StateError) -> Store
  ) throws(StateError) -> (store: Store, setAside: String?) {
    let lock = try lockDirectory(of: path, existing: existing, waits: waits)
    defer { unlock(lock) }
    do throws(StateError) {
      return (try open(), nil)
    } catch {
      guard case .corrupt = error.reason else { throw error }
      let aside = try setAside(error.path, "corrupt")
      return (try open(), aside)
    }
  }

  /// Moves the file at `path` aside and opens a new store, without waiting for other processes, as they open theirs.
  static func replacedStore<Store>(
    at path: String, existing: String?, _ open: () throws(StateError) -> Store
  ) throws(StateError) -> (store: Store, setAside: String) {
    let lock = try lockDirectory(of: path, existing: existing, waits: false)
    defer { unlock(lock) }
    let aside = try setAside(path, "corrupt")
    return (try open(), aside)
  }

  /// Locks the directory of `path` until the returned descriptor is passed to `unlock`.
  private static func lockDirectory(
    of path: String, existing: String?, waits: Bool
  ) throws(StateError) -> Int32 {
    let directory = try prepareDirectory(of: path, existing: existing)
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(at: directory) }
    // The wait is limited, because a process that is stopped while it holds the lock must not block others permanently.
    for attempt in 1...(waits ? 400 : 1) {
      if attempt > 1 { usleep(5_000) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
    }
    close(descriptor)
    throw StateError(.locked, at: path)
  }

  /// Unlocks a directory.
  ///
  /// A program that is being started has the descriptor until it is executed, so closing it alone might not unlock.
  private static func unlock(_ lock: Int32) {
    flock(lock, LOCK_UN)
    close(lock)
  }

  private static func prepareDirectory(of path: String, existing: String?) throws(StateError) -> String {
    guard let slash = path.unicodeScalars.lastIndex(of: "/"), slash != path.startIndex else {
      throw StateError(.failed("the path must be the absolute path of a file in a directory"), at: path)
    }
    let directory = String(path[..<slash])
    if let existing {
      var status = stat()
      guard stat(existing, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
        throw StateError(.missingDirectory(existing), at: path)
      }
    }
    makeDirectories(directory)
    guard let resolved = realpath(directory, nil) else { throw failure(at: directory) }
    defer { free(resolved) }
    var status = stat()
    guard stat(resolved, &status) == 0 else { throw failure(at: directory) }
    try requireOwn(status, kind: S_IFDIR, name: "directory", at: directory)
    if status.st_mode & 0o077 != 0, chmod(resolved, 0o700) != 0 { throw failure(at: directory) }
    return String(cString: resolved)
  }

  private static func requireOwn(
    _ status: stat, kind: mode_t, name: String, at path: String
  ) throws(StateError) {
    guard status.st_mode & S_IFMT == kind else {
      throw StateError(.notPrivate("it is not a \(name)"), at: path)
    }
    guard status.st_uid == geteuid() else {
      throw StateError(.notPrivate("it belongs to another user"), at: path)
    }
  }

  /// Creates a directory and its missing parents; errors are detected when the directory is used.
  private static func makeDirectories(_ directory: String) {
    guard mkdir(directory, 0o700) != 0, errno == ENOENT,
      let slash = directory.unicodeScalars.lastIndex(of: "/")
    else {
      return
    }
    let parent = String(directory[..<slash])
    guard !parent.isEmpty else { return }
    makeDirectories(parent)
    mkdir(directory, 0o700)
  }

  private static func failure(at path: String) -> StateError {
    let code = errno
    let message = String(cString: strerror(code))
    switch code {
    case ENOSPC, EDQUOT: return StateError(.diskFull, at: path)
    case EROFS, EACCES, EPERM, ENOTDIR, EISDIR: return StateError(.readOnly(message), at: path)
    case ELOOP: return StateError(.notPrivate("it is a symbolic link"), at: path)
    default: return StateError(.failed(message), at: path)
    }
  }
}
