// SPDX-License-Identifier: Apache-2.0
/// The error of a browser whose list of profiles cannot be read.
///
/// `description` is the complete message for the user: the file, the cause and the fix.
public struct ProfileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The cause of the error.
  public enum Reason: Hashable, Sendable {
    /// The file or directory exists and cannot be read.
    case unreadable(String)
    /// The content is not what the browser writes.
    case malformed(String)
    /// The browser has changed the file during each attempt to read it.
    case changing
    /// There are more profiles than any user has.
    case tooMany(limit: Int)
    /// A library that reads the file is not installed.
    case missingLibrary(String)
  }

  /// The cause of the error.
  public let reason: Reason
  /// The path of the file.
  public let path: String

  init(_ reason: Reason, at path: String) {
    self.reason = reason
    self.path = path
  }

  /// The message for the user.
  public var description: String {
    switch reason {
    case .unreadable(let cause): "\(path) cannot be read: \(cause)"
    case .malformed(let cause): "\(path): \(cause); start the browser, which repairs or replaces the file"
    case .changing: "\(path) changes all the time; try again when the browser has started"
    case .tooMany(let limit): "\(path) lists more than \(limit) profiles; remove profiles in the browser"
    case .missingLibrary(let name): "\(path) cannot be read, because \(name) is not installed; install SQLite"
    }
  }
}
