public import RouteTables
public import Scenes

extension SceneRoute {
  /// URLs of a typed route that a method of the receiver deals with.
  public init<each Argument: RouteArgument>(
    _ route: TypedRoute<repeat each Argument>,
    to method: @escaping @Sendable (Receiver) -> @Sendable (repeat each Argument) async throws -> SceneResult
  ) {
    self.init(SceneRouteSource(route), answeredBy: method)
  }

  /// URLs of a typed route that a method of the receiver handles.
  public init<each Argument: RouteArgument>(
    _ route: TypedRoute<repeat each Argument>,
    to method: @escaping @Sendable (Receiver) -> @Sendable (repeat each Argument) async throws -> Void
  ) {
    self.init(SceneRouteSource(route), handledBy: method)
  }

  /// URLs of a typed route that a closure deals with, which is given the receiver and the arguments.
  public init<each Argument: RouteArgument>(
    _ route: TypedRoute<repeat each Argument>,
    to handler: @escaping @Sendable (Receiver, repeat each Argument) async throws -> SceneResult
  ) {
    self.init(SceneRouteSource(route), handler)
  }
}

extension SceneRoute where Receiver: Actor {
  /// URLs of a typed route that an `async` method of an actor deals with.
  public init<each Argument: RouteArgument>(
    _ route: TypedRoute<repeat each Argument>,
    to method:
      @escaping @Sendable (isolated Receiver) -> @Sendable (repeat each Argument) async throws -> SceneResult
  ) {
    self.init(SceneRouteSource(route), answeredIsolatedBy: method)
  }

  /// URLs of a typed route that an `async` method of an actor handles.
  public init<each Argument: RouteArgument>(
    _ route: TypedRoute<repeat each Argument>,
    to method:
      @escaping @Sendable (isolated Receiver) -> @Sendable (repeat each Argument) async throws -> Void
  ) {
    self.init(SceneRouteSource(route), handledIsolatedBy: method)
  }
}
