// SPDX-License-Identifier: Apache-2.0
import RouteFiles
import RouteTables
import SceneRoutes
import Scenes
import Systemd

// The code of docs/scenes-and-routes.md, with which a test compares it.

@Desktop final class NoteScene: SceneDelegate {
  enum Tab: String, CaseIterable, RouteParameter { case edit, view }

  func show(id: Int64, tab: Tab?) async throws -> SceneResult { .handled(.integer(id)) }
  func search(text: String, request: SceneRequest) -> SceneResult { text.isEmpty ? .notHandled : .handled }
  func delete(id: Int64) {}

  static func routes() throws -> SceneRouteTable<NoteScene> {
    try SceneRouteTable(confirmation: { scene, match, request in await scene.confirms(match.url) }) {
      SceneRoute(
        "notes:/note/{id:int}?tab={tab:edit|view?}", "https://notes.example/{id:int}#{tab:edit|view?}",
        to: NoteScene.show)
      SceneRoute("notes:/search?q={q}", to: NoteScene.search)
      SceneRoute("notes:/note/{id:int}/delete", to: NoteScene.delete)
        .requiringConfirmation().when(.userActivation, .assurance(atLeast: .unit))
    }
  }

  func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) async throws -> SceneResult {
    try await Self.table.get().handle(contexts, by: self)
  }

  private static let table = Result { try routes() }

  func confirms(_ url: String) async -> Bool { true }
}

@globalActor actor Desktop {
  static let shared = Desktop()
  nonisolated var unownedExecutor: UnownedSerialExecutor { HostedExecutor.shared.asUnownedSerialExecutor() }
}

/// The routes of the file at `path`.
func fileRoutes(at path: String) throws -> SceneRouteTable<NoteScene> {
  let routes = try SceneRouteTable<NoteScene>(
    RouteFileSet(loading: [path]).table,
    handlers: ["show-note": SceneRoute(to: NoteScene.show), "search": SceneRoute(to: NoteScene.search)])
  return routes
}
