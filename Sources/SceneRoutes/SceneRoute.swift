public import RouteTables
import Scenes

/// URL patterns and the method that deals with their URLs.
///
/// ```swift
/// SceneRoute("notes:/note/{id:int}?tab={tab?}", to: NoteScene.show)
/// SceneRoute("notes:/search?q={q}") { scene, text in await scene.search(text: text) }
/// SceneRoute(Links.folder, to: NoteScene.open)   // a TypedRoute, which makes the URLs, too
/// SceneRoute("notes:/note/{id:int}/delete", to: NoteScene.delete).requiringConfirmation().when(.person)
/// ```
///
/// Captures are bound to arguments in the order in which the pattern writes them; `RouteArgument` says to which, and a
/// `SceneRequest` is bound to none. A method
/// of a class of a global actor runs on that actor, a method of an actor on it. Of an actor an `async` method is named as
/// such; what is not `async` is called in a closure, as the search above. What is returned is the answer; a method without a
/// result has handled the URL, and a closure says `.handled`. Nothing is checked before ``SceneRouteTable`` is built.
public struct SceneRoute<Receiver: Sendable>: Sendable {
  /// The patterns; one that matches is enough, and where a route file has them there are none.
  public let patterns: [String]
  /// The patterns of a `TypedRoute`, or why it is none.
  let typed: Result<[RoutePattern], RouteTableError>?
  /// Where it is written.
  public let location: SourceLocation
  /// The name, unique in its table; the first pattern unless ``named(_:)`` says otherwise.
  public private(set) var id: String
  /// Whether a person has to confirm it.
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

  /// The same route under another name, for ``winning(over:)`` and for errors.
  public func named(_ id: String) -> SceneRoute { changed { $0.id = id } }

  /// The same route, for what a person confirms first: what a URL destroys, sends or pays.
  ///
  /// The table needs a `confirmation`.
  public func requiringConfirmation() -> SceneRoute { changed { $0.requiresConfirmation = true } }

  /// The same route, for requests of which all of `conditions` hold; for others it is none.
  public func when(_ conditions: SceneRouteCondition...) -> SceneRoute {
    changed { $0.conditions += conditions }
  }

  /// The same route, coming before those of these IDs.
  public func winning(over ids: String...) -> SceneRoute { changed { $0.winsOver += ids } }

  private func changed(_ change: (inout SceneRoute) -> Void) -> SceneRoute {
    var route = self
    change(&route)
    return route
  }
}

/// What a URL gives to the arguments of a method, from the first to the last.
struct ArgumentReader: Sendable {
  /// What it cannot be made of, although the capture takes it.
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
