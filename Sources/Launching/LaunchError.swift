import Glibc
import Systemd

/// Why a program could not be started.
public struct LaunchError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The program.
  public let program: String
  /// What the kernel or the service manager said.
  public let reason: String

  /// Whether it may have been started all the same: the service manager was asked, and went before it answered.
  public let isUncertain: Bool

  /// An error about `program`.
  public init(_ program: String, _ reason: String, isUncertain: Bool = false) {
    self.program = program
    self.reason = reason
    self.isUncertain = isUncertain
  }

  /// The sentence a person reads.
  public var description: String {
    isUncertain
      ? "nobody can know whether \(program) was started: \(reason)"
      : "\(program) cannot be started: \(reason)"
  }
}

extension LaunchError {
  /// What `error` says of the start of `start` as a child.
  init(_ start: ProcessConfiguration, _ error: SystemdError) {
    let reason = String(cString: strerror(error.code))
    if let directory = start.workingDirectory, access(directory, X_OK) != 0 {
      self.init(start.executable, "its working directory cannot be entered: \(reason)")
    } else {
      let failure = ExecFailure(
        path: start.executable, arguments: start.arguments,
        environment: start.environment.map { "\($0.key)=\($0.value)" })
      self.init(start.executable, failure.reason(error.code))
    }
  }
}
