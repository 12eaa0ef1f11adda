internal import Glibc

/// What shows that route files have changed: equal stamps, equal files.
///
/// ```swift
/// let stamp = RouteFileStamp(of: folders)      // before reading, so that a change meanwhile shows
/// let files = RouteFileSet(loading: folders)
/// if RouteFileStamp(of: folders) != stamp { /* read again */ }
/// ```
public struct RouteFileStamp: Hashable, Sendable {
  private struct File: Hashable {
    let path: String
    let device: UInt
    let inode: UInt
    let size: Int
    let modified: [Int]
    let changed: [Int]
  }

  private let files: [File]

  /// The stamp of files, and of each folder the `*.toml` in it, as they are now.
  public init(of paths: [String]) {
    files = paths.flatMap { path in
      guard let folder = opendir(path) else { return [path] }
      let prefix = path.hasSuffix("/") ? path : path + "/"
      return RouteFileSource.names(in: folder).map { prefix + $0 }
    }.compactMap { path in
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      return File(
        path: path, device: UInt(status.st_dev), inode: UInt(status.st_ino), size: Int(status.st_size),
        modified: [status.st_mtim.tv_sec, status.st_mtim.tv_nsec],
        changed: [status.st_ctim.tv_sec, status.st_ctim.tv_nsec])
    }
  }
}
