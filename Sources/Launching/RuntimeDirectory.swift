import Glibc

/// `$XDG_RUNTIME_DIR/usher`: what lives as long as the session, for nobody else to see.
public enum RuntimeDirectory {
  /// Below `$XDG_RUNTIME_DIR`.
  public static let name = "usher"

  /// Makes our folder where it is not there; `false` where something else has its name.
  public static func make(in runtimeDirectory: String) -> Bool {
    guard let directory = open(in: runtimeDirectory) else { return false }
    close(directory)
    return true
  }

  /// Our folder, made where it is not there; `nil` where something else has its name: a link, a file, another user's folder.
  ///
  /// The descriptor is the caller's to close.
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

  /// The names of the files in the folder, which is closed afterwards.
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
