// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Running as the whole program: an error is printed, and becomes the exit status.
extension SceneApplication {
  /// Runs with a closure, and exits with ``SceneError/exitStatus`` after an error, which it prints.
  ///
  /// ```swift
  /// await SceneApplication("org.example.Notes").main { request in … }
  /// ```
  @discardableResult
  nonisolated(nonsending) public func main(
    preparing: @escaping @concurrent @Sendable () async throws -> Void = {},
    _ handler: @escaping @concurrent @Sendable (SceneRequest) async throws -> SceneResult
  ) async -> RunResult {
    await exitingOnError { () async throws(SceneError) in try await run(preparing: preparing, handler) }
  }

  /// Runs with a closure that can open URLs itself, and exits with ``SceneError/exitStatus`` after an error.
  @discardableResult
  nonisolated(nonsending) public func main(
    preparing: @escaping @concurrent @Sendable () async throws -> Void = {},
    _ handler: @escaping @concurrent @Sendable (SceneRequest, Application) async throws -> SceneResult
  ) async -> RunResult {
    await exitingOnError { () async throws(SceneError) in try await run(preparing: preparing, handler) }
  }

  /// Runs without scenes, and exits with ``SceneError/exitStatus`` after an error, which it prints.
  @discardableResult
  nonisolated(nonsending) public func main(delegate: any ApplicationDelegate) async -> RunResult {
    await exitingOnError { () async throws(SceneError) in try await run(delegate: delegate) }
  }

  /// Runs with scenes, and exits with ``SceneError/exitStatus`` after an error, which it prints.
  @discardableResult
  nonisolated(nonsending) public func main(
    delegate: any ApplicationDelegate, scenes: SceneConfiguration
  ) async -> RunResult {
    await exitingOnError { () async throws(SceneError) in try await run(delegate: delegate, scenes: scenes) }
  }

  nonisolated(nonsending) private func exitingOnError(
    _ body: nonisolated(nonsending) () async throws(SceneError) -> RunResult
  ) async -> RunResult {
    do throws(SceneError) { return try await body() } catch {
      printError("\(id): \(error)")
      exit(error.exitStatus)
    }
  }
}

extension SceneError {
  /// The exit status for this error, as `usher` defines it: 64 for an invalid ID, 69 without a bus, otherwise 1.
  public var exitStatus: Int32 {
    switch self {
    case .invalidApplicationID: 64
    case .noBus: 69
    default: 1
    }
  }
}

/// Prints a line to the standard error.
func printError(_ line: String) {
  let bytes = Array("\(line)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
