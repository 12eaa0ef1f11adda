// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

/// Decisions for a browser with a profile, from a list of installed browsers.
@Suite(.computes) struct `A route to a browser` {
  private static func id(_ text: String) -> ApplicationID { ApplicationID(rawValue: text) ?? .usherHandler }

  private static let firefox = InstalledBrowser(
    id: id("firefox-esr"), family: .firefox, title: "Firefox ESR",
    profiles: .known([
      BrowserProfile(
        name: "default-esr", key: "default-esr", arguments: ["-P", "default-esr"], isDefault: true),
      BrowserProfile(name: "Work", key: "Work", arguments: ["-P", "Work"]),
      BrowserProfile(name: "Twin", key: "a", arguments: ["-P", "a"]),
      BrowserProfile(name: "Twin", key: "b", arguments: ["-P", "b"]),
      BrowserProfile(name: "-P", key: "-P", arguments: []),
    ]))
  private static let flatpak = InstalledBrowser(
    id: id("org.mozilla.firefox"), family: .firefox, title: "Firefox", packaging: .flatpak,
    profiles: .known([BrowserProfile(name: "home", key: "home", arguments: ["-P", "home"])]))
  private static let chromium = InstalledBrowser(
    id: id("chromium"), family: .chromium, title: "Chromium",
    profiles: .known([
      BrowserProfile(
        name: "Anna & Co", key: "Profile 1", arguments: ["--profile-directory=Profile 1"], isDefault: true),
      BrowserProfile(name: "Work", key: "Default", arguments: ["--profile-directory=Default"]),
    ]))
  private static let epiphany = InstalledBrowser(
    id: id("org.gnome.Epiphany"), family: .epiphany, title: "Web", profiles: .none)
  private static let broken = InstalledBrowser(
    id: id("brave"), family: .brave, title: "Brave", profiles: .unreadable(reason: "/x is not JSON"))
  private static let all = [firefox, flatpak, chromium, epiphany, broken]

  private func broker(_ actions: [RouteAction], _ desktop: ThrowAwayDesktop) throws -> Broker {
    for name in ["firefox-esr", "chromium", "epiphany", "brave", "flatpak", "viewer"] {
      try desktop.installScript(name, "#!/bin/sh\n")
    }
    let schemes = ["http", "https"]
    try desktop.installDesktopEntry(
      "firefox-esr", exec: "firefox-esr %u", schemes: schemes, lines: ["Name=Firefox ESR"])
    try desktop.installDesktopEntry(
      "org.mozilla.firefox",
      exec: "flatpak run --command=firefox --file-forwarding org.mozilla.firefox @@u %u @@",
      schemes: schemes,
      lines: ["DBusActivatable=true", "Implements=org.usher.Application1;"])
    try desktop.installDesktopEntry("chromium", exec: "chromium %U", schemes: schemes)
    try desktop.installDesktopEntry("org.gnome.Epiphany", exec: "epiphany %U", schemes: schemes)
    try desktop.installDesktopEntry("brave", exec: "brave %U", schemes: schemes)
    try desktop.installDesktopEntry("org.example.Viewer", exec: "viewer %u", schemes: ["note"])
    try desktop.setDefaults(["https": ["chromium"]])
    var builder = RouteTableBuilder<RouteAction>()
    for (number, action) in actions.enumerated() {
      try builder.add(
        "https://r\(number).example/{r...?}", id: "r\(number)", action: action, rank: .user, when: [])
    }
    let programs = ProgramSearch(path: desktop.bin)
    return Broker(
      layers: [RouteLayer(owner: .user, table: try builder.build())],
      resolver: ApplicationResolver(
        directories: BaseDirectories(environment: desktop.environment), programs: programs),
      programs: programs)
  }

  private func decide(
    _ action: RouteAction, browsers: [InstalledBrowser]? = all,
    _ change: (inout OpenRequest) -> Void = { _ in }
  ) throws -> Decision {
    let desktop = try ThrowAwayDesktop()
    defer { withExtendedLifetime(desktop) {} }
    let broker = try broker([action], desktop)
    let url = try URLString("https://r0.example/x")
    var request = OpenRequest(urls: [url])
    request.system.browsers = browsers
    change(&request)
    return broker.decide(url, of: request)
  }

  private func target(_ decision: Decision) throws -> TargetApplication {
    guard case .deliver(let target) = decision.verdict else {
      throw TestSupportError("not delivered: \(decision.verdict)")
    }
    return target
  }

  private func refusal(_ decision: Decision) -> String {
    if case .refuse(let refusal) = decision.verdict { refusal.description } else { "\(decision.verdict)" }
  }

  @Test(arguments: [
    (BrowserTarget("firefox"), "firefox-esr", "firefox-esr %u"),
    (BrowserTarget("firefox", profile: "Work"), "firefox-esr@Work", "firefox-esr -P Work %u"),
    (BrowserTarget("firefox", isPrivate: true), "firefox-esr@?private", "firefox-esr --private-window %u"),
    (
      BrowserTarget("firefox", profile: "Work", isPrivate: true, opensNewWindow: true),
      "firefox-esr@Work?private&new-window", "firefox-esr -P Work --private-window %u"
    ),
    (
      BrowserTarget("org.mozilla.firefox", profile: "home"), "org.mozilla.firefox@home",
      "flatpak run --command=firefox --file-forwarding org.mozilla.firefox -P home @@u %u @@"
    ),
    (
      BrowserTarget("org.mozilla.firefox.desktop", isPrivate: true), "org.mozilla.firefox@?private",
      "flatpak run --command=firefox --file-forwarding org.mozilla.firefox --private-window @@u %u @@"
    ),
    (
      BrowserTarget("chromium", profile: "Anna & Co", opensNewWindow: true),
      "chromium@Profile%201?new-window",
      #"chromium "--profile-directory=Profile 1" --new-window %U"#
    ),
    (
      BrowserTarget("chromium", profile: "Work"), "chromium@Default",
      "chromium --profile-directory=Default %U"
    ),
    (
      BrowserTarget("epiphany", isPrivate: true), "org.gnome.Epiphany@?private",
      "epiphany --incognito-mode %U"
    ),
    (BrowserTarget("firefox", profile: "b"), "firefox-esr@b", "firefox-esr -P b %u"),
  ])
  func `opens the link in the profile and the window`(
    _ target: BrowserTarget, _ id: String, _ exec: String
  ) throws {
    let found = try self.target(try decide(.browse(target)))
    #expect(found.id.rawValue == id && found.entry.exec == exec)
    #expect(found.programID.rawValue == id.split(separator: "@")[0])
    guard id.contains("@") else { return }
    #expect(!found.takesEnvelopes && !found.isDBusActivatable)
    #expect(found.approaches(isRunning: false) == [.execute])
    // The ID leads to the same target wherever an ID is accepted.
    for other in [try decide(.open(application: id)), try decide(.allow) { $0.target = found.id }] {
      let other = try self.target(other)
      #expect(other.id == found.id && other.entry.exec == exec && other.programID == found.programID)
    }
  }

  @Test(arguments: [
    (BrowserTarget("firefox", profile: "Nope"), "its profiles are default-esr, Work, Twin (a), Twin (b), -P"),
    (
      BrowserTarget("firefox", profile: "Twin"), "several profiles have that name; write one of the keys a, b"
    ),
    (BrowserTarget("firefox", profile: "-P"), "no command-line option of Firefox selects this profile"),
    (BrowserTarget("epiphany", profile: "x"), "GNOME Web has no profiles that can be selected"),
    (BrowserTarget("brave", profile: "x"), "its profiles cannot be read: /x is not JSON"),
    (
      BrowserTarget("vivaldi"),
      "vivaldi cannot be used: it is not installed; the installed browsers are firefox (firefox-esr)"
    ),
    (BrowserTarget("org.example.Viewer"), "it is not a browser that Usher knows"),
  ])
  func `is rejected with the existing names if there is no such browser or profile`(
    _ target: BrowserTarget, _ sentence: String
  ) throws {
    let reason = refusal(try decide(.browse(target)))
    #expect(reason.contains(sentence), "\(reason)")
    // A sandboxed caller reads the rejection, too, and must not learn the names.
    let sandboxed = try decide(.browse(target)) {
      $0.caller.source = SourceApplication(Self.id("org.x"), .sandbox)
    }
    #expect(!refusal(sandboxed).contains("default-esr") && !refusal(sandboxed).contains("firefox-esr)"))
  }

  @Test func `needs the list of browsers only if a decision leads to one`() throws {
    #expect(refusal(try decide(.browse(BrowserTarget("firefox")), browsers: nil)).contains("not listed"))
    #expect(
      try decide(.browse(BrowserTarget("firefox")), browsers: nil).verdict == .refuse(.browsersNotListed))
    #expect(try decide(.ask([.browsers], remember: []), browsers: nil).verdict == .refuse(.browsersNotListed))
    #expect(
      try decide(.open(application: "chromium@Default"), browsers: nil).verdict == .refuse(.browsersNotListed)
    )
    #expect(try target(try decide(.allow, browsers: nil)).id.rawValue == "chromium")
    #expect(
      try target(try decide(.open(application: "firefox-esr"), browsers: nil)).id.rawValue == "firefox-esr")
    // A question names the application that opens the link after consent.
    let asked = try decide(.browse(BrowserTarget("firefox", profile: "Work")), browsers: nil) {
      $0.caller.origin = "https://page.example"
    }
    #expect(asked.verdict == .refuse(.browsersNotListed))
    let known = try decide(.browse(BrowserTarget("firefox", profile: "Work"))) {
      $0.caller.origin = "https://page.example"
    }
    #expect(known.applicationAfterConsent?.rawValue == "firefox-esr@Work")
  }

  @Test func `yields to a desktop file of that name`() throws {
    let desktop = try ThrowAwayDesktop()
    defer { withExtendedLifetime(desktop) {} }
    try desktop.installDesktopEntry("chromium@Default", exec: "viewer --own %u", schemes: ["https"])
    let broker = try broker([.open(application: "chromium@Default")], desktop)
    let url = try URLString("https://r0.example/")
    let decision = broker.decide(url, of: OpenRequest(urls: [url]))
    #expect(try target(decision).entry.exec == "viewer --own %u")
    #expect(try target(decision).programID.rawValue == "chromium@Default")
  }

  @Test func `has no desktop actions, and is not for a sandboxed caller to request`() throws {
    let action = try decide(.perform(application: "firefox-esr@Work", action: "new-window"))
    #expect(refusal(action).contains("has no desktop actions"))
    let sandboxed = try decide(.allow) {
      $0.caller.source = SourceApplication(Self.id("org.x"), .sandbox)
      $0.target = Self.id("firefox-esr@Work")
    }
    #expect(refusal(sandboxed).contains("may not request a profile"))
  }

  @Test func `offers browsers with their profiles`() throws {
    func choices(_ action: RouteAction) throws -> [String] {
      guard case .ask(let question) = try decide(action).verdict else { return [] }
      return question.choices.map(\.rawValue)
    }
    #expect(
      try choices(.ask([.browsers], remember: [])) == [
        "firefox-esr@default-esr", "firefox-esr@Work", "firefox-esr@a", "firefox-esr@b",
        "org.mozilla.firefox",
        "chromium@Profile%201", "chromium@Default", "org.gnome.Epiphany", "brave",
      ])
    let some: [RouteAction.Choice] = [
      .browser(BrowserTarget("firefox", profile: "Work")), "org.example.Viewer",
      .browser(BrowserTarget("firefox", profile: "Nope")), "firefox-esr@Work",
    ]
    #expect(try choices(.ask(some, remember: [])) == ["firefox-esr@Work", "org.example.Viewer"])
  }

  @Test func `opens the browser that the user chose`() throws {
    let action = RouteAction.ask([.browsers], remember: [.host])
    guard case .ask(let question) = try decide(action).verdict, let scope = question.scope else {
      Issue.record("no question with a scope")
      return
    }
    let answer = Answer.application(Self.id("chromium@Profile%201"))
    #expect(Answer(answer.text) == answer)
    let chosen = try decide(action) { $0.answers.given[question.identity] = answer }
    #expect(try target(chosen).id.rawValue == "chromium@Profile%201")
    let remembered = try decide(action) { $0.answers.grants = [Grant(scope, answer, assurance: .unknown)] }
    #expect(try target(remembered).entry.exec == #"chromium "--profile-directory=Profile 1" %U"#)
    // An answer for a profile that was removed is asked again.
    let removed = try decide(action, browsers: [Self.firefox]) {
      $0.answers.grants = [Grant(scope, answer, assurance: .unknown)]
    }
    guard case .ask = removed.verdict else {
      Issue.record("\(removed.verdict)")
      return
    }
  }

  @Test func `is the browser itself in a redirect chain`() throws {
    let work = try decide(.browse(BrowserTarget("firefox", profile: "Work")))
    let group = RequestGroup(
      links: [RequestGroup.Link(requested: work.url, url: work.url, hasSecret: false)], verdict: work.verdict)
    var detector = LoopDetector()
    var request = OpenRequest(urls: [work.url])
    let now = ContinuousClock.now
    #expect(detector.follow([group], of: request, at: now)[0].verdict == work.verdict)
    // Firefox opens the link again, which another profile of Firefox must not receive.
    request.caller.source = SourceApplication(Self.id("firefox-esr"), .unit)
    guard case .refuse(.redirectLoop) = detector.follow([group], of: request, at: now)[0].verdict else {
      Issue.record("no loop")
      return
    }
  }

  @Test func `is found again after a restart`() throws {
    let desktop = try ThrowAwayDesktop()
    defer { withExtendedLifetime(desktop) {} }
    let broker = try broker([], desktop)
    let found = broker.target(of: Self.id("firefox-esr@Work"), browsers: Self.all)
    #expect(found?.entry.exec == "firefox-esr -P Work %u" && found?.entry.name() == "Firefox ESR – Work")
    #expect(broker.target(of: Self.id("firefox-esr@Gone"), browsers: Self.all) == nil)
    #expect(broker.target(of: Self.id("firefox-esr@Work"), browsers: nil) == nil)
    #expect(broker.target(of: Self.id("chromium"), browsers: nil)?.entry.exec == "chromium %U")
    #expect(broker.title(of: Self.id("chromium@Profile%201"), browsers: Self.all) == "Chromium – Anna & Co")
  }
}
