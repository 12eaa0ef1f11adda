// SPDX-License-Identifier: Apache-2.0
import RouteTables
import Scenes

extension SceneRoute {
  /// Creates a route whose method returns the result.
  init<each Argument: RouteArgument>(
    _ source: SceneRouteSource,
    answeredBy method:
      @escaping @Sendable (Receiver) -> @Sendable (repeat each Argument) async throws -> SceneResult
  ) {
    @Sendable func call(
      _ receiver: Receiver, _ arguments: repeat each Argument
    ) async throws -> SceneResult {
      try await method(receiver)(repeat each arguments)
    }
    self.init(source, call)
  }

  /// Creates a route whose method has no result; its return means `handled`.
  init<each Argument: RouteArgument>(
    _ source: SceneRouteSource,
    handledBy method:
      @escaping @Sendable (Receiver) -> @Sendable (repeat each Argument) async throws -> Void
  ) {
    @Sendable func call(
      _ receiver: Receiver, _ arguments: repeat each Argument
    ) async throws -> SceneResult {
      try await method(receiver)(repeat each arguments)
      return .handled
    }
    self.init(source, call)
  }

  /// Creates a route that reads the arguments and passes them to `call`.
  init<each Argument: RouteArgument>(
    _ source: SceneRouteSource,
    _ call: @escaping @Sendable (Receiver, repeat each Argument) async throws -> SceneResult
  ) {
    self.init(
      source, repeat (each Argument).self,
      reading: { receiver, texts in
        var texts = texts
        let arguments = (repeat try texts.next((each Argument).self))
        return try await call(receiver, repeat each arguments)
      })
  }
}

extension SceneRoute where Receiver: Actor {
  /// Creates a route whose method, isolated to the actor, returns the result.
  init<each Argument: RouteArgument>(
    _ source: SceneRouteSource,
    answeredIsolatedBy method:
      @escaping @Sendable (isolated Receiver) -> @Sendable (repeat each Argument) async throws -> SceneResult
  ) {
    @Sendable func call(
      _ receiver: Receiver, _ arguments: repeat each Argument
    ) async throws -> SceneResult {
      try await Self.call(receiver, method, arguments: repeat each arguments)
    }
    self.init(source, call)
  }

  /// Creates a route whose method, isolated to the actor, has no result; its return means `handled`.
  init<each Argument: RouteArgument>(
    _ source: SceneRouteSource,
    handledIsolatedBy method:
      @escaping @Sendable (isolated Receiver) -> @Sendable (repeat each Argument) async throws -> Void
  ) {
    @Sendable func call(
      _ receiver: Receiver, _ arguments: repeat each Argument
    ) async throws -> SceneResult {
      try await Self.call(receiver, method, arguments: repeat each arguments)
      return .handled
    }
    self.init(source, call)
  }

  private static func call<each Argument: Sendable, Result: Sendable>(
    _ receiver: isolated Receiver,
    _ method: @Sendable (isolated Receiver) -> @Sendable (repeat each Argument) async throws -> Result,
    arguments: repeat each Argument
  ) async throws -> Result {
    try await method(receiver)(repeat each arguments)
  }
}
