import Glibc

/// Replaces a file so that a reader sees the old content or the new one, whatever happens.
struct AtomicFile {
  let path: String

  init(_ path: String) { self.path = path }

  /// Makes the directories above the file that are missing, and returns them, outermost first.
  func makeDirectory(home: String?, mode: mode_t) throws(FreedesktopError) -> [String] {
    try Self.make(Self.parent(of: try target()), home: home, mode: mode)
  }

  /// The directory that the file itself is in, links followed.
  var directory: String { Self.parent(of: (try? target()) ?? path) }

  /// Makes `directory` and those above it that are missing, and returns them, outermost first.
  ///
  /// - Parameter home: the home directory, which is never made: where it is missing it may be one that is not mounted yet, and what
  ///   was written in its place would be hidden.
  static func make(_ directory: String, home: String?, mode: mode_t) throws(FreedesktopError) -> [String] {
    var missing: [String] = []
    var directory = directory
    var status = stat()
    while stat(directory, &status) != 0, errno == ENOENT, directory != "/" {
      guard directory != home else {
        throw .cannotWrite(
          path: directory, reason: "this home directory does not exist; make it, or set HOME to the right one"
        )
      }
      missing.append(directory)
      directory = parent(of: directory)
    }
    var made: [String] = []
    for directory in missing.reversed() {
      if mkdir(directory, mode) == 0 {
        made.append(directory)
      } else if errno != EEXIST {
        let failure = FreedesktopError.cannotWrite(path: directory, reason: reason(errno))
        for directory in made.reversed() { rmdir(directory) }
        throw failure
      }
    }
    return made
  }

  /// Writes a new file beside the old one, brings it to disk, and gives it the old one's name.
  func replace(with content: [UInt8]) throws(FreedesktopError) {
    let target = try target()
    let temporary = StaleTemporaryFile.path(beside: target)
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw failure(errno) }
    do throws(FreedesktopError) {
      defer { close(file) }
      try write(content, to: file)
      try keepModeAndOwner(of: target, on: file)
      guard fsync(file) == 0 else { throw failure(errno) }
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, target) == 0 else {
      let failure = failure(errno)
      unlink(temporary)
      throw failure
    }
    syncDirectory(of: target)
  }

  /// Removes the file; where `path` is a link, the file it leads to is emptied and both stay.
  func remove() throws(FreedesktopError) {
    let target = try target()
    guard target == path else { return try replace(with: []) }
    guard unlink(path) == 0 || errno == ENOENT else { throw failure(errno) }
    syncDirectory(of: path)
  }

  /// Where `path` leads, through links to files that are not there yet as well.
  private func target() throws(FreedesktopError) -> String {
    var target = path
    for _ in 0..<40 {
      guard let link = Self.link(at: target) else { return target }
      target = link.hasPrefix("/") ? link : Self.parent(of: target) + "/" + link
    }
    throw failure(ELOOP)
  }

  private func write(_ content: [UInt8], to file: Int32) throws(FreedesktopError) {
    var rest = content[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw failure(errno)
      }
    }
  }

  private func keepModeAndOwner(of target: String, on file: Int32) throws(FreedesktopError) {
    var status = stat()
    guard stat(target, &status) == 0 else { return }
    // Only root can give a file away; for everybody else the owner is right already.
    _ = fchown(file, status.st_uid, status.st_gid)
    guard fchmod(file, status.st_mode & 0o7777) == 0 else { throw failure(errno) }
  }

  /// The name is safe on disk only with its directory; a file system that cannot do that is no failure.
  private func syncDirectory(of path: String) {
    let directory = open(Self.parent(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }

  private func failure(_ error: Int32) -> FreedesktopError { .cannotWrite(path: path, reason: reason(error)) }

  private static func link(at path: String) -> String? {
    let text = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
      buffer.withMemoryRebound(to: CChar.self) { characters in
        count = characters.baseAddress.map { max(readlink(path, $0, characters.count), 0) } ?? 0
      }
    }
    return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
    return String(path[..<slash])
  }
}
