// SPDX-License-Identifier: Apache-2.0
import CCrypto
import DBus
import Freedesktop
import Glibc
import Systemd
import Triggers

/// The file of a download and its partial file, which is beside it until it is whole.
///
/// All functions may block, because they use the disk.
struct DownloadFile: Hashable, Sendable {
  /// The absolute path of the file.
  var path: String
  /// Indicates whether an existing file is replaced.
  var replaces: Bool
  /// The number of the partial file in its file system, by which it is recognized; `nil` before its creation.
  var inode: UInt64?

  /// The directory.
  var directory: String { String(path[..<(path.unicodeScalars.lastIndex(of: "/") ?? path.startIndex)]) }
  /// The name of the file.
  var name: String { path.lastPathComponent }
  /// The name of the partial file.
  var partName: String { name + ".part" }
  /// The path of the partial file.
  var partPath: String { path + ".part" }

  /// An error of the system.
  struct Failure: Error, Hashable, Sendable {
    /// The failed operation, such as `write /home/ada/map.zip.part`.
    var operation: String
    /// The error number.
    var code: Int32
    /// The reason of the system.
    var reason: String { String(cString: strerror(code)) }
    /// The failure of the download.
    var failure: DownloadFailure {
      DownloadFailure(.disk, "cannot \(operation): \(reason)")
    }
  }

  // MARK: Creation

  /// Creates the partial file, and missing directories if they are Usher's choice.
  ///
  /// - Returns: The number of the file, and whether it did not exist.
  func create(creatingDirectories: Bool) -> Result<(inode: UInt64, isNew: Bool), DownloadFailure> {
    if creatingDirectories { makeDirectories() }
    return withDirectory { directory in
      var status = stat()
      if !replaces, fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
        return .failure(Self.exists(path))
      }
      if fstatat(directory, name, &status, 0) == 0, status.st_mode & S_IFMT != S_IFREG {
        return .failure(
          DownloadFailure(.exists, "\(path) exists and is not a regular file; choose another path"))
      }
      return createPart(in: directory).flatMap { file, isNew in
        guard fstat(file.rawValue, &status) == 0 else { return .failure(failure("read \(partPath)").failure) }
        return .success((UInt64(status.st_ino), isNew))
      }
    }
  }

  /// Creates the partial file, or adopts an empty one, which a daemon that was killed may have left.
  private func createPart(in directory: Int32) -> Result<(UnixFD, isNew: Bool), DownloadFailure> {
    let new = O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = openat(directory, partName, new, 0o600)
    if file >= 0 { return .success((UnixFD(owning: file), true)) }
    guard errno == EEXIST else { return .failure(failure("create \(partPath)").failure) }
    var status = stat()
    let existing = openat(directory, partName, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard existing >= 0 else { return .failure(Self.exists(partPath)) }
    let descriptor = UnixFD(owning: existing)
    guard fstat(existing, &status) == 0, Self.isOwn(status), status.st_size == 0 else {
      return .failure(Self.exists(partPath))
    }
    return .success((descriptor, false))
  }

  private static func isOwn(_ status: stat) -> Bool {
    status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1 && status.st_uid == geteuid()
  }

  /// The failure for a file that is in the way.
  static func exists(_ path: String) -> DownloadFailure {
    DownloadFailure(.exists, "\(path) exists; remove it, or choose another path")
  }

  private func makeDirectories() {
    var path = ""
    for part in directory.unicodeScalars.split(separator: "/").map({ String($0) }) {
      path += "/\(part)"
      mkdir(path, 0o700)
    }
  }

  private func failure(_ operation: String) -> Failure { Failure(operation: operation, code: errno) }

  private func withDirectory<Value>(
    _ body: (Int32) -> Result<Value, DownloadFailure>
  ) -> Result<Value, DownloadFailure> {
    let descriptor = open(directory.isEmpty ? "/" : directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return .failure(failure("open the directory \(directory)").failure) }
    defer { close(descriptor) }
    return body(descriptor)
  }

  /// Opens the partial file, which must be the one that was created.
  private func openPart(in directory: Int32, _ flags: Int32) -> Result<UnixFD, DownloadFailure> {
    let file = openat(directory, partName, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return .failure(failure("open \(partPath)").failure) }
    let descriptor = UnixFD(owning: file)
    var status = stat()
    guard fstat(file, &status) == 0 else { return .failure(failure("read \(partPath)").failure) }
    guard Self.isOwn(status), UInt64(status.st_ino) == inode else {
      return .failure(
        DownloadFailure(.exists, "\(partPath) is not the partial file of the download any more; remove it"))
    }
    return .success(descriptor)
  }

  // MARK: Attempts

  /// Opens the partial file to append to it, after cutting it to `count` bytes; locks it until the last descriptor is closed.
  ///
  /// - Parameter needed: The free space that is required, in bytes.
  /// - Returns: The descriptor, the number of the file, and whether the file has `count` bytes; otherwise it is empty.
  func openForAppending(
    after count: Int64, needing needed: Int64
  ) -> Result<(UnixFD, inode: UInt64, hasPart: Bool), DownloadFailure> {
    withDirectory { directory in
      var status = stat()
      // The user may have removed the partial file, to begin again.
      let isMissing = fstatat(directory, partName, &status, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT
      let part =
        isMissing ? createPart(in: directory).map(\.0) : openPart(in: directory, O_WRONLY | O_APPEND)
      return part.flatMap { file in
        // An earlier curl that still writes has the lock.
        guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else {
          return .failure(
            DownloadFailure(.disk, "another program uses \(partPath); the transfer is tried again"))
        }
        guard fstat(file.rawValue, &status) == 0 else { return .failure(failure("read \(partPath)").failure) }
        let hasPart = Int64(status.st_size) >= count
        guard ftruncate(file.rawValue, off_t(hasPart ? count : 0)) == 0 else {
          return .failure(failure("cut \(partPath)").failure)
        }
        var space = statvfs()
        if fstatvfs(file.rawValue, &space) == 0 {
          let free = Int64(
            clamping: UInt64(space.f_bavail).multipliedReportingOverflow(by: UInt64(space.f_frsize))
              .partialValue)
          guard free >= needed else {
            return .failure(
              DownloadFailure(
                .disk,
                "the disk of \(self.directory) has \(free) bytes left, and \(needed) are needed; free some space"
              ))
          }
        }
        return .success((file, UInt64(status.st_ino), hasPart))
      }
    }
  }

  /// Returns the length of the partial file, and writes what was received to the disk; `nil` if it cannot be opened.
  func size(synchronizing: Bool) -> Int64? {
    let result: Result<Int64, DownloadFailure> = withDirectory { directory in
      openPart(in: directory, O_RDONLY).flatMap { file in
        var status = stat()
        guard fstat(file.rawValue, &status) == 0 else { return .failure(failure("read \(partPath)").failure) }
        if synchronizing, fdatasync(file.rawValue) != 0 {
          return .failure(failure("write \(partPath)").failure)
        }
        return .success(Int64(status.st_size))
      }
    }
    return try? result.get()
  }

  // MARK: Completion

  /// Writes the whole file to the disk, and checks it.
  func check(count: Int64, sha256: String?) -> Result<Void, DownloadFailure> {
    withDirectory { directory in
      openPart(in: directory, O_RDONLY).flatMap { file in
        var status = stat()
        guard fsync(file.rawValue) == 0, fstat(file.rawValue, &status) == 0 else {
          return .failure(failure("write \(partPath)").failure)
        }
        guard Int64(status.st_size) == count else {
          return .failure(DownloadFailure(.disk, "another program has changed \(partPath)"))
        }
        if let sha256 {
          guard let digest = SHA256Digest.ofFile(file.rawValue) else {
            return .failure(failure("read \(partPath)").failure)
          }
          guard digest == sha256 else {
            return .failure(
              DownloadFailure(
                .checksum,
                "the file has the SHA-256 checksum \(digest), and not \(sha256); check the checksum, or use another URL"
              ))
          }
        }
        return .success(())
      }
    }
  }

  /// Gives the file its name, and returns after that is on the disk; does nothing if that has happened.
  func finish() -> Result<Void, DownloadFailure> {
    withDirectory { directory in
      if number(of: name, in: directory) == inode { return synchronize(directory) }
      guard number(of: partName, in: directory) == inode else {
        return .failure(DownloadFailure(.disk, "another program has removed \(partPath)"))
      }
      let status =
        replaces ? renameat(directory, partName, directory, name) : renameExclusively(in: directory)
      guard status == 0 else {
        return .failure(
          errno == EEXIST ? Self.exists(path) : failure("rename \(partPath) to \(name)").failure)
      }
      return synchronize(directory)
    }
  }

  private func renameExclusively(in directory: Int32) -> Int32 {
    let status = ExclusiveRename.perform(in: directory, from: partName, to: name)
    guard status != 0, errno == EINVAL || errno == ENOSYS else { return status }
    // The file system lacks the operation. A link is never made over an existing file, either.
    guard linkat(directory, partName, directory, name, 0) == 0 else { return -1 }
    return unlinkat(directory, partName, 0)
  }

  private func synchronize(_ directory: Int32) -> Result<Void, DownloadFailure> {
    // Some file systems cannot write a directory by itself.
    guard fsync(directory) == 0 || errno == EINVAL else {
      return .failure(failure("write the directory \(self.directory)").failure)
    }
    return .success(())
  }

  private func number(of name: String, in directory: Int32) -> UInt64? {
    var status = stat()
    return fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? UInt64(status.st_ino) : nil
  }

  /// Removes the partial file; another file with its name remains.
  func removePart() {
    _ = withDirectory { directory in
      openPart(in: directory, O_RDONLY).map { _ in unlinkat(directory, partName, 0) }
    }
  }
}

/// The SHA-256 checksum of a file.
enum SHA256Digest {
  /// Returns the checksum as lower-case hexadecimal digits; `nil` if the file cannot be read.
  static func ofFile(_ descriptor: Int32) -> String? {
    guard let context = EVP_MD_CTX_new() else { return nil }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else { return nil }
    var block = [UInt8](repeating: 0, count: 1 << 20)
    var offset: off_t = 0
    while true {
      let count = pread(descriptor, &block, block.count, offset)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      guard EVP_DigestUpdate(context, block, count) == 1 else { return nil }
      offset += off_t(count)
    }
    var digest = [UInt8](repeating: 0, count: 32)
    var length: UInt32 = 0
    guard EVP_DigestFinal_ex(context, &digest, &length) == 1, length == 32 else { return nil }
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
