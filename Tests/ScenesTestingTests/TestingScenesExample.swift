// SPDX-License-Identifier: Apache-2.0
import SceneRoutes
import ScenesTesting
import Testing

// The code of docs/testing-scenes.md, which begins with the application.

@MainActor final class NotesDelegate: ApplicationDelegate {}

@MainActor final class NoteScene: SceneDelegate {
  private(set) var shown: [String] = []

  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
  ) throws -> SceneResult {
    try show(options.urlContexts, in: scene)
  }

  func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) throws -> SceneResult {
    try show(contexts, in: scene)
  }

  private func show(_ contexts: [OpenURLContext], in scene: Scene) throws -> SceneResult {
    for context in contexts {
      guard context.urlString.hasPrefix("notes://note/") else { return .notHandled }
      guard context.urlString != "notes://note/404" else { throw NoSuchNote() }
      shown.append(context.urlString)
      scene.activationConditions = SceneActivationConditions(
        canActivate: .none, prefersToActivate: .equals(context.urlString))
    }
    return .handled
  }
}

struct NoSuchNote: Error, CustomStringConvertible { let description = "there is no such note" }

@Suite struct NotesTests {
  @Test func `A link starts the program, and the next one finds it running`() async throws {
    let app = TestApplication(
      delegate: NotesDelegate(), scenes: SceneConfiguration { NoteScene() })

    try await app.open("notes://note/7")
    #expect(
      app.takeCalls() == [
        .willFinishLaunching(nil), .didFinishLaunching(nil),
        .configurationForConnecting(1, "notes://note/7"), .sceneWillConnect(1, "notes://note/7"),
        .sceneWillEnterForeground(1), .sceneDidBecomeActive(1),
      ])

    let result = try await app.open("notes://note/7", from: "org.example.Mail", annotation: ["page": 3])
    #expect(result == .handled)
    #expect(
      app.takeCalls() == [
        .sceneOpenURLContexts(
          1, .url("notes://note/7", from: "org.example.Mail", annotation: ["page": 3]))
      ])
  }

  @Test func `The caller receives the error of a handler`() async throws {
    let app = TestApplication(
      delegate: NotesDelegate(), scenes: SceneConfiguration { NoteScene() })
    await #expect(throws: RequestFailure.failed("there is no such note")) {
      try await app.open("notes://note/404")
    }
    #expect(try await app.open("notes://elsewhere") == .notHandled)
  }

  @Test func `Each note has its own window`() async throws {
    let app = TestApplication(
      delegate: NotesDelegate(), scenes: SceneConfiguration { NoteScene() })
    try await app.open("notes://note/7")
    try await app.open("notes://note/8")
    try await app.move(scene: 1, to: .background)
    _ = app.takeCalls()
    try await app.open("notes://note/7")
    #expect(
      app.takeCalls() == [
        .sceneWillEnterForeground(1), .sceneOpenURLContexts(1, "notes://note/7"), .sceneDidBecomeActive(1),
      ])
    // The user closes the window of scene 1. The next URL reconnects its session.
    try await app.disconnect(scene: 1)
    try await app.open("notes://note/7")
    #expect(app.calls.contains(.sceneWillConnect(1, "notes://note/7")))
  }

  @Test func `An import reports its progress, and stops when no caller waits`() async throws {
    let app = TestApplication { request in
      for page: UInt64 in 1...2 { request.report(page, of: 3, "importing") }
      try await Task.sleep(for: .seconds(3_600))
      return .handled
    }
    let request = await app.send("notes://import")
    var reported = request.progress.makeAsyncIterator()
    #expect(await reported.next() == RequestProgress(completed: 1, of: 3, message: "importing"))
    await request.withdraw()
    await #expect(throws: RequestFailure.cancelled) { try await request.result }
  }

  @Test func `A request that arrives during the start waits`() async throws {
    let (opened, doors) = AsyncStream<Void>.makeStream()
    let app = TestApplication(preparing: { for await _ in opened {} }) { request in
      .handled(.string(request.urlString))
    }
    let first = await app.send("notes://note/1")
    let second = await app.send("notes://note/2")
    #expect(app.calls.isEmpty)
    doors.finish()
    #expect(try await second.result == .handled("notes://note/2"))
    #expect(try await first.result == .handled("notes://note/1"))
    #expect(app.calls == [.handler("notes://note/1"), .handler("notes://note/2")])
  }

  @Test func `It asks a mail program`() async throws {
    var dependencies = Dependencies()
    dependencies.opening = { request throws(SceneError) in
      throw .notOpened(.noHandler, "nothing opens \(request.urls[0])")
    }
    let app = TestApplication(in: dependencies) { request, application in
      try await application.open("mailto:me@example.org")
      return .handled
    }
    await #expect(throws: RequestFailure.failed("nothing opens mailto:me@example.org")) {
      try await app.open("notes://share")
    }
    #expect(app.opened.map(\.urls) == [["mailto:me@example.org"]])
  }

  @Test func `A reminder is shown, and the user acts on it`() async throws {
    let app = TestApplication { request, application in
      guard request.reason == .url else { return .handled }
      let center = application.notifications
      guard try await center.requestAuthorization(options: .alert) else { return .notHandled }
      try await center.add(
        NotificationRequest(identifier: "note-7", content: NotificationContent(title: "Note 7")))
      return .handled
    }
    try await app.open("notes://note/7/remind")
    #expect(app.scheduledNotifications.map(\.identifier) == ["note-7"])
    // How it is shown: `willPresent` of a delegate decides.
    #expect(try await app.showNotification("note-7") == [.banner, .list, .sound, .badge])
    #expect(try await app.respond(toNotification: "note-7", action: "edit") == .handled)
  }

  @Test func `A message of the server is shown and fetched`() async throws {
    let app = TestApplication { request, application in
      guard request.reason == .url else { return .handled }
      let center = application.notifications
      guard try await center.requestAuthorization(options: .alert) else { return .notHandled }
      return .handled(.string(try await center.registerForRemoteNotifications().endpoint))
    }
    #expect(try await app.open("notes://push") == .handled("https://push.example.org/1"))
    let pushed = try await app.push(["aps": ["alert": "Note 7", "content-available": 1], "note": 7])
    #expect(pushed.presentation == [.banner, .list, .sound, .badge])
    #expect(pushed.result == .handled)
    try await app.respond(toNotification: try #require(pushed.identifier))
  }

  @Test func `A route table is a handler like another`() async throws {
    let routes = try SceneRouteTable<NoteScene> {
      SceneRoute("notes://note/{number:int}", to: NoteScene.open)
    }
    let scene = NoteScene()
    let app = TestApplication { try await routes.handle($0, by: scene) }
    #expect(try await app.open("notes://note/7") == .handled(7))
    #expect(try await app.open("notes://note/seven") == .notHandled)
  }
}

extension NoteScene {
  func open(number: Int) -> SceneResult { .handled(.integer(Int64(number))) }
}
