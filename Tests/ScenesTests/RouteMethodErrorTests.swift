// SPDX-License-Identifier: Apache-2.0
import RouteFiles
import RouteTables
import SceneRoutes
import Scenes
import Testing

/// Methods of all supported signatures, for routes.
private final class Methods: Sendable {
  enum Tab: String, CaseIterable, RouteParameter { case edit, view }
  struct Day: LosslessStringConvertible, RouteParameter {
    static let routeType = RouteType.date
    let description: String
    init?(_ description: String) {
      guard description != "2000-01-01" else { return nil }
      self.description = description
    }
  }

  func none() {}
  func text(_: String) {}
  func number(_: Int64) {}
  func unsigned(_: UInt) {}
  func truth(_: Bool?) {}
  func numbers(_: [Int]) {}
  func tab(_: Tab) {}
  func day(_: Day) {}
  func two(_: Int, _: SceneRequest, _: String?) {}
}

@Suite struct `Patterns that do not match their methods` {
  private func error(_ route: SceneRoute<Methods>) -> SceneRoutesError? {
    #expect(throws: SceneRoutesError.self) { try SceneRouteTable<Methods> { route } }
  }

  /// Returns the message without the location at its beginning.
  private func sentence(_ route: SceneRoute<Methods>) -> String? {
    let text = error(route)?.description
    let place = "\(route.location): "
    #expect(text?.hasPrefix(place) == true)
    return text.map { String($0.dropFirst(place.count)) }
  }

  @Test func `A capture for each argument`() {
    #expect(
      sentence(SceneRoute("a:/{x}", to: Methods.none))
        == "the pattern captures `{x}`, and there are no arguments: write one capture for each argument, in their order "
        + "(in `a:/{x}`)")
    #expect(
      sentence(SceneRoute("a:/{x:int}", to: Methods.two))
        == "the pattern captures `{x:int}`, and the arguments are Int, String?: write one capture for each argument, in "
        + "their order (in `a:/{x:int}`)")
    guard case .table(let error) = error(SceneRoute("a:/{x}", "b:/", to: Methods.text))?.reason else {
      Issue.record("no error of the table")
      return
    }
    #expect(error.reason == .mismatch(.count(captures: [], arguments: ["String"])) && error.pattern == "b:/")
  }

  @Test func `Texts that cannot be an argument`() {
    #expect(
      sentence(SceneRoute("a:/{x}", to: Methods.number))
        == "`{x}` also matches `x`, which is not a value of Int64: write `{x:int}` (in `a:/{x}`)")
    #expect(
      sentence(SceneRoute("a:/{x:uint}", to: Methods.number))
        == "`{x:uint}` also matches `9223372036854775808`, which is not a value of Int64: write `{x:int}` (in `a:/{x:uint}`)"
    )
    #expect(
      sentence(SceneRoute("a:/{x:int}", to: Methods.unsigned))
        == "`{x:int}` also matches `-1`, which is not a value of UInt: write `{x:uint}` (in `a:/{x:int}`)")
    #expect(
      sentence(SceneRoute("a:/?x={x:edit|view|read?}", to: Methods.tab))
        == "`{x:edit|view|read?}` also matches `read`, which is not a value of Tab: write `{x:edit|view?}` "
        + "(in `a:/?x={x:edit|view|read?}`)")
    #expect(
      sentence(SceneRoute("a:/{x:/[0-9]*/...}", to: Methods.numbers))
        == "`{x:/[0-9]*/...}` also matches `00`, which is not a value of [Int]: write `{x:int...}` (in `a:/{x:/[0-9]*/...}`)"
    )
    #expect(
      sentence(SceneRoute("a:/?x={x:int?}", to: Methods.truth))
        == "`{x:int?}` also matches `0`, which is not a value of Bool?: write `{x:bool?}` (in `a:/?x={x:int?}`)"
    )
  }

  @Test func `Captures whose number does not match the argument`() {
    #expect(
      sentence(SceneRoute("a:/{x?}", to: Methods.text))
        == "`{x?}` is optional, but its argument is String: write String? as the argument, or a default after `=` in the pattern "
        + "(in `a:/{x?}`)")
    #expect(
      sentence(SceneRoute("a:/{x...}", to: Methods.text))
        == "`{x...}` captures several texts, but its argument is String: write [String] as the argument (in `a:/{x...}`)"
    )
    #expect(
      sentence(SceneRoute("a:/{x:int}", to: Methods.numbers))
        == "`{x:int}` captures one text, but its argument is [Int]: write `...` for segments, `*` for the values of a key, "
        + "or a single value as the argument (in `a:/{x:int}`)")
  }

  @Test func `A typed route that does not match its types is reported with its location`() {
    let route = TypedRoute<Int64>("a:/{x}")
    #expect(
      sentence(SceneRoute(route, to: Methods.number))
        == "`{x}` also matches `x`, which is not a value of Int64: write `{x:int}` (in `a:/{x}`)")
    #expect(SceneRoute<Methods>(route, to: Methods.number).location == route.location)
  }

  @Test func `Invalid patterns, conflicts, and routes that no application can confirm`() {
    #expect(
      sentence(SceneRoute("a:/{x", to: Methods.text))
        == "`{` is not closed: add `}`, or write `{{` for a brace (in `a:/{x`)")
    #expect(
      sentence(SceneRoute("a:/", to: Methods.none).named("root").requiringConfirmation())
        == "route root: the route requires confirmation: pass `confirmation:`, a closure that asks the user")
    let error = #expect(throws: SceneRoutesError.self) {
      try SceneRouteTable<Methods> {
        SceneRoute("a:/{x}", to: Methods.text)
        SceneRoute("a:/{y}", to: Methods.text)
      }
    }
    guard case .table(let conflicts)? = error?.reason, case .conflicts = conflicts.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.description.contains("RouteMethodErrorTests.swift") == true)
  }

  @Test func `Types that match although another one is written`() async throws {
    let routes = try SceneRouteTable<Methods> {
      SceneRoute("a:/text/{x:int}", to: Methods.text)
      SceneRoute("a:/number/{x:/[1-9][0-9]{0,5}/}", "b:/{x:1|2|3}", to: Methods.number)
      SceneRoute("a:/tab/{x:/view/}?y", "a:/tab/{x:view|edit}", to: Methods.tab)
      SceneRoute("a:/truth/{x:bool}", to: Methods.truth)
      SceneRoute("a:/day/{x:date}", to: Methods.day)
      if Bool.random() {
        SceneRoute("a:/none", to: Methods.none)
      } else {
        SceneRoute("a:/", to: Methods.none)
      }
      for name in ["x", "y"] { SceneRoute("a:/\(name)/{n:uint=1}", to: Methods.unsigned) }
    }
    func isHandled(_ url: String) async throws -> Bool {
      try await routes.handle(SceneRequest(Envelope(requestID: "1", urls: [url])), by: Methods()).isHandled
    }
    for url in ["a:/text/-1", "a:/number/12", "b:/3", "a:/tab/view", "a:/truth/true", "a:/y", "a:/x/2"] {
      #expect(try await isHandled(url), "\(url)")
    }
    #expect(try await isHandled("a:/day/2000-01-02"))
    // The route type matches the text, but the value's own initializer rejects it.
    #expect(try await !isHandled("a:/day/2000-01-01"))
  }

  private func fileTable() throws -> RouteTable<RouteAction> {
    let text = """
      format = 1
      owner = "org.example.Notes"

      [route.show]
      match = "notes:/show/{id:int}"
      handler = "show"

      [route.delete]
      match = "notes:/delete/{id:int}"
      handler = "delete"
      requires_confirmation = true
      source = { user_activation = true }
      """
    let set = RouteFileSet([RouteFileSource(name: "notes.toml", text: text)])
    #expect(set.diagnostics.map(\.description) == [])
    return set.table
  }

  @Test func `Routes of a file find their methods by name`() async throws {
    let routes = try SceneRouteTable<Methods>(
      fileTable(), handlers: ["show": SceneRoute(to: Methods.number), "delete": .init(to: Methods.text)],
      confirmation: { _, match, _ in match.route.id == "delete" })
    func isHandled(_ url: String, _ userActivation: UserActivation?) async throws -> Bool {
      var envelope = Envelope(requestID: "1", urls: [url])
      envelope.userActivation = userActivation
      return try await routes.handle(SceneRequest(envelope), by: Methods()).isHandled
    }
    #expect(try await isHandled("notes:/show/7", nil))
    #expect(try await !isHandled("notes:/delete/7", nil))
    #expect(try await isHandled("notes:/delete/7", .clicked))
  }

  @Test func `Methods that do not match the routes of a file are reported with the file's line`() throws {
    let table = try fileTable()
    func sentence(_ handlers: [String: SceneRoute<Methods>]) -> String? {
      #expect(throws: SceneRoutesError.self) {
        try SceneRouteTable<Methods>(table, handlers: handlers)
      }?.description
    }
    #expect(
      sentence(["show": SceneRoute(to: Methods.unsigned), "delete": SceneRoute(to: Methods.number)])
        == "notes.toml:4:8: `{id:int}` also matches `-1`, which is not a value of UInt: write `{id:uint}` (in `notes:/show/{id:int}`)"
    )
    #expect(
      sentence(["show": SceneRoute(to: Methods.number), "delete": SceneRoute(to: Methods.number)])
        == "notes.toml:8:8: route delete: the route requires confirmation: pass `confirmation:`, a closure that asks the user"
    )
    #expect(
      sentence(["show": SceneRoute(to: Methods.number)])
        == "notes.toml:8:8: route delete: the application has no handler delete; it has show")
    #expect(
      sentence(["show": SceneRoute(to: Methods.number).when(.userActivation)])?.hasSuffix(
        "the handler show has patterns or conditions in code, but the route file defines them: remove those in code"
      ) == true)
  }
}
