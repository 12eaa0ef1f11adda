// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables
import Testing

@testable import BrokerCore

@Suite struct `A container without an application` {
  private static let id = String(repeating: "3f2a1b0c", count: 8)
  private static let other = String(repeating: "0c1b2a3f", count: 8)
  private static let manager = "/user.slice/user-1000.slice/user@1000.service"

  private func scope(_ id: String = id) throws -> ContainerScope {
    try #require(ContainerScope(unit: "libpod-\(id).scope"))
  }

  private func group(_ path: String) -> ContainerScope? {
    ControlGroup(text: "0::\(path)\n", user: 1_000).container
  }

  @Test func `is known by the scope of its runtime, the first unit of the group`() throws {
    let libpod = "libpod-\(Self.id).scope"
    #expect(group("\(Self.manager)/user.slice/\(libpod)/container") == (try scope()))
    #expect(group("\(Self.manager)/\(libpod)") == (try scope()))
    // A mark in the name of a group combines with the slash, and a carriage return with the line end.
    for name in ["\u{301}", "\u{301}x", "x\r", "\r"] {
      #expect(group("\(Self.manager)/user.slice/\(libpod)/\(name)") == (try scope()))
    }
    #expect(group("/system.slice/docker-\(Self.id).scope")?.runtime == "docker")
    #expect(group("/machine.slice/\(libpod)/container")?.id == Self.id[...])
    // A group below a unit, and one of another user, can have any name.
    #expect(group("\(Self.manager)/app.slice/app-x-1.scope/\(libpod)") == nil)
    #expect(group("/user.slice/user-1001.slice/user@1001.service/user.slice/\(libpod)") == nil)
    #expect(group("/user.slice/\(libpod)") == nil)
  }

  @Test(arguments: [
    "libpod-\(id).service", "libpod-\(id.dropLast()).scope", "libpod-\(id)0.scope", "\(id).scope",
    "-\(id).scope",
    "Libpod-\(id).scope", "libpod-\(id.uppercased()).scope", "lib pod-\(id).scope", "libpod-conmon.scope", "",
  ])
  func `is not known by other names`(unit: String) {
    #expect(ContainerScope(unit: unit) == nil)
  }

  @Test func `has a name that it gives itself`() {
    func label(_ text: String) -> String? { CallerContainer.label(in: Array(text.utf8)) }
    #expect(label("engine=\"podman-4.3\"\nname=\"toolbox-40\"\nid=\"1\"\n") == "toolbox-40")
    for text in ["", "name=", "name=\"", "name=\"\"", "name=bare", "xname=\"a\""] {
      #expect(label(text) == nil)
    }
  }

  private func question(_ container: CallerContainer?, _ url: String = "note://host.example/a?secret") throws
    -> Question
  {
    let scope = container?.scope.map { GrantScope(container: $0, scheme: "note", isSandboxed: true) }
    return Question(.sandbox, about: try URLString(url), from: .unseen, in: container, keptFor: scope)
  }

  private func body(_ container: CallerContainer?) throws -> String {
    QuestionText(try question(container), opener: ApplicationID("org.example.Viewer"), title: { _ in nil })
      .body
  }

  @Test func `is named in the question, and its claims are marked as such`() throws {
    let known = CallerContainer(scope: try scope(), label: "fedora <b>“40”", program: "/usr/bin/curl")
    #expect(
      try body(known)
        == """
        An unknown program in the container 3f2a1b0c3f2a of libpod (by its own claim, it is named “fedora b40” and runs \
        “/usr/bin/curl”) wants org.example.Viewer to open note://host.example/a…
        Your answer is stored for 30 days and applies to note: links from the container 3f2a1b0c3f2a of libpod.
        """)
    let unknown = try body(CallerContainer(scope: nil, program: "/usr/bin/curl"))
    #expect(
      unknown.hasPrefix("An unknown program in a sandbox (by its own claim, it runs “/usr/bin/curl”) wants")
    )
    #expect(
      unknown.hasSuffix(
        "only to this link, because Usher cannot distinguish this sandbox from other sandboxes."))
    #expect(
      try question(known).unaskedMessage.hasSuffix(
        "run: usher grants allow --container libpod-\(Self.id).scope --scheme note"))
  }

  @Test func `is asked about once, whatever its programs say of themselves`() throws {
    let one = try question(CallerContainer(scope: try scope(), label: "a", program: "/bin/a"))
    #expect(one.identity == (try question(CallerContainer(scope: try scope(), label: "b"))).identity)
    #expect(
      one.identity != (try question(CallerContainer(scope: try scope(Self.other), label: "a"))).identity)
    let unscoped = try question(CallerContainer(scope: nil, program: "/bin/a"))
    #expect(unscoped.identity != (try question(CallerContainer(scope: nil, program: "/bin/b"))).identity)
  }

  @Test func `is covered by the answer for it alone`() throws {
    let (broker, desktop) = try `The policy`.broker()
    func verdict(_ container: ContainerScope?, _ grants: [Grant]) throws -> Decision.Verdict {
      var request = OpenRequest(urls: [try URLString("note:1")], source: .unseen)
      request.caller.container = CallerContainer(scope: container)
      request.answers.grants = grants
      return withExtendedLifetime(desktop) { broker.decide(request.urls[0], of: request).verdict }
    }
    let grant = Grant(
      GrantScope(container: try scope(), scheme: "note", isSandboxed: true), .yes, assurance: .unknown)
    guard case .ask(let asked) = try verdict(try scope(), []) else {
      Issue.record("no question")
      return
    }
    #expect(asked.scope == grant.scope)
    if case .deliver = try verdict(try scope(), [grant]) {} else { Issue.record("not opened") }
    for container in [try scope(Self.other), nil] {
      if case .ask = try verdict(container, [grant]) {
      } else {
        Issue.record("opened for \(String(describing: container))")
      }
    }
  }
}
