public import Systemd

/// A program that has been executed.
public struct LaunchedProgram: Sendable {
  /// How it was started, for people: `systemd unit app-…` or `process 4711`.
  public let description: String
  private let end: @Sendable () async -> ExitStatus?

  init(_ description: String, end: @escaping @Sendable () async -> ExitStatus?) {
    self.description = description
    self.end = end
  }

  /// How it ended; waits until it has. `nil` when that cannot be known any more, as when the user manager went.
  public func exitStatus() async -> ExitStatus? { await end() }
}
