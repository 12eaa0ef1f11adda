// SPDX-License-Identifier: Apache-2.0
public import Systemd

/// A program that has been executed.
public struct LaunchedProgram: Sendable {
  /// A description of the start for messages, such as `systemd unit app-…` or `process 4711`.
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

  /// Terminates the program with SIGTERM, and all other processes of its unit if it has one.
  public func terminate() async { await stop() }

  /// Waits for the program to exit and returns its status.
  ///
  /// `nil` if the status is lost, for example because the service manager exited.
  public func exitStatus() async -> ExitStatus? { await end() }
}
