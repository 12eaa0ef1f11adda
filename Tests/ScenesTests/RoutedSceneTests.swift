// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import SceneRoutes
import Testing

@testable import Scenes

/// A scene whose URLs a route table matches.
@MainActor private final class RoutedScene: SceneDelegate {
  private(set) var shown: [Int64] = []

  func show(id: Int64, request: SceneRequest) -> SceneResult {
    shown.append(id)
    return .handled(.string("\(id) of \(request.urlStrings.count)"))
  }

  static func routes() throws -> SceneRouteTable<RoutedScene> {
    try SceneRouteTable { SceneRoute("notes:/note/{id:int}", to: RoutedScene.show) }
  }

  private let routes: SceneRouteTable<RoutedScene>
  init() throws { routes = try Self.routes() }

  func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) async throws -> SceneResult {
    try await open(contexts)
  }

  func open(_ contexts: [OpenURLContext]) async throws -> SceneResult {
    try await routes.handle(contexts, by: self)
  }
}

@Suite struct `Routes in the delegate of a scene` {
  @Test func `The URLs that the delegate was given are handled, and no others of their request`() async throws
  {
    let request = SceneRequest(
      Envelope(requestID: "1", urls: ["notes:/note/1", "notes:/note/2", "notes:/note/3", "notes:/x"]))
    let contexts = request.urlStrings.map { OpenURLContext($0, request: request, policy: .all) }
    let scene = try await RoutedScene()
    #expect(try await scene.open([contexts[1]]) == .handled("2 of 4"))
    #expect(try await scene.open([contexts[2], contexts[0]]) == .handled(["3 of 4", "1 of 4"]))
    #expect(try await scene.open([contexts[2], contexts[3]]) == .notHandled)
    #expect(await scene.shown == [2, 3, 1])
  }
}
