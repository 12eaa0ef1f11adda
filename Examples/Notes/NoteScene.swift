import BusInterfaces
import RouteTables
import SceneRoutes
import Scenes

/// A window that shows one note. When it has shown a note, other notes open in other windows.
actor NoteScene: SceneDelegate {
  /// The handlers of `Routes/notes.toml`, by name.
  static let handlers = [
    "show-note": SceneRoute(to: NoteScene.show),
    "remind": SceneRoute(to: NoteScene.remind),
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
    // `scene(_:didReceive:)` is called next, at every start.
    guard options.notificationResponse == nil else { return .handled }
    return try await open(options.urlContexts, in: scene, "scene(_:willConnectTo:options:)")
  }

  func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) async throws -> SceneResult {
    try await open(contexts, in: scene, "scene(_:openURLContexts:)")
  }

  /// Opens the note of a reminder, with the tab for editing if the user chose that; another notification opens only the window.
  func scene(_ scene: Scene, didReceive response: NotificationResponse) async throws -> SceneResult {
    guard let request = SceneRequest.current else { return .handled }
    var line = RequestLine(request, routes.table, of: scene, "scene(_:didReceive:)")
    var result = SceneResult.handled
    if let number = response.notification.userInfo["note"]?.integer {
      result = try await show(number: number, tab: response.actionIdentifier == "edit" ? "edit" : nil)
    }
    line.finish(result)
    return result
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

  func remind(number: Int64, seconds: Int64) async throws -> SceneResult {
    guard let center = scene?.application.notifications else { return .notHandled }
    guard try await center.requestAuthorization(options: [.alert, .sound]) else {
      throw NotAllowed()
    }
    try await center.setNotificationCategories([Self.reminder])
    try await center.add(
      NotificationRequest(
        identifier: "note-\(number)",
        content: NotificationContent(
          title: await store.title(of: number) ?? "Note \(number)",
          body: "You asked to be reminded of this note.",
          sound: "default", userInfo: ["note": .integer(number)],
          categoryIdentifier: Self.reminder.identifier,
          targetContentID: try note.url(number, nil)),
        trigger: .after(.seconds(seconds))))
    return .handled(["note": .integer(number), "seconds": .integer(seconds)])
  }

  /// The actions of a reminder, each of which opens the note.
  private static let reminder = NotificationCategory(
    identifier: "reminder",
    actions: [
      NotificationCategory.Action(identifier: "show", title: "Show", isForeground: true),
      NotificationCategory.Action(identifier: "edit", title: "Edit", isForeground: true),
    ])

  func search(text: String) async -> SceneResult {
    let found = await store.find(text)
    return .handled(["query": .string(text), "found": .array(found.map(PropertyList.integer))])
  }

  func add(title: String?, text: String?) async -> SceneResult {
    let title = title ?? ""
    return .handled(["note": .integer(await store.add(title: title)), "title": .string(title)])
  }
}

/// The error of a reminder that the user does not allow.
private struct NotAllowed: Error, CustomStringConvertible {
  let description = "the user does not allow notifications of Notes"
}
