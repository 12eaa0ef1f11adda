public import DBus

/// The broker's errors: their names on the bus, and what the command exits with.
public enum BrokerErrorName: String, CaseIterable, Sendable {
  /// What was given is no URL.
  case invalidURL = "org.usher.Error.InvalidURL"
  /// No application opens URLs of this scheme.
  case noHandler = "org.usher.Error.NoHandler"
  /// A route, a policy or the user said no.
  case denied = "org.usher.Error.Denied"
  /// The program could not be started, or never took its name.
  case launchFailed = "org.usher.Error.LaunchFailed"
  /// No answer in the time that was given.
  case timeout = "org.usher.Error.Timeout"
  /// The target raised an error, or ended non-zero where that was waited for.
  case targetFailed = "org.usher.Error.TargetFailed"
  /// The target said that this is not for it.
  case notHandled = "org.usher.Error.NotHandled"
  /// The request came back too often.
  case loop = "org.usher.Error.Loop"
  /// Too much is waiting already.
  case tooMany = "org.usher.Error.TooMany"
  /// This cannot be done without a session bus.
  case needsBus = "org.usher.Error.NeedsBus"
  /// The request was withdrawn.
  case cancelled = "org.usher.Error.Cancelled"
  /// The options are not what the interface says.
  case invalidRequest = "org.usher.Error.InvalidRequest"

  /// The broker's error of that D-Bus name, or `nil` when it is somebody else's.
  public init?(_ name: ErrorName) { self.init(rawValue: name.rawValue) }

  /// The name on the bus.
  public var errorName: ErrorName { ErrorName(unchecked: rawValue) }

  /// The exit code of `usher open`.
  public var exitCode: Int32 {
    switch self {
    case .noHandler: 2
    case .denied: 3
    case .launchFailed: 4
    case .timeout: 5
    case .targetFailed, .notHandled: 6
    case .loop: 7
    case .tooMany: 8
    case .cancelled: 9
    case .invalidRequest: 64
    case .invalidURL: 65
    case .needsBus: 69
    }
  }
}

extension BusError {
  /// One of the broker's errors, with the sentence a person reads.
  public init(_ name: BrokerErrorName, _ message: String, details: [String: Variant] = [:]) {
    self.init(name.errorName, message, details: details)
  }

  /// What a caller is told whose message is not what the interface says.
  public init(_ error: MessageError) { self.init(.invalidRequest, error.description) }

  /// Which of the broker's errors this is, or `nil` when it is somebody else's.
  public var brokerError: BrokerErrorName? { BrokerErrorName(name) }
}
