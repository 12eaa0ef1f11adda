// SPDX-License-Identifier: Apache-2.0
/// The reason why a request has no result, as its caller receives it.
public enum RequestFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The application failed: with the text of its error, or by terminating before it was ready.
  case failed(String)
  /// The request was cancelled.
  case cancelled

  /// The error message for the user.
  public var description: String {
    switch self {
    case .failed(let error): error
    case .cancelled: "the request was cancelled"
    }
  }
}
