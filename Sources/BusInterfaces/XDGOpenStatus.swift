// SPDX-License-Identifier: Apache-2.0
/// The exit codes of xdg-open(1).
public enum XDGOpenStatus: Int32, Sendable {
  case success = 0
  case syntax = 1
  case fileMissing = 2
  case nothingToOpenWith = 3
  case failed = 4

  /// Creates the status of a request that ended with an error.
  public init(_ error: BrokerErrorName?) {
    switch error {
    case .invalidURL, .invalidRequest: self = .syntax
    case .noHandler, .needsBus: self = .nothingToOpenWith
    default: self = .failed
    }
  }

  /// Creates the status of a result.
  ///
  /// It is a success if the broker has accepted the request and continues, and if an application may have handled it,
  /// because another opener would open the URL twice.
  public init(_ result: OpenResult) {
    guard let failure = result.failure else {
      self = .success
      return
    }
    let mayBeOpened = !result.deliveries.isEmpty && result.deliveries.allSatisfy { $0.outcome != .failed }
    self = mayBeOpened ? .success : Self(BrokerErrorName(failure.name))
  }
}
