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
    /// Users other than root can write the file or a directory above it, so that it does not count as the administrator's.
    case ownership
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

  /// The shell command that corrects the error; `nil` if the file has to be edited.
  public let command: String?
  /// The error and its fix, if other places can have the same cause.
  let cause: String?

  /// The location and the message, as `file:line:column: message`.
  public var description: String { "\(location): \(message)" }

  init(
    _ kind: Kind, at location: SourceLocation, _ message: String, command: String? = nil, cause: String? = nil
  ) {
    self.kind = kind
    self.location = location
    self.message = message
    self.command = command
    self.cause = cause
  }
}

extension [RouteFileDiagnostic] {
  /// Returns the diagnostics without those whose cause an earlier one has.
  func onePerCause() -> [RouteFileDiagnostic] {
    var causes: Set<String> = []
    return filter { diagnostic in diagnostic.cause.map { causes.insert($0).inserted } ?? true }
  }

  /// Returns the diagnostics in the order of the files and their lines.
  func inOrder() -> [RouteFileDiagnostic] {
    sorted { ($0.location, $0.message) < ($1.location, $1.message) }
  }
}
