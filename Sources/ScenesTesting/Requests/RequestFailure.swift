/// Why a request was not answered with a result; its caller reads it.
public enum RequestFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The application failed: what its code threw, as a text, or that it ended before it was ready.
  case failed(String)
  /// The request was withdrawn.
  case cancelled

  /// The sentence a person reads.
  public var description: String {
    switch self {
    case .failed(let error): error
    case .cancelled: "the request was withdrawn"
    }
  }
}
