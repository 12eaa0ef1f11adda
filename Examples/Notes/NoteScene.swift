import BusInterfaces
import RouteTables
import SceneRoutes
import Scenes

/// A window that shows one note. When it has shown a note, other notes open in other windows.
actor NoteScene: SceneDelegate {
  /// The handlers of `Routes/notes.toml`, by name.
  static let handlers = [
    "show-note": SceneRoute(to: NoteScene.show),
    "search": SceneRoute(to: NoteScene.search),
    "new-note": SceneRoute(to: NoteScene.add),
  ]

  private let store: NoteStore
  private let routes: SceneRouteTable<NoteScene>
  /// The route to a note, which generates its URL.
  private let note: TypedRoute<Int64, String?>
  private var scene: Scene?

  init(_ store: NoteStore, _ routes: SceneRouteTable<NoteScene>, _ note: TypedRoute<Int64, String?>) {
    self.store = store
    self.routes = routes
    self.note = note
  }

  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
  ) async throws -> SceneResult {
    self.scene = scene
    scene.title = "window \(scene.application.openSessions.count)"
    return try await open(options.urlContexts, in: scene, "scene(_:willConnectTo:options:)")
  }

  func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) async throws -> SceneResult {
    try await open(contexts, in: scene, "scene(_:openURLContexts:)")
  }

  /// Passes the links to the methods below, and prints the results.
  private func open(_ contexts: [OpenURLContext], in scene: Scene, _ call: String) async throws -> SceneResult
  {
    // A start without a link has no request.
    guard let request = contexts.first?.request ?? SceneRequest.current else { return .handled }
    var line = RequestLine(request, routes.table, of: scene, call)
    do {
      let result = contexts.isEmpty ? .handled : try await routes.handle(contexts, by: self)
      line.finish(result)
      return result
    } catch {
      line.finish(.notHandled, error: "\(error)")
      throw error
    }
  }

  func show(number: Int64, tab: String?) async throws -> SceneResult {
    let link = try note.url(number, nil)
    scene?.activationConditions = SceneActivationConditions(
      canActivate: .not(.beginsWith("notes://note/")),
      prefersToActivate: .or([.equals(link), .beginsWith("\(link)?")]))
    var answer: [String: PropertyList] = ["note": .integer(number)]
    answer["tab"] = tab.map(PropertyList.string)
    answer["title"] = await store.title(of: number).map(PropertyList.string)
    return .handled(.dictionary(answer))
  }

  func search(text: String) async -> SceneResult {
    let found = await store.find(text)
    return .handled(["query": .string(text), "found": .array(found.map(PropertyList.integer))])
  }

  func add(title: String?, text: String?) async -> SceneResult {
    let title = title ?? ""
    return .handled(["note": .integer(await store.add(title: title)), "title": .string(title)])
  }
}
