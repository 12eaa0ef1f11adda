import BusInterfaces
import RouteTables
import SceneRoutes
import Scenes

/// A window with one note, or none yet: once it shows a note it is for that one, and other notes get windows of their own.
actor NoteScene: SceneDelegate {
  /// What each handler of `Routes/notes.toml` does.
  static let handlers = [
    "show-note": SceneRoute(to: NoteScene.show),
    "search": SceneRoute(to: NoteScene.search),
    "new-note": SceneRoute(to: NoteScene.add),
  ]

  private let store: NoteStore
  private let routes: SceneRouteTable<NoteScene>
  /// The links to notes, as the file has them.
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

  /// Hands the links to the methods below, and prints what became of them.
  private func open(_ contexts: [OpenURLContext], in scene: Scene, _ call: String) async throws -> SceneResult
  {
    // Merely started, it has no request.
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
