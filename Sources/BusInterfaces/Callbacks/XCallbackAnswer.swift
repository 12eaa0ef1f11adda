// SPDX-License-Identifier: Apache-2.0
/// The answer to a request in the form of x-callback-url.
public enum XCallbackAnswer: Hashable, Sendable {
  /// The request succeeded, with these results.
  case success([XCallbackURL.Parameter] = [])
  /// The request failed: `errorCode` and `errorMessage`.
  case error(code: String?, message: String?)
  /// The user cancelled the request.
  case cancel

  /// The kind of an answer, without its parameters.
  public enum Kind: String, CaseIterable, Sendable {
    /// `x-success`.
    case success
    /// `x-error`.
    case error
    /// `x-cancel`.
    case cancel
  }

  /// The kind of the answer.
  public var kind: Kind {
    switch self {
    case .success: .success
    case .error: .error
    case .cancel: .cancel
    }
  }

  /// The parameters to append to the caller's URL.
  public var parameters: [XCallbackURL.Parameter] {
    switch self {
    case .success(let parameters): parameters
    case .error(let code, let message):
      [("errorCode", code), ("errorMessage", message)].compactMap { name, value in
        value.map { XCallbackURL.Parameter(name, $0) }
      }
    case .cancel: []
    }
  }

  /// Creates an answer from the parameters of the caller's URL.
  init(_ kind: Kind, _ parameters: [XCallbackURL.Parameter]) {
    func first(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
    self =
      switch kind {
      case .success: .success(parameters)
      case .error: .error(code: first("errorCode"), message: first("errorMessage"))
      case .cancel: .cancel
      }
  }
}

extension XCallbackURL {
  /// Returns the URL that reports an answer to the caller; `nil` if the request has no callback of this kind.
  public func callback(for answer: XCallbackAnswer) -> String? {
    let url =
      switch answer.kind {
      case .success: success
      case .error: error
      case .cancel: cancel
      }
    return url.map { Self.appending(answer.parameters, to: $0) }
  }
}
