/// How this module sees the file system: the one place where its answers come from outside.
public protocol FileReading: Sendable {
  /// The content of a regular file.
  func read(_ path: String) -> FileOutcome
  /// The content of a regular file, with the status that it had before.
  func readWithStatus(_ path: String) -> (outcome: FileOutcome, status: FileStatus?)
  /// What is in a directory, in the directory's own order; links are followed to tell directories from files.
  func list(_ directory: String) -> DirectoryOutcome
  /// Whether a directory's list has an item of this name, a link that leads nowhere too; `nil` where only the list tells.
  func has(_ name: String, in directory: String) -> Bool?
  /// Whether `path` is there, is no directory, and may be executed by this process.
  func isExecutable(_ path: String) -> Bool
  /// What shows that the file at `path` has changed; `nil` where that cannot be told, so that it has to be read.
  func status(of path: String) -> FileStatus?
  /// Who may change what is at `path` itself, a symbolic link not followed; `nil` where that cannot be looked up.
  func ownership(of path: String) -> FileOwnership?
}

extension FileReading {
  /// Only the list tells.
  public func has(_ name: String, in directory: String) -> Bool? { nil }

  /// Cannot be told.
  public func status(of path: String) -> FileStatus? { nil }

  /// Cannot be looked up.
  public func ownership(of path: String) -> FileOwnership? { nil }

  /// Looks twice.
  public func readWithStatus(_ path: String) -> (outcome: FileOutcome, status: FileStatus?) {
    // What changes meanwhile differs from it.
    let status = status(of: path)
    return (read(path), status)
  }
}

/// What became of reading a file.
public enum FileOutcome: Hashable, Sendable {
  /// Its content.
  case bytes([UInt8])
  /// There is none.
  case missing
  /// There is one, and the reason why it cannot be read.
  case unreadable(reason: String)
}

/// What became of listing a directory.
public enum DirectoryOutcome: Hashable, Sendable {
  /// What is in it.
  case items([DirectoryItem])
  /// There is none.
  case missing
  /// There is one, and the reason why it cannot be listed.
  case unreadable(reason: String)
}

/// A name in a directory.
public struct DirectoryItem: Hashable, Sendable {
  /// The name, without its directory.
  public let name: String
  /// The directory itself when the name leads to one, through links too, else `nil`.
  ///
  /// Two names with the same identity lead to the same directory.
  public let directory: DirectoryIdentity?

  /// An item of a directory.
  public init(name: String, directory: DirectoryIdentity? = nil) {
    self.name = name
    self.directory = directory
  }
}

/// What tells one directory from all others, however it is reached.
public struct DirectoryIdentity: Hashable, Sendable {
  /// The file system's number.
  public let device: UInt64
  /// The directory's number in it.
  public let inode: UInt64

  /// The identity of these two numbers.
  public init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}
