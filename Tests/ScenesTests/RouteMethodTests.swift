// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import RouteTables
import SceneRoutes
import Scenes
import Testing

/// A scene of the main actor, as in applications with windows.
@MainActor private final class WindowScene {
  enum Tab: String, CaseIterable, RouteParameter { case edit, view }

  private(set) var calls: [String] = []

  func show(id: Int64, tab: String?) async throws -> SceneResult {
    note("show \(id) \(tab ?? "-")")
    return .handled(.integer(id))
  }
  func search(text: String) -> SceneResult {
    note("search \(text)")
    return text.isEmpty ? .notHandled : .handled
  }
  func turn(to tab: Tab?) { note("turn \(tab.map { $0.rawValue } ?? "-")") }
  func delete(id: Int64) async { note("delete \(id)") }
  func directory(path: [String], request: SceneRequest) { note("folder \(path) for \(request.requestID)") }
  func fail() throws { throw CancellationError() }

  private func note(_ call: String) {
    MainActor.assertIsolated()
    calls.append(call)
  }
}

/// A scene that is an actor.
private actor DraftScene {
  private(set) var calls: [String] = []

  func show(id: UInt64, isNew: Bool) async -> SceneResult {
    assertIsolated()
    calls.append("show \(id) \(isNew)")
    return .handled
  }
  func close(id: UInt64) async throws {
    assertIsolated()
    calls.append("close \(id)")
  }
  func count() -> Int { calls.count }
}

private func request(_ urls: String..., change: (inout Envelope) -> Void = { _ in }) -> SceneRequest {
  var envelope = Envelope(requestID: "1", urls: urls)
  change(&envelope)
  return SceneRequest(envelope)
}

@Suite struct `Methods as the handlers of routes` {
  private func routes(confirming answer: Bool = true) throws -> SceneRouteTable<WindowScene> {
    try SceneRouteTable<WindowScene>(confirmation: { _, _, _ in answer }) {
      SceneRoute(
        "notes:/note/{id:int}?tab={tab?}", "https://notes.example/{id:uint(1,9)}#{tab?}", to: WindowScene.show
      )
      SceneRoute("notes:/search?q={q}", to: WindowScene.search)
      SceneRoute("notes:/tab/{tab:edit|view?}", to: WindowScene.turn)
      SceneRoute("notes:/note/{id:int}/delete", to: WindowScene.delete).requiringConfirmation()
      SceneRoute("notes:/folder/{path...?}", to: WindowScene.directory)
      SceneRoute("notes:/fail", to: WindowScene.fail)
    }
  }

  @Test func `Arguments are the captures, in the order in which the pattern writes them`() async throws {
    let (routes, scene) = (try routes(), WindowScene())
    for (url, call) in [
      ("notes:/note/-7?tab=a%2Fb+c", "show -7 a/b c"), ("notes:/note/7", "show 7 -"),
      ("notes:/note/-9223372036854775808?tab=", "show -9223372036854775808 "),
      ("https://notes.example/12#top", "show 12 top"), ("notes:/search?x=1&q=%C3%A9", "search é"),
      ("notes:/tab/view", "turn view"), ("notes:/tab", "turn -"), ("notes:/note/3/delete", "delete 3"),
      ("notes:/folder/a/b%2Fc/", #"folder ["a", "b/c", ""] for 1"#), ("notes:/folder", "folder [] for 1"),
    ] {
      let result = try await routes.handle(request(url), by: scene)
      #expect(result.isHandled, "\(url)")
      #expect(await scene.calls.last == call)
    }
  }

  @Test func `The result of the method is the answer; without one the outcome is handled`() async throws {
    let (routes, scene) = (try routes(), WindowScene())
    #expect(try await routes.handle(request("notes:/note/7"), by: scene) == .handled(7))
    #expect(try await routes.handle(request("notes:/tab/edit"), by: scene) == .handled)
    #expect(
      try await routes.handle(request("notes:/note/7", "notes:/note/8"), by: scene) == .handled([7, 8]))
    await #expect(throws: CancellationError.self) {
      try await routes.handle(request("notes:/fail"), by: scene)
    }
  }

  @Test func `A URL without a route, or declined by a method, goes to the next scene`() async throws {
    let (routes, scene) = (try routes(), WindowScene())
    for url in ["notes:/note/seven", "notes:/nothing", "other:/note/7", "notes:/search?q="] {
      #expect(try await routes.handle(request(url), by: scene) == .notHandled, "\(url)")
    }
    #expect(try await routes.handle(request("notes:/note/7", "notes:/nothing"), by: scene) == .notHandled)
    #expect(await scene.calls == ["search "])
  }

  @Test func `Closures are given the scene and the arguments`() async throws {
    let scene = WindowScene()
    let routes = try SceneRouteTable<WindowScene> {
      SceneRoute("notes:/search?q={q}") { scene, text in await scene.search(text: text) }
      SceneRoute("notes:/n/{id:int}") { (scene, id, request: SceneRequest) in
        try await scene.show(id: id, tab: request.origin)
      }
      SceneRoute("notes:/days/{days:date...}", "notes:/numbers?n={n:int*?}") {
        (scene, texts: [String]) in
        for text in texts { _ = await scene.search(text: text) }
        return .handled(.integer(Int64(texts.count)))
      }
      SceneRoute("notes:/hello") { scene in
        let tab = WindowScene.Tab.view
        await scene.turn(to: tab)
        return .handled
      }
    }
    #expect(try await routes.handle(request("notes:/search?q=x"), by: scene) == .handled)
    let asked = request("notes:/n/4") { $0.origin = "https://example.org" }
    #expect(try await routes.handle(asked, by: scene) == .handled(4))
    #expect(try await routes.handle(request("notes:/hello"), by: scene) == .handled)
    #expect(try await routes.handle(request("notes:/numbers?n=1&n=2"), by: scene) == .handled(2))
    #expect(try await routes.handle(request("notes:/numbers?n=1&n=x"), by: scene) == .handled(1))
    #expect(
      await scene.calls == [
        "search x", "show 4 https://example.org", "turn view", "search 1", "search 2", "search 1",
      ])
  }

  @Test func `A typed route is for a method, and makes the links to it`() async throws {
    let tab = TypedRoute<WindowScene.Tab?>("notes:/tab/{tab:Tab?}")
    let note = TypedRoute<Int64, String?>("notes:/note/{id:int}?tab={tab?}")
    let gone = TypedRoute<Int64>("notes:/gone/{id:int}", id: "gone")
    let draft = TypedRoute<UInt64, Bool>("draft:/{id:uint}/{isNew:bool=false}")
    let close = TypedRoute<UInt64>("draft:/close/{id:uint}")
    let (scene, actor) = (WindowScene(), DraftScene())
    let routes = try SceneRouteTable<WindowScene> {
      SceneRoute(tab, to: WindowScene.turn)
      SceneRoute(note, to: WindowScene.show)
      SceneRoute(gone) { scene, id in
        await scene.delete(id: id)
        return .handled
      }
      SceneRoute("notes:/to/{tab:Tab}", to: WindowScene.turn)
    }
    let drafts = try SceneRouteTable<DraftScene> {
      SceneRoute(draft, to: DraftScene.show)
      SceneRoute(close, to: DraftScene.close)
    }
    for (url, call) in [
      (try tab.url(.view), "turn view"), (try tab.url(nil), "turn -"),
      (try routes.table.url(of: note, 7, "a/b"), "show 7 a/b"), (try gone.url(3), "delete 3"),
      ("notes:/to/edit", "turn edit"),
    ] {
      #expect(try await routes.handle(request(url), by: scene).isHandled, "\(url)")
      #expect(await scene.calls.last == call)
    }
    for url in [try draft.url(1, true), try close.url(2)] {
      #expect(try await drafts.handle(request(url), by: actor) == .handled)
    }
    #expect(await actor.calls == ["show 1 true", "close 2"])
    #expect(try await routes.handle(request("notes:/to/read"), by: scene) == .notHandled)
  }

  @Test func `Methods of an actor run on it`() async throws {
    let scene = DraftScene()
    let routes = try SceneRouteTable<DraftScene> {
      SceneRoute("draft:/{id:uint}/{isNew:bool=false}", to: DraftScene.show)
      SceneRoute("draft:/close/{id:uint}", to: DraftScene.close)
      SceneRoute("draft:/count") { .handled(.integer(Int64(await $0.count()))) }
    }
    for url in ["draft:/18446744073709551615", "draft:/1/true", "draft:/close/2"] {
      #expect(try await routes.handle(request(url), by: scene) == .handled, "\(url)")
    }
    #expect(await scene.calls == ["show 18446744073709551615 false", "show 1 true", "close 2"])
    #expect(try await routes.handle(request("draft:/count"), by: scene) == .handled(3))
  }

  @Test func `A destructive action is confirmed by the scene first`() async throws {
    let scene = WindowScene()
    let urls = request("notes:/note/7", "notes:/note/3/delete")
    await #expect(throws: NotConfirmed(route: "notes:/note/{id:int}/delete")) {
      try await routes(confirming: false).handle(urls, by: scene)
    }
    #expect(await scene.calls == [])
    #expect(try await routes().handle(urls, by: scene).isHandled)
    #expect(await scene.calls == ["show 7 -", "delete 3"])
  }

  @Test func `Conditions say which requests a route is for`() async throws {
    let scene = WindowScene()
    let routes = try SceneRouteTable<WindowScene> {
      SceneRoute("notes:/a", to: WindowScene.fail)
        .when(.assurance(atLeast: .unit), .userActivation, .outsideSandbox, .allowedByUser)
      SceneRoute("notes:/b", to: WindowScene.fail).when(.source("org.example.Mail"), .origin("https://h"))
      SceneRoute("notes:/{x}") { (scene, x: String) in .handled(.string(x)) }
    }
    let sure = request("notes:/a") { ($0.assurance, $0.userActivation) = (.sandbox, .allowed) }
    await #expect(throws: CancellationError.self) { try await routes.handle(sure, by: scene) }
    for (assurance, userActivation, isSandboxed) in [
      (Assurance.executable, UserActivation.allowed, false), (.unit, .clicked, false),
      (.unit, .allowed, true),
    ] {
      let other = request("notes:/a") {
        ($0.assurance, $0.userActivation, $0.isSandboxed) = (assurance, userActivation, isSandboxed)
      }
      #expect(try await routes.handle(other, by: scene) == .handled("a"))
    }
    let mail = request("notes:/b") { ($0.sourceApplication, $0.origin) = ("org.example.Mail", "https://h") }
    await #expect(throws: CancellationError.self) { try await routes.handle(mail, by: scene) }
    #expect(try await routes.handle(request("notes:/b"), by: scene) == .handled("b"))
  }

  @Test(arguments: [
    ("https://Example.COM:443", "https://example.com"), ("HTTP://example.com:0080/", "http://example.com"),
    ("https://ada@Example.com:8443/a?b#c", "https://example.com:8443"),
    ("https://Example.com.:443", "https://example.com."), ("http://[::1]:80", "http://[::1]"),
    ("https://intranet.admin@intranet", "https://intranet"),
    ("https://ex%61mple.com.", "https://example.com."),
    ("http://127.0.0.1:443", "http://127.0.0.1:443"), ("null", "null"),
    ("moz-extension://1B4E28BA:443", "moz-extension://1B4E28BA:443"),
  ])
  func `An origin is compared in the form in which browsers write it`(written: String, origin: String)
    async throws
  {
    let routes = try SceneRouteTable<WindowScene> {
      SceneRoute("notes:/a") { _ in .handled }.when(.origin("https://other.example", written))
    }
    for (stated, isHandled) in [
      (origin, true), ("https://other.example", true), ("https://example.org", false),
    ] {
      let asked = request("notes:/a") { $0.origin = stated }
      #expect(try await routes.handle(asked, by: WindowScene()).isHandled == isHandled, "\(stated)")
    }
  }

  @Test(arguments: [
    "https://exa mple.com", "https://example.com:port", "https:example.com", "https://bäd.example",
    "https://*.example.org", "example.org", "example.org:8080", " https://example.org",
  ])
  func `A route with an origin that is invalid is refused`(origin: String) {
    let route = SceneRoute<WindowScene>("notes:/a") { _ in .handled }.when(.origin(origin))
    let error = #expect(throws: SceneRoutesError.self) { try SceneRouteTable { route } }
    #expect(error?.location == route.location)
    #expect(error?.description.hasSuffix("(in `\(origin)`)") == true)
  }
}
