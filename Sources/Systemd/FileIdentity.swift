// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// The identity of a file, independent of its paths.
public struct FileIdentity: Hashable, Sendable {
  /// The device number of stat(2).
  public let device: UInt64
  /// The inode number.
  public let inode: UInt64

  /// Reads the identity of the file at `path`, symbolic links followed; `nil` if there is none.
  ///
  /// It resolves the path, so it blocks on a hanging file system.
  public init?(path: String) { self.init(path, in: AT_FDCWD) }

  /// Reads the identity of a file in an open directory from the kernel's cached data.
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
