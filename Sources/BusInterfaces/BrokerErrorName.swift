// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The broker's errors: their names on the bus, and the exit codes of the command.
public enum BrokerErrorName: String, CaseIterable, Sendable {
  /// The text is not a URL.
  case invalidURL = "org.usher.Error.InvalidURL"
  /// No application opens URLs of this scheme.
  case noHandler = "org.usher.Error.NoHandler"
  /// A route, a policy or the user refused it.
  case denied = "org.usher.Error.Denied"
  /// The program could not be started, or never acquired its bus name.
  case launchFailed = "org.usher.Error.LaunchFailed"
  /// There was no answer before the timeout.
  case timeout = "org.usher.Error.Timeout"
  /// The target reported an error, or exited with another status than 0 while the caller waited for it.
  case targetFailed = "org.usher.Error.TargetFailed"
  /// The target replied that it does not handle the request.
  case notHandled = "org.usher.Error.NotHandled"
  /// The request is in a redirect loop.
  case loop = "org.usher.Error.Loop"
  /// Too many requests are waiting.
  case tooMany = "org.usher.Error.TooMany"
  /// The operation needs a session bus.
  case needsBus = "org.usher.Error.NeedsBus"
  /// The request was cancelled.
  case cancelled = "org.usher.Error.Cancelled"
  /// The options do not conform to the interface.
  case invalidRequest = "org.usher.Error.InvalidRequest"

  /// Returns the broker's error with this D-Bus name; `nil` for any other name.
  public init?(_ name: ErrorName) { self.init(rawValue: name.rawValue) }

  /// The name on the bus.
  public var errorName: ErrorName { ErrorName(unchecked: rawValue) }

  /// The exit code of `usher open`.
  public var exitStatus: Int32 {
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

/// Returns what a message contains; its error becomes the error reply to the caller.
package func decoded<Value>(
  _ value: @autoclosure () throws(MessageError) -> Value
) throws(BusError) -> Value {
  do throws(MessageError) { return try value() } catch { throw BusError(error) }
}

extension BusError {
  /// Creates one of the broker's errors, with a sentence for users.
  public init(_ name: BrokerErrorName, _ message: String, details: [String: Variant] = [:]) {
    self.init(name.errorName, message, details: details)
  }

  /// Creates the error reply to a caller whose message does not conform to the interface.
  public init(_ error: MessageError) { self.init(.invalidRequest, error.description) }

  /// The broker's error with this name; `nil` for any other error.
  public var brokerError: BrokerErrorName? { BrokerErrorName(name) }
}
