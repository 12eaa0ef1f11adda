import CSystemd
import Glibc

/// Which file it is, whatever it is called.
public struct FileIdentity: Hashable, Sendable {
  /// The device, as stat(2) numbers it.
  public let device: UInt64
  /// The file's number on it.
  public let inode: UInt64

  /// The file at `path`, links followed; `nil` where there is none.
  ///
  /// The folders on the way are gone through, so a file system that hangs makes this hang.
  public init?(path: String) { self.init(path, in: AT_FDCWD) }

  /// The file of that name in an open folder, told from what the kernel knows already.
  init?(_ name: String, in directory: Int32) {
    let file = usher_open_path(directory, name)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var (device, inode): (UInt64, UInt64) = (0, 0)
    guard usher_file_identity(file, &device, &inode) == 0 else { return nil }
    self.device = device
    self.inode = inode
  }
}
