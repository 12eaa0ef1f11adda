// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteFiles
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

/// The condition `target = "installed"`.
@Suite(.computes) struct `A route whose target must be installed` {
  private func broker(_ text: String, in desktop: ThrowAwayDesktop) -> Broker {
    let set = RouteFileSet([
      RouteFileSource(name: "x.toml", text: "format = 1\nowner = \"o\"\n" + text, rank: .user)
    ])
    #expect(set.diagnostics.map(\.description) == [])
    let programs = ProgramSearch(path: desktop.environment["PATH"])
    return Broker(
      layers: [RouteLayer(owner: .user, table: set.table)],
      resolver: ApplicationResolver(
        directories: BaseDirectories(environment: desktop.environment), programs: programs),
      programs: programs)
  }

  private func decide(
    _ url: String, _ text: String, in desktop: ThrowAwayDesktop,
    _ change: (inout OpenRequest) -> Void = { _ in }
  ) throws -> Decision {
    var request = OpenRequest(urls: [try URLString(url)])
    change(&request)
    return broker(text, in: desktop).decide(request.urls[0], of: request)
  }

  private func isDenied(_ decision: Decision) -> Bool {
    if case .refuse(.denied) = decision.verdict { true } else { false }
  }

  @Test(arguments: [
    ("open = \"org.example.App\"", true), ("open = \"org.example.None\"", false),
    ("open = \"org.example.Broken\"", false), ("open = \"org.example.Hidden\"", false),
    ("perform = { application = \"org.example.App\", action = \"edit\" }", true),
    ("perform = { application = \"org.example.None\", action = \"edit\" }", false),
    ("exec = [\"viewer\", \"--\", \"{@url}\"]", true), ("exec = [\"no-such-program\", \"{@url}\"]", false),
    ("rewrite = \"app:{x}\"", true), ("rewrite = \"APP:{x}\"", true), ("rewrite = \"none:{x}\"", false),
    // Usher's own entry, which desktops name so that links reach the broker, is no application.
    ("rewrite = \"usher-only:{x}\"", false),
  ])
  func `applies if what it starts can be started`(action: String, applies: Bool) throws {
    let desktop = try ThrowAwayDesktop()
    try desktop.installScript("viewer", "#!/bin/sh\n")
    try desktop.installDesktopEntry(
      "org.example.App", exec: "viewer %u", schemes: ["app"],
      lines: ["Actions=edit;", "[Desktop Action edit]", "Name=Edit", "Exec=viewer --edit %u"])
    try desktop.installDesktopEntry("org.example.Broken", exec: "no-such-program %u", schemes: ["none"])
    try desktop.installDesktopEntry("org.example.Hidden", exec: "viewer %u", lines: ["Hidden=true"])
    try desktop.installDesktopEntry("org.usher.Handler", exec: "viewer %u", schemes: ["usher-only"])
    try desktop.setDefaults([
      "usher-only": ["org.usher.Handler"], "app": ["org.example.App"], "none": ["org.example.Broken"],
    ])
    let text = "[route.a]\nmatch = \"web:/{x}\"\n\(action)\ntarget = \"installed\"\n"
    let fallback = "[route.b]\nmatch = \"web:/{y...}\"\ndeny = \"not installed\"\n"
    #expect(isDenied(try decide("web:/1", text + fallback, in: desktop)) != applies)
  }

  @Test func `that names no application tests the one that would open the link`() throws {
    let desktop = try ThrowAwayDesktop()
    let text = "[route.a]\nscheme = \"app\"\ndeny = \"installed\"\ntarget = \"installed\"\n"
    #expect(!isDenied(try decide("app:x", text, in: desktop)))
    try desktop.installScript("viewer", "#!/bin/sh\n")
    try desktop.installDesktopEntry("org.example.App", exec: "viewer %u", schemes: ["app"])
    try desktop.setDefaults(["app": ["org.example.App"]])
    #expect(isDenied(try decide("app:x", text, in: desktop)))
  }

  @Test func `applies to a browser if it is among the installed ones, which are listed first`() throws {
    let desktop = try ThrowAwayDesktop()
    try desktop.installScript("viewer", "#!/bin/sh\n")
    try desktop.installDesktopEntry("firefox", exec: "viewer %u", schemes: ["https"])
    let text = """
      [route.a]
      match  = "https://a.example/{x...?}"
      open   = { browser = "firefox" }
      target = "installed"
      [route.b]
      match = "https://{h...}/{y...?}"
      deny  = "not installed"
      """
    let id = try #require(ApplicationID(rawValue: "firefox"))
    let firefox = InstalledBrowser(id: id, family: .firefox, title: "Firefox", profiles: .none)
    let unlisted = try decide("https://a.example/", text, in: desktop)
    #expect(unlisted.verdict == .refuse(.browsersNotListed))
    #expect(isDenied(try decide("https://a.example/", text, in: desktop) { $0.system.browsers = [] }))
    let installed = try decide("https://a.example/", text, in: desktop) { $0.system.browsers = [firefox] }
    guard case .deliver(let target) = installed.verdict else {
      Issue.record("\(installed.verdict)")
      return
    }
    #expect(target.id == id)
  }

  @Test func `leaves the link to the next narrower route`() throws {
    let desktop = try ThrowAwayDesktop()
    try desktop.installScript("viewer", "#!/bin/sh\n")
    try desktop.installDesktopEntry("org.example.App", exec: "viewer %u", schemes: ["app"])
    let text = """
      [route.a]
      match = "web:/{x:int}"
      open = "org.example.None"
      target = "installed"
      [route.b]
      match = "web:/{x}"
      rewrite = "none:{x}"
      target = "installed"
      [route.c]
      match = "web:/{x...}"
      open = "org.example.App"
      target = "installed"
      """
    let decision = try decide("web:/1", text, in: desktop)
    guard case .deliver(let target) = decision.verdict else { return #expect(Bool(false), "\(decision)") }
    #expect(target.id.rawValue == "org.example.App")
  }

  @Test func `is decided alike for a sandboxed caller with a claim`() throws {
    let desktop = try ThrowAwayDesktop()
    let text = """
      [route.a]
      match = "web:/{x}"
      source.origin = "https://page.example"
      open = "org.example.None"
      target = "installed"
      [route.b]
      match = "web:/{x...}"
      source.origin = "https://page.example"
      deny = "claimed"
      """
    let decision = try decide("web:/1", text, in: desktop) { request in
      request.caller.source = .unseen
      request.caller.origin = "https://page.example"
    }
    #expect(isDenied(decision), "\(decision.verdict)")
  }

  @Test func `needs no bus, and only links that it may match need files`() throws {
    let desktop = try ThrowAwayDesktop()
    let text = """
      [route.a]
      match = "https://app.example/{x...}"
      rewrite = "app:{x}"
      target = "installed"
      """
    let broker = broker(text, in: desktop)
    #expect(!broker.asksWhatRuns)
    #expect(broker.asksWhatIsInstalled(for: try URLString("https://app.example/1")))
    #expect(!broker.asksWhatIsInstalled(for: try URLString("https://other.example/1")))
  }
}
