// SPDX-License-Identifier: Apache-2.0
public import RouteTables
public import Scenes

extension SceneRoute {
  /// Creates a typed route whose URLs a method of the receiver handles and answers with a result.
  public init<each Argument: RouteArgument>(
    _ route: TypedRoute<repeat each Argument>,
    to method: @escaping @Sendable (Receiver) -> @Sendable (repeat each Argument) async throws -> SceneResult
  ) {
    self.init(SceneRouteSource(route), answeredBy: method)
  }

  /// Creates a typed route whose URLs a method of the receiver handles without a result.
  public init<each Argument: RouteArgument>(
    _ route: TypedRoute<repeat each Argument>,
    to method: @escaping @Sendable (Receiver) -> @Sendable (repeat each Argument) async throws -> Void
  ) {
    self.init(SceneRouteSource(route), handledBy: method)
  }

  /// Creates a typed route whose URLs a closure handles, which receives the receiver and the arguments.
  public init<each Argument: RouteArgument>(
    _ route: TypedRoute<repeat each Argument>,
    to handler: @escaping @Sendable (Receiver, repeat each Argument) async throws -> SceneResult
  ) {
    self.init(SceneRouteSource(route), handler)
  }
}

extension SceneRoute where Receiver: Actor {
  /// Creates a typed route whose URLs an `async` method of an actor handles and answers with a result.
  public init<each Argument: RouteArgument>(
    _ route: TypedRoute<repeat each Argument>,
    to method:
      @escaping @Sendable (isolated Receiver) -> @Sendable (repeat each Argument) async throws -> SceneResult
  ) {
    self.init(SceneRouteSource(route), answeredIsolatedBy: method)
  }

  /// Creates a typed route whose URLs an `async` method of an actor handles without a result.
  public init<each Argument: RouteArgument>(
    _ route: TypedRoute<repeat each Argument>,
    to method:
      @escaping @Sendable (isolated Receiver) -> @Sendable (repeat each Argument) async throws -> Void
  ) {
    self.init(SceneRouteSource(route), handledIsolatedBy: method)
  }
}
