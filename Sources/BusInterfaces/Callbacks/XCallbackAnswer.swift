/// How a request in the form of x-callback-url ended.
public enum XCallbackAnswer: Hashable, Sendable {
  /// It is done, with what it yields.
  case success([XCallbackURL.Parameter] = [])
  /// It failed: `errorCode` and `errorMessage`.
  case error(code: String?, message: String?)
  /// A person gave it up.
  case cancel

  /// Which of the three, without what comes along.
  public enum Kind: String, CaseIterable, Sendable {
    /// `x-success`.
    case success
    /// `x-error`.
    case error
    /// `x-cancel`.
    case cancel
  }

  /// Which of the three.
  public var kind: Kind {
    switch self {
    case .success: .success
    case .error: .error
    case .cancel: .cancel
    }
  }

  /// What is put behind the caller's URL.
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

  /// An answer by what came behind the caller's URL.
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
  /// The URL by which the caller is told an answer; `nil` where it does not want to hear of such an end.
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
