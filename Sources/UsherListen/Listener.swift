// SPDX-License-Identifier: Apache-2.0
import Scenes

/// A source of answers to requests, which are passed to it in order, at most as many at a time as it supports.
protocol Listener: Sendable {
  /// Starts to watch for the end of the listener, and calls `tellEnd` when it cannot answer any more.
  func watch(_ tellEnd: @escaping @Sendable () -> Void) async
  /// Returns the answer to a request.
  func answer(_ request: SceneRequest) async throws -> SceneResult
  /// Stops the listener; all requests are answered, and the program is about to exit.
  func end() async
}
