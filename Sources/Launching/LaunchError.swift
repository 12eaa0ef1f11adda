/// Why a program could not be started.
public struct LaunchError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The program.
  public let program: String
  /// What the kernel or the service manager said.
  public let reason: String

  /// An error about `program`.
  public init(_ program: String, _ reason: String) {
    self.program = program
    self.reason = reason
  }

  /// The sentence a person reads.
  public var description: String { "\(program) cannot be started: \(reason)" }
}
