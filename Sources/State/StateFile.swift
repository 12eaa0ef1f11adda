import Glibc

/// Where a database may be: a file of 0600 in a folder of 0700, both the user's own, and no link at its end.
///
/// Nothing here opens a database. POSIX drops all of a process's locks on a file when the process closes any of its
/// descriptors, so one that SQLite did not open would take SQLite's locks away ("How To Corrupt An SQLite Database File",
/// section 2.2): another program that closes the database would then delete the log under the broker.
enum StateFile {
  /// What SQLite keeps beside a database.
  private static let companions = ["-wal", "-shm", "-reserve"]

  /// Makes the folder and the file where they are not there, and returns the path without links in its folder.
  ///
  /// - Parameter existing: a directory that is not made where it is missing.
  static func prepare(_ path: String, existing: String?) throws(StateError) -> String {
    let directory = try prepareDirectory(of: path, existing: existing)
    let place = directory + path[(path.lastIndex(of: "/") ?? path.startIndex)...]
    // mknod(2) creates the file without opening it, and never through a link.
    if mknod(place, S_IFREG | 0o600, 0) == 0 {
      // A log that was left behind belongs to a database that was removed.
      for companion in ["-wal", "-shm"] { unlink(place + companion) }
    } else if errno != EEXIST {
      throw failure(at: place)
    }
    var status = stat()
    guard lstat(place, &status) == 0 else { throw failure(at: place) }
    switch status.st_mode & S_IFMT {
    case S_IFLNK: throw StateError(.notPrivate("it is a link"), at: place)
    case S_IFDIR: throw StateError(.readOnly("it is a directory"), at: place)
    default: try requireOwn(status, S_IFREG, "file", at: place)
    }
    // The folder is the user's alone, so nobody else can put a link in the file's place meanwhile.
    if status.st_mode & 0o177 != 0, chmod(place, 0o600) != 0 { throw failure(at: place) }
    return place
  }

  /// Moves a database and what SQLite keeps beside it to names that say why, and returns the new name.
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
    // The log first: no other process may find it beside a new database.
    for companion in companions { rename(path + companion, aside + companion) }
    guard rename(path, aside) == 0 else { throw failure(at: path) }
    return aside
  }

  /// Opens the store at `path`; a file that is no sound database is set aside first, and another is begun.
  ///
  /// Stores of the same folder open one after another, in this process and in others: so none sets a file aside that
  /// another has just begun, and none meets another that is changing the journal mode of a new file.
  ///
  /// - Returns: the store, and the name that a damaged file has now.
  /// - Throws: `locked` where the others take longer than two seconds.
  static func soundStore<Store>(
    at path: String, existing: String?, _ open: () throws(StateError) -> Store
  ) throws(StateError) -> (store: Store, setAside: String?) {
    let lock = try lockDirectory(of: path, existing: existing)
    defer { close(lock) }
    do throws(StateError) {
      return (try open(), nil)
    } catch {
      guard case .corrupt = error.reason else { throw error }
      let aside = try setAside(error.path, "corrupt")
      return (try open(), aside)
    }
  }

  /// Locks the folder of `path` until the returned descriptor is closed.
  private static func lockDirectory(of path: String, existing: String?) throws(StateError) -> Int32 {
    let directory = try prepareDirectory(of: path, existing: existing)
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(at: directory) }
    // As SQLite waits for a lock: a process that was stopped while it had this one must not stop others for good.
    for _ in 0..<400 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
      usleep(5_000)
    }
    close(descriptor)
    throw StateError(.locked, at: path)
  }

  private static func prepareDirectory(of path: String, existing: String?) throws(StateError) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
      throw StateError(.failed("this is no absolute path of a file in a folder"), at: path)
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
    try requireOwn(status, S_IFDIR, "folder", at: directory)
    if status.st_mode & 0o077 != 0, chmod(resolved, 0o700) != 0 { throw failure(at: directory) }
    return String(cString: resolved)
  }

  private static func requireOwn(
    _ status: stat, _ kind: mode_t, _ word: String, at path: String
  ) throws(StateError) {
    guard status.st_mode & S_IFMT == kind else { throw StateError(.notPrivate("it is no \(word)"), at: path) }
    guard status.st_uid == geteuid() else {
      throw StateError(.notPrivate("it belongs to another user"), at: path)
    }
  }

  /// Makes a folder and those above it; what cannot be made shows when it is used.
  private static func makeDirectories(_ directory: String) {
    guard mkdir(directory, 0o700) != 0, errno == ENOENT, let slash = directory.lastIndex(of: "/") else {
      return
    }
    let parent = String(directory[..<slash])
    guard !parent.isEmpty else { return }
    makeDirectories(parent)
    mkdir(directory, 0o700)
  }

  private static func failure(at path: String) -> StateError {
    let code = errno
    let said = String(cString: strerror(code))
    switch code {
    case ENOSPC, EDQUOT: return StateError(.diskFull, at: path)
    case EROFS, EACCES, EPERM, ENOTDIR, EISDIR: return StateError(.readOnly(said), at: path)
    case ELOOP: return StateError(.notPrivate("it is a link"), at: path)
    default: return StateError(.failed(said), at: path)
    }
  }
}
