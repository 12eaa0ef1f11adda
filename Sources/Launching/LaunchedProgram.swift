public import Systemd

/// A program that has been executed.
public struct LaunchedProgram: Sendable {
  /// How it was started, for people: `systemd unit app-…` or `process 4711`.
  public let description: String
  private let end: @Sendable () async -> ExitStatus?
  private let stop: @Sendable () async -> Void

  init(
    _ description: String, stop: @escaping @Sendable () async -> Void,
    end: @escaping @Sendable () async -> ExitStatus?
  ) {
    self.description = description
    self.stop = stop
    self.end = end
  }

  /// Asks it to end (SIGTERM, to all of its unit where it is one).
  public func terminate() async { await stop() }

  /// How it ended; waits until it has.
  ///
  /// `nil` when that cannot be known any more, as when the user manager went.
  public func exitStatus() async -> ExitStatus? { await end() }
}
