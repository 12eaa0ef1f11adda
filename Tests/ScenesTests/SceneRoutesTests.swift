// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import RouteFiles
import RouteTables
import SceneRoutes
import Scenes
import Synchronization
import Testing

/// Tests of routes as handlers: their conditions, and the user's confirmation.
@Suite struct SceneRoutesTests {
  private static let file = """
    format = 1
    owner = "org.example.Notes"

    [route.show]
    match = "notes:/show/{id:int}"
    handler = "show"

    [route.share]
    match = "notes:/share/{id:int}"
    handler = "show"
    source = { assurance = ">= unit", sandboxed = false }

    [route.from-us]
    match = "notes:/ours/{id:int}"
    handler = "show"
    source = { origin = "https://example.org", user_activation = true }

    [route.delete]
    match = "notes:/delete/{id:int}"
    handler = "delete"
    requires_confirmation = true
    """

  /// A log of the performed actions, in order.
  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    func note(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  private let log = Log()

  private func routes(confirming answer: Bool? = nil) throws -> SceneRoutes<RouteAction> {
    let set = RouteFileSet([RouteFileSource(name: "notes.toml", text: Self.file)])
    #expect(set.diagnostics.map(\.description) == [])
    let log = log
    let done: @Sendable (String) -> SceneRoutes<RouteAction>.Handler = { name in
      { match, _ in
        log.note("\(name) \(match["id"] ?? "")")
        return .handled
      }
    }
    let confirmation: SceneRoutes<RouteAction>.Confirmation = { match, _ in
      log.note("confirm \(match.route.id)")
      return answer == true
    }
    return try SceneRoutes(
      set.table, handlers: ["show": done("show"), "delete": done("delete")],
      confirmation: answer == nil ? nil : confirmation)
  }

  private func request(_ urls: String..., change: (inout Envelope) -> Void = { _ in }) -> SceneRequest {
    var envelope = Envelope(requestID: "1", urls: urls)
    change(&envelope)
    return SceneRequest(envelope)
  }

  @Test func `A route can require an identified caller`() async throws {
    let routes = try routes(confirming: true)
    for (assurance, isSandboxed, isHandled) in [
      (Assurance.unit, false, true), (.sandbox, true, false), (.unit, true, false),
      (.executable, false, false),
    ] {
      let asked = request("notes:/share/1") { ($0.assurance, $0.isSandboxed) = (assurance, isSandboxed) }
      #expect(try await routes.handle(asked).isHandled == isHandled, "\(assurance)")
    }
    #expect(try await !routes.handle(request("notes:/share/1")).isHandled)
    #expect(log.all == ["show 1"])
  }

  @Test func `A route can require a verified user activation and origin`() async throws {
    let routes = try routes(confirming: true)
    func isHandled(_ userActivation: UserActivation?, _ origin: String?, isSandboxed: Bool = false)
      async throws
      -> Bool
    {
      try await routes.handle(
        request("notes:/ours/1") {
          ($0.userActivation, $0.origin, $0.isSandboxed) = (userActivation, origin, isSandboxed)
        }
      ).isHandled
    }
    #expect(try await isHandled(.clicked, "https://example.org"))
    #expect(try await isHandled(.allowed, "https://example.org"))
    #expect(try await !isHandled(nil, "https://example.org"))
    #expect(try await !isHandled(.clicked, nil))
    #expect(try await !isHandled(.allowed, "https://example.org", isSandboxed: true))
  }

  @Test func `Rule 12: a destructive action is confirmed first`() async throws {
    let urls = request("notes:/show/1", "notes:/delete/2")
    #expect(try await routes(confirming: true).handle(urls).isHandled)
    #expect(log.all == ["confirm delete", "show 1", "delete 2"])
    await #expect(throws: NotConfirmed(route: "delete")) { try await routes(confirming: false).handle(urls) }
    #expect(log.all == ["confirm delete", "show 1", "delete 2", "confirm delete"])
  }

  /// Tests that no user activation replaces the confirmation, because a click is how such a link would be forged.
  @Test func `No user activation replaces the confirmation`() async throws {
    for userActivation in UserActivation.allCases {
      let asked = request("notes:/delete/2") {
        ($0.userActivation, $0.assurance) = (userActivation, .sandbox)
      }
      await #expect(throws: NotConfirmed.self) { try await routes(confirming: false).handle(asked) }
    }
  }

  @Test func `An application that cannot ask for confirmation gets an error at once`() throws {
    let error = #expect(throws: SceneRoutesError.self) { try routes() }
    #expect(error?.reason == .noConfirmation && error?.route == "delete")
    #expect(error?.description.contains("pass `confirmation:`, a closure that asks the user") == true)
  }

  @Test func `An error for one URL does not drop the others`() async throws {
    struct NoSuchNote: Error, Equatable { let id: String? }
    let table = try RouteTable<String> { routes throws(RouteTableError) in
      try routes.add("notes:/note/{id:int}", id: "note", action: "show")
    }
    let log = log
    let routes = SceneRoutes(table) { match, _ in
      log.note("show \(match["id"] ?? "")")
      if match[int: "id"] != 7 { throw NoSuchNote(id: match["id"]) }
      return .handled
    }
    let urls = request("notes:/note/404", "notes:/note/7", "notes:/note/405")
    await #expect(throws: NoSuchNote(id: "404")) { try await routes.handle(urls) }
    #expect(log.all == ["show 404", "show 7", "show 405"])
  }
}
