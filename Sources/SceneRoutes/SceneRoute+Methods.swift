// SPDX-License-Identifier: Apache-2.0
public import RouteTables
public import Scenes

extension SceneRoute {
  /// Creates a route whose URLs a method of the receiver handles and answers with a result.
  public init<each Argument: RouteArgument>(
    _ patterns: String...,
    to method: @escaping @Sendable (Receiver) -> @Sendable (repeat each Argument) async throws -> SceneResult,
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    self.init(SceneRouteSource(patterns, file: file, line: line, column: column), answeredBy: method)
  }

  /// Creates a route whose URLs a method of the receiver handles without a result.
  public init<each Argument: RouteArgument>(
    _ patterns: String...,
    to method: @escaping @Sendable (Receiver) -> @Sendable (repeat each Argument) async throws -> Void,
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    self.init(SceneRouteSource(patterns, file: file, line: line, column: column), handledBy: method)
  }

  /// Creates a route whose URLs a closure handles, which receives the receiver and the arguments.
  public init<each Argument: RouteArgument>(
    _ patterns: String...,
    to handler: @escaping @Sendable (Receiver, repeat each Argument) async throws -> SceneResult,
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    self.init(SceneRouteSource(patterns, file: file, line: line, column: column), handler)
  }
}

extension SceneRoute where Receiver: Actor {
  /// Creates a route whose URLs an `async` method of an actor handles and answers with a result.
  public init<each Argument: RouteArgument>(
    _ patterns: String...,
    to method:
      @escaping @Sendable (isolated Receiver) -> @Sendable (repeat each Argument) async throws -> SceneResult,
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    self.init(SceneRouteSource(patterns, file: file, line: line, column: column), answeredIsolatedBy: method)
  }

  /// Creates a route whose URLs an `async` method of an actor handles without a result.
  public init<each Argument: RouteArgument>(
    _ patterns: String...,
    to method:
      @escaping @Sendable (isolated Receiver) -> @Sendable (repeat each Argument) async throws -> Void,
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    self.init(SceneRouteSource(patterns, file: file, line: line, column: column), handledIsolatedBy: method)
  }
}
