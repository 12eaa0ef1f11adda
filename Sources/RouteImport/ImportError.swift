// SPDX-License-Identifier: Apache-2.0
public import RouteTables

/// An error of an import.
public enum ImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file does not have the format that was named.
  case invalidFile(at: SourceLocation, reason: String)
  /// An expression has a part that no route pattern has.
  case unsupported(String)

  /// The location and the reason.
  public var description: String {
    switch self {
    case .invalidFile(let location, let reason): "\(location): \(reason)"
    case .unsupported(let reason): reason
    }
  }
}
