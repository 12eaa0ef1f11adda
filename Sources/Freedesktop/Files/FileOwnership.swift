import Glibc

/// Who may change what is at a path itself, a symbolic link not followed.
public struct FileOwnership: Hashable, Sendable {
  /// What is there.
  public enum Kind: Hashable, Sendable {
    /// A directory.
    case directory
    /// A symbolic link, and the path that it holds.
    case link(to: String)
    /// Anything else.
    case file
  }

  /// What is there.
  public let kind: Kind
  /// Its owner.
  public let userID: UInt32
  /// Its permission bits, with the sticky bit.
  public let permissions: UInt32
  /// The number of its file system.
  public let device: UInt64

  /// The ownership with these values.
  public init(_ kind: Kind, userID: UInt32 = 0, permissions: UInt32 = 0o755, device: UInt64 = 1) {
    self.kind = kind
    self.userID = userID
    self.permissions = permissions
    self.device = device
  }

  /// The ownership of what is at `path` now; `nil` where it cannot be looked up.
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

  /// The path that a link holds; `nil` where it cannot be read as a whole.
  private static func target(ofLinkAt path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    guard count > 0, count < bytes.count else { return nil }
    return String(validating: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether its group or all users may write to it.
  ///
  /// With a POSIX access control list the group's bits are the list's mask, so a list
  /// that lets another user write shows here, too.
  var isWritableByOthers: Bool { permissions & 0o022 != 0 }

  /// Whether what is in it may be renamed and removed by its owner, the directory's owner and root alone.
  var isSticky: Bool { permissions & 0o1000 != 0 }
}
