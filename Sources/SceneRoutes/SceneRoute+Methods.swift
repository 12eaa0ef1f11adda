import RouteTables
public import Scenes

extension SceneRoute {
  /// URLs that a method of the receiver deals with.
  public init<each Argument: RouteArgument>(
    _ patterns: String...,
    to method:
      @escaping @Sendable (Receiver) -> @Sendable (repeat each Argument) async throws -> SceneResult,
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    @Sendable func call(
      _ receiver: Receiver, _ arguments: repeat each Argument
    ) async throws -> SceneResult {
      try await method(receiver)(repeat each arguments)
    }
    self.init(patterns, at: SourceLocation(file: file, line: line, column: column), call)
  }

  /// URLs that a method of the receiver handles.
  public init<each Argument: RouteArgument>(
    _ patterns: String...,
    to method: @escaping @Sendable (Receiver) -> @Sendable (repeat each Argument) async throws -> Void,
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    @Sendable func call(
      _ receiver: Receiver, _ arguments: repeat each Argument
    ) async throws -> SceneResult {
      try await method(receiver)(repeat each arguments)
      return .handled
    }
    self.init(patterns, at: SourceLocation(file: file, line: line, column: column), call)
  }

  /// URLs that a closure deals with, which is given the receiver and the arguments.
  public init<each Argument: RouteArgument>(
    _ patterns: String...,
    to handler: @escaping @Sendable (Receiver, repeat each Argument) async throws -> SceneResult,
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    self.init(patterns, at: SourceLocation(file: file, line: line, column: column), handler)
  }

  /// Reads the arguments, and hands them to `call`.
  private init<each Argument: RouteArgument>(
    _ patterns: [String], at location: SourceLocation,
    _ call: @escaping @Sendable (Receiver, repeat each Argument) async throws -> SceneResult
  ) {
    self.init(patterns, repeat (each Argument).self, at: location) { receiver, texts in
      var texts = texts
      let arguments = (repeat try texts.next((each Argument).self))
      return try await call(receiver, repeat each arguments)
    }
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
    @Sendable func call(
      _ receiver: Receiver, _ arguments: repeat each Argument
    ) async throws -> SceneResult {
      try await Self.call(receiver, method, repeat each arguments)
    }
    self.init(patterns, at: SourceLocation(file: file, line: line, column: column), call)
  }

  /// URLs that an `async` method of an actor handles.
  public init<each Argument: RouteArgument>(
    _ patterns: String...,
    to method:
      @escaping @Sendable (isolated Receiver) -> @Sendable (repeat each Argument) async throws -> Void,
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    @Sendable func call(
      _ receiver: Receiver, _ arguments: repeat each Argument
    ) async throws -> SceneResult {
      try await Self.call(receiver, method, repeat each arguments)
      return .handled
    }
    self.init(patterns, at: SourceLocation(file: file, line: line, column: column), call)
  }

  private static func call<each Argument: Sendable, Result: Sendable>(
    _ receiver: isolated Receiver,
    _ method: @Sendable (isolated Receiver) -> @Sendable (repeat each Argument) async throws -> Result,
    _ arguments: repeat each Argument
  ) async throws -> Result {
    try await method(receiver)(repeat each arguments)
  }
}
