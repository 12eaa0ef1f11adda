// SPDX-License-Identifier: Apache-2.0
import Glibc
import Systemd

/// The error of a program that could not be started.
public struct LaunchError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The program.
  public let program: String
  /// The reason from the kernel or the service manager.
  public let reason: String

  /// A Boolean value that indicates whether the program may have been started: the service manager did not reply to the start request.
  public let isUncertain: Bool

  /// Creates an error about `program`.
  public init(_ program: String, _ reason: String, isUncertain: Bool = false) {
    self.program = program
    self.reason = reason
    self.isUncertain = isUncertain
  }

  /// The message for the user.
  public var description: String {
    isUncertain
      ? "it is unknown whether \(program) was started: \(reason)"
      : "\(program) cannot be started: \(reason)"
  }
}

extension LaunchError {
  /// Creates the error for a failed start as a child process.
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
