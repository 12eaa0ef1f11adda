import Glibc

/// Where a database may be: a file of 0600 in a folder of 0700, both the user's own, and no link at its end.
enum StateFile {
  /// What SQLite keeps beside a database.
  private static let companions = ["", "-wal", "-shm", "-reserve"]

  /// Makes the folder and the file where they are not there, and returns the path without links in its folder.
  static func prepare(_ path: String) throws(StateError) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
      throw StateError(.failed("this is no absolute path of a file in a folder"), at: path)
    }
    let folder = try prepareFolder(String(path[..<slash]), for: path)
    let place = folder + path[slash...]
    // Never through a link that somebody prepared under the name.
    let file = open(place, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard file >= 0 else { throw failure(at: place) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw failure(at: place) }
    try requireOwn(status, S_IFREG, "file", at: place)
    if status.st_mode & 0o177 != 0, fchmod(file, 0o600) != 0 { throw failure(at: place) }
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
    for companion in companions where rename(path + companion, aside + companion) != 0 {
      if companion.isEmpty { throw failure(at: path) }
    }
    return aside
  }

  /// What `open` makes of a file; one that is no sound database is set aside first, and another is begun.
  ///
  /// - Returns: the store, and the name that a damaged file has now.
  static func soundStore<Store>(
    _ open: () throws(StateError) -> Store
  ) throws(StateError) -> (store: Store, setAside: String?) {
    do throws(StateError) {
      return (try open(), nil)
    } catch {
      guard case .corrupt = error.reason else { throw error }
      let aside = try setAside(error.path, "corrupt")
      return (try open(), aside)
    }
  }

  private static func prepareFolder(_ folder: String, for path: String) throws(StateError) -> String {
    makeFolders(folder)
    guard let resolved = realpath(folder, nil) else { throw failure(at: folder) }
    defer { free(resolved) }
    var status = stat()
    guard stat(resolved, &status) == 0 else { throw failure(at: folder) }
    try requireOwn(status, S_IFDIR, "folder", at: folder)
    if status.st_mode & 0o077 != 0, chmod(resolved, 0o700) != 0 { throw failure(at: folder) }
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
  private static func makeFolders(_ folder: String) {
    guard mkdir(folder, 0o700) != 0, errno == ENOENT, let slash = folder.lastIndex(of: "/") else { return }
    let parent = String(folder[..<slash])
    guard !parent.isEmpty else { return }
    makeFolders(parent)
    mkdir(folder, 0o700)
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
