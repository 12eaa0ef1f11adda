// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The directory `$XDG_RUNTIME_DIR/usher` for data of the session, which only the user can access.
public enum RuntimeDirectory {
  /// The name below `$XDG_RUNTIME_DIR`.
  public static let name = "usher"

  /// Creates the directory if it is missing; returns `false` if another object has its name.
  public static func make(in runtimeDirectory: String) -> Bool {
    guard let directory = open(in: runtimeDirectory) else { return false }
    close(directory)
    return true
  }

  /// Opens the directory, and creates it if it is missing.
  ///
  /// `nil` if another object has its name: a symbolic link, a file, or another user's directory. The caller must close
  /// the descriptor.
  static func open(in runtimeDirectory: String) -> Int32? {
    let path = "\(runtimeDirectory)/\(name)"
    mkdir(path, 0o700)
    let opened = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard opened >= 0 else { return nil }
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0 || fchmod(opened, 0o700) == 0
    else {
      close(opened)
      return nil
    }
    return opened
  }

  /// Creates a file in the open directory, for the user alone.
  ///
  /// - Returns: The reason why it was not created; `nil` if it was.
  static func create(_ name: String, with content: [UInt8], in directory: Int32) -> String? {
    // O_EXCL prevents the use of a file or symbolic link that another program has prepared.
    let file = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return reason(errno) }
    defer { close(file) }
    let count = write(file, content, content.count)
    guard count == content.count else {
      let obstacle = reason(count < 0 ? errno : ENOSPC)
      unlinkat(directory, name, 0)
      return obstacle
    }
    return nil
  }

  /// Replaces a file in the directory, so that it has the old or the new content whenever the process ends.
  ///
  /// It is not synchronised to disk, because it exists as long as the session. Its name with `.new` is that of a temporary file.
  ///
  /// - Returns: The reason why it was not replaced; `nil` if it was.
  package static func replace(
    _ name: String, with content: [UInt8], in runtimeDirectory: String
  ) -> String? {
    guard let directory = open(in: runtimeDirectory) else {
      return "\(runtimeDirectory)/\(Self.name) is not a directory owned by this user"
    }
    defer { close(directory) }
    let draft = "\(name).new"
    // A process that was killed may have left it.
    unlinkat(directory, draft, 0)
    if let obstacle = create(draft, with: content, in: directory) { return obstacle }
    guard renameat(directory, draft, directory, name) == 0 else {
      let obstacle = reason(errno)
      unlinkat(directory, draft, 0)
      return obstacle
    }
    return nil
  }

  /// Returns the content of a file in the directory; `nil` if it cannot be read, is not a regular file, or has more than a mebibyte.
  package static func content(of name: String, in runtimeDirectory: String) -> [UInt8]? {
    guard let directory = open(in: runtimeDirectory) else { return nil }
    defer { close(directory) }
    let file = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= 1 << 20
    else { return nil }
    let size = Int(status.st_size)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = max(0, read(file, buffer.baseAddress, size))
    }
  }

  private static func reason(_ error: Int32) -> String { String(cString: strerror(error)) }

  /// Returns the names of the files in the directory, and closes it.
  static func takeNames(of directory: Int32) -> [String] {
    guard let entries = fdopendir(directory) else {
      close(directory)
      return []
    }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names
  }
}
