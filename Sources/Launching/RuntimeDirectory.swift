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
