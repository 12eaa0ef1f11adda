// SPDX-License-Identifier: Apache-2.0
/// The access of this module to the file system, which tests replace.
public protocol FileReading: Sendable {
  /// Reads a regular file.
  func read(_ path: String) -> FileOutcome
  /// Reads a regular file, and its status before reading.
  func readWithStatus(_ path: String) -> (outcome: FileOutcome, status: FileStatus?)
  /// Lists a directory in the directory's own order; symbolic links are followed to recognize directories.
  func list(_ directory: String) -> DirectoryOutcome
  /// Returns whether a directory contains an item of this name, dangling links included; `nil` if only a listing can decide.
  func has(_ name: String, in directory: String) -> Bool?
  /// Returns whether `path` exists, is not a directory, and is executable by this process.
  func isExecutable(_ path: String) -> Bool
  /// Returns the status of the file at `path`; `nil` if none is available, so that the file must be read again.
  func status(of path: String) -> FileStatus?
  /// Returns the owner and permissions of the file at `path`, symbolic links not followed; `nil` if that fails.
  func ownership(of path: String) -> FileOwnership?
}

extension FileReading {
  /// Returns `nil`: only a listing can decide.
  public func has(_ name: String, in directory: String) -> Bool? { nil }

  /// Returns `nil`: no status is available.
  public func status(of path: String) -> FileStatus? { nil }

  /// Returns `nil`: no ownership is available.
  public func ownership(of path: String) -> FileOwnership? { nil }

  /// Returns whether `path` is a symbolic link.
  public func isLink(_ path: String) -> Bool {
    if case .link = ownership(of: path)?.kind { true } else { false }
  }

  /// Reads the status, then the file.
  public func readWithStatus(_ path: String) -> (outcome: FileOutcome, status: FileStatus?) {
    // The status is read first, so that a change between both reads makes it outdated.
    let status = status(of: path)
    return (read(path), status)
  }
}

/// The outcome of reading a file.
public enum FileOutcome: Hashable, Sendable {
  /// The content of the file.
  case bytes([UInt8])
  /// There is no such file.
  case missing
  /// The file exists and cannot be read, with the reason.
  case unreadable(reason: String)
}

/// The outcome of listing a directory.
public enum DirectoryOutcome: Hashable, Sendable {
  /// The items of the directory.
  case items([DirectoryItem])
  /// There is no such directory.
  case missing
  /// The directory exists and cannot be listed, with the reason.
  case unreadable(reason: String)
}

/// A name in a directory.
public struct DirectoryItem: Hashable, Sendable {
  /// The name, without its directory.
  public let name: String
  /// The identity of the directory to which the name leads, links followed; `nil` if it is not a directory.
  ///
  /// Two names with equal identities lead to one directory.
  public let directory: DirectoryIdentity?

  /// Creates an item of a directory.
  public init(name: String, directory: DirectoryIdentity? = nil) {
    self.name = name
    self.directory = directory
  }
}

/// The identity of a directory, independent of the path to it.
public struct DirectoryIdentity: Hashable, Sendable {
  /// The device number of the file system.
  public let device: UInt64
  /// The inode number.
  public let inode: UInt64

  /// Creates the identity from both numbers.
  public init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}
