// SPDX-License-Identifier: Apache-2.0
import FileOutput
import Glibc

/// Replaces a file atomically: readers see either the old content or the new content, even after a crash.
package struct AtomicFile {
  let path: String

  package init(_ path: String) { self.path = path }

  /// Creates the missing directories above the file and returns them, outermost first.
  func makeDirectory(home: String?, mode: mode_t) throws(FreedesktopError) -> [String] {
    try Self.make(Self.parent(of: try target()), home: home, mode: mode)
  }

  /// The directory that contains the file, symbolic links followed.
  package var directory: String { Self.parent(of: (try? target()) ?? path) }

  /// Creates `directory` and its missing parents and returns the created ones, outermost first.
  ///
  /// - Parameter home: the home directory, which is never created: if it is missing, it may not be mounted yet, and
  ///   files written below its mount point would be hidden.
  @discardableResult
  package static func make(_ directory: String, home: String?, mode: UInt32) throws(FreedesktopError)
    -> [String]
  {
    var missing: [String] = []
    var directory = directory
    var status = stat()
    while stat(directory, &status) != 0, errno == ENOENT, directory != "/" {
      guard directory != home else {
        throw .cannotWrite(
          path: directory, reason: "this home directory does not exist; create it, or correct HOME"
        )
      }
      // mkdir(2) reports such a link as an existing directory, and nothing can be created below it.
      guard link(at: directory) == nil else {
        throw .cannotWrite(
          path: directory,
          reason: "it is a symbolic link that leads nowhere; create its target, or remove the link")
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

  /// Writes a new file beside the old one, syncs it to disk, and renames it over the old one.
  ///
  /// - Parameter mode: The mode of the new file; `nil` to keep the mode and owner of the old one.
  package func replace(with content: [UInt8], mode: UInt32? = nil) throws(FreedesktopError) {
    let target = try target()
    let temporary = StaleTemporaryFile.path(beside: target)
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode ?? 0o666)
    guard file >= 0 else { throw failure(errno) }
    do throws(FreedesktopError) {
      defer { close(file) }
      if let error = content.writeAll(to: file) { throw failure(error) }
      if mode == nil { try keepModeAndOwner(of: target, on: file) }
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

  /// Removes the file; if `path` is a symbolic link, its target is emptied and both remain.
  func remove() throws(FreedesktopError) {
    let target = try target()
    guard target == path else { return try replace(with: []) }
    guard unlink(path) == 0 || errno == ENOENT else { throw failure(errno) }
    syncDirectory(of: path)
  }

  /// Returns the target of `path`, symbolic links followed, even if the target does not exist yet.
  private func target() throws(FreedesktopError) -> String {
    var target = path
    for _ in 0..<40 {
      guard let link = Self.link(at: target) else { return target }
      target = link.hasPrefix("/") ? link : Self.parent(of: target) + "/" + link
    }
    throw failure(ELOOP)
  }

  private func keepModeAndOwner(of target: String, on file: Int32) throws(FreedesktopError) {
    var status = stat()
    guard stat(target, &status) == 0 else { return }
    // Only root can change the owner of a file. For other users the owner is already right, so an error is ignored.
    _ = fchown(file, status.st_uid, status.st_gid)
    guard fchmod(file, status.st_mode & 0o7777) == 0 else { throw failure(errno) }
  }

  /// Syncs the directory, because otherwise a crash could lose the new name.
  ///
  /// Errors are ignored: not every file system can.
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
    guard let slash = path.unicodeScalars.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
    return String(path[..<slash])
  }
}
