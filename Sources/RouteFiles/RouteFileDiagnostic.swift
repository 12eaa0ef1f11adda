// SPDX-License-Identifier: Apache-2.0
public import RouteTables

/// An error in a route file, with its location.
public struct RouteFileDiagnostic: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error.
  public enum Kind: Hashable, Sendable {
    /// There is no such file or directory.
    case missing
    /// The file exists and cannot be read.
    case unreadable
    /// The file is not TOML.
    case syntax
    /// A key or a value is not part of the format of route files.
    case shape
    /// A pattern is invalid.
    case pattern
    /// Two routes match the same URLs or have one name; both are dropped.
    case conflict
    /// A test in the file failed.
    case test
  }

  /// The kind of the error.
  public let kind: Kind
  /// The location of the error.
  public let location: SourceLocation
  /// The error and its fix, without the location.
  public let message: String

  /// The location and the message, as `file:line:column: message`.
  public var description: String { "\(location): \(message)" }

  init(_ kind: Kind, at location: SourceLocation, _ message: String) {
    self.kind = kind
    self.location = location
    self.message = message
  }
}

extension [RouteFileDiagnostic] {
  /// Returns the diagnostics in the order of the files and their lines.
  func inOrder() -> [RouteFileDiagnostic] {
    sorted { ($0.location, $0.message) < ($1.location, $1.message) }
  }
}
