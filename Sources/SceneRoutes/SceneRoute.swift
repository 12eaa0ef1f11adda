// SPDX-License-Identifier: Apache-2.0
public import RouteTables
import Scenes

/// A route from URL patterns to the method that handles their URLs.
///
/// ```swift
/// SceneRoute("notes:/note/{id:int}?tab={tab?}", to: NoteScene.show)
/// SceneRoute("notes:/search?q={q}") { scene, text in await scene.search(text: text) }
/// SceneRoute(Links.notebook, to: NoteScene.open)   // a TypedRoute, which also generates URLs
/// SceneRoute("notes:/note/{id:int}/delete", to: NoteScene.delete).requiringConfirmation().when(.userActivation)
/// ```
///
/// Captures are bound to arguments in the order of the pattern. `RouteArgument` defines the conversion; a
/// `SceneRequest` argument consumes no capture. A method of a class with a global actor runs on that actor, and a
/// method of an actor on it. An `async` method of an actor is referenced directly; a synchronous one is called in a
/// closure, as the search above. The returned value is the result. A method without a result means `handled`; a
/// closure must return `.handled`. Errors are reported only when ``SceneRouteTable`` is built.
public struct SceneRoute<Receiver: Sendable>: Sendable {
  /// The patterns, of which one must match; empty if a route file defines them.
  public let patterns: [String]
  /// The patterns of a `TypedRoute`, or its error.
  let typed: Result<[RoutePattern], RouteTableError>?
  /// The source location of the route.
  public let location: SourceLocation
  /// The name, unique in its table; by default the first pattern, see ``named(_:)``.
  public private(set) var id: String
  /// A Boolean value that is `true` if the user must confirm the route.
  public private(set) var requiresConfirmation = false
  let arguments: [any RouteArgument.Type]
  let call: @Sendable (Receiver, ArgumentReader) async throws -> SceneResult
  private(set) var conditions: [SceneRouteCondition] = []
  private(set) var winsOver: [String] = []

  init<each Argument: RouteArgument>(
    _ source: SceneRouteSource, _ arguments: repeat (each Argument).Type,
    reading call: @escaping @Sendable (Receiver, ArgumentReader) async throws -> SceneResult
  ) {
    patterns = source.patterns
    typed = source.typed
    location = source.location
    id = source.id
    self.call = call
    var types: [any RouteArgument.Type] = []
    for argument in repeat each arguments { types.append(argument) }
    self.arguments = types
  }

  /// Returns a copy with another name, for ``winning(over:)`` and for errors.
  public func named(_ id: String) -> SceneRoute { changed { $0.id = id } }

  /// Returns a copy that the user must confirm first, for URLs that delete, send or pay.
  ///
  /// The table needs a `confirmation`.
  public func requiringConfirmation() -> SceneRoute { changed { $0.requiresConfirmation = true } }

  /// Returns a copy that applies only to requests for which all of `conditions` hold.
  public func when(_ conditions: SceneRouteCondition...) -> SceneRoute {
    changed { $0.conditions += conditions }
  }

  /// Returns a copy that precedes the routes with these IDs.
  public func winning(over ids: String...) -> SceneRoute { changed { $0.winsOver += ids } }

  private func changed(_ change: (inout SceneRoute) -> Void) -> SceneRoute {
    var route = self
    change(&route)
    return route
  }
}

/// A reader of the values that a URL provides for the arguments of a method, in order.
struct ArgumentReader: Sendable {
  /// The error of a captured text that cannot be converted to the argument's type.
  struct Unreadable: Error {}

  let texts: [[String]?]
  let request: SceneRequest
  private var number = 0

  init<Action>(_ match: RouteMatch<Action>, _ request: SceneRequest) {
    self.request = request
    texts = match.captureTexts
  }

  mutating func next<Argument: RouteArgument>(_ argument: Argument.Type) throws -> Argument {
    if let request = request as? Argument { return request }
    defer { number += 1 }
    guard number < texts.count, let value = Argument.value(ofRouteTexts: texts[number]) else {
      throw Unreadable()
    }
    return value
  }
}
