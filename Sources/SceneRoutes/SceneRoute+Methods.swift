public import RouteTables
public import Scenes

extension SceneRoute {
  /// URLs that a method of the receiver deals with.
  public init<each Argument: RouteArgument>(
    _ patterns: String...,
    to method: @escaping @Sendable (Receiver) -> @Sendable (repeat each Argument) async throws -> SceneResult,
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    self.init(SceneRouteSource(patterns, file, line, column), answeredBy: method)
  }

  /// URLs that a method of the receiver handles.
  public init<each Argument: RouteArgument>(
    _ patterns: String...,
    to method: @escaping @Sendable (Receiver) -> @Sendable (repeat each Argument) async throws -> Void,
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    self.init(SceneRouteSource(patterns, file, line, column), handledBy: method)
  }

  /// URLs that a closure deals with, which is given the receiver and the arguments.
  public init<each Argument: RouteArgument>(
    _ patterns: String...,
    to handler: @escaping @Sendable (Receiver, repeat each Argument) async throws -> SceneResult,
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    self.init(SceneRouteSource(patterns, file, line, column), handler)
  }
}

extension SceneRoute where Receiver: Actor {
  /// URLs that an `async` method of an actor deals with.
  public init<each Argument: RouteArgument>(
    _ patterns: String...,
    to method:
      @escaping @Sendable (isolated Receiver) -> @Sendable (repeat each Argument) async throws -> SceneResult,
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    self.init(SceneRouteSource(patterns, file, line, column), answeredIsolatedBy: method)
  }

  /// URLs that an `async` method of an actor handles.
  public init<each Argument: RouteArgument>(
    _ patterns: String...,
    to method:
      @escaping @Sendable (isolated Receiver) -> @Sendable (repeat each Argument) async throws -> Void,
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    self.init(SceneRouteSource(patterns, file, line, column), handledIsolatedBy: method)
  }
}
