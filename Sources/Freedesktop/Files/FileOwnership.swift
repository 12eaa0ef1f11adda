// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The owner and permissions of the file at a path; symbolic links are not followed.
public struct FileOwnership: Hashable, Sendable {
  /// The kind of a file.
  public enum Kind: Hashable, Sendable {
    /// A directory.
    case directory
    /// A symbolic link, with the path that it contains.
    case link(to: String)
    /// Any other file.
    case file
  }

  /// The kind of the file.
  public let kind: Kind
  /// The user ID of the owner.
  public let userID: UInt32
  /// The permission bits, with the sticky bit.
  public let permissions: UInt32
  /// The device number of the file system.
  public let device: UInt64

  /// Creates the value from its parts.
  public init(_ kind: Kind, userID: UInt32 = 0, permissions: UInt32 = 0o755, device: UInt64 = 1) {
    self.kind = kind
    self.userID = userID
    self.permissions = permissions
    self.device = device
  }

  /// Reads the owner and permissions of the file at `path`; `nil` if that fails.
  public init?(at path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    let kind: Kind
    switch status.st_mode & S_IFMT {
    case S_IFDIR: kind = .directory
    case S_IFLNK:
      guard let target = Self.target(ofLinkAt: path) else { return nil }
      kind = .link(to: target)
    default: kind = .file
    }
    self.init(
      kind, userID: status.st_uid, permissions: status.st_mode & 0o7777, device: UInt64(status.st_dev))
  }

  /// Returns the path that a symbolic link contains; `nil` if it cannot be read completely.
  private static func target(ofLinkAt path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    guard count > 0, count < bytes.count else { return nil }
    return String(validating: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Indicates whether the group or all users may write to it.
  ///
  /// With a POSIX access control list the group bits are the list's mask, so an entry that lets another user write is
  /// visible here, too.
  var isWritableByOthers: Bool { permissions & 0o022 != 0 }

  /// Indicates whether only root and the owners of a file and of its directory may rename or remove the file.
  var isSticky: Bool { permissions & 0o1000 != 0 }
}
