import RouteTables
import Scenes

extension SceneRoute {
  /// What a method returns is the answer.
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

  /// A method that returns has handled the URL.
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

  /// Reads the arguments, and hands them to `call`.
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
  /// What a method of the actor returns is the answer.
  init<each Argument: RouteArgument>(
    _ source: SceneRouteSource,
    answeredIsolatedBy method:
      @escaping @Sendable (isolated Receiver) -> @Sendable (repeat each Argument) async throws -> SceneResult
  ) {
    @Sendable func call(
      _ receiver: Receiver, _ arguments: repeat each Argument
    ) async throws -> SceneResult {
      try await Self.call(receiver, method, repeat each arguments)
    }
    self.init(source, call)
  }

  /// A method of the actor that returns has handled the URL.
  init<each Argument: RouteArgument>(
    _ source: SceneRouteSource,
    handledIsolatedBy method:
      @escaping @Sendable (isolated Receiver) -> @Sendable (repeat each Argument) async throws -> Void
  ) {
    @Sendable func call(
      _ receiver: Receiver, _ arguments: repeat each Argument
    ) async throws -> SceneResult {
      try await Self.call(receiver, method, repeat each arguments)
      return .handled
    }
    self.init(source, call)
  }

  private static func call<each Argument: Sendable, Result: Sendable>(
    _ receiver: isolated Receiver,
    _ method: @Sendable (isolated Receiver) -> @Sendable (repeat each Argument) async throws -> Result,
    _ arguments: repeat each Argument
  ) async throws -> Result {
    try await method(receiver)(repeat each arguments)
  }
}
