// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteFiles
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

/// The decision about a link that a route cleans before other routes decide, with an attacker who writes the link.
///
/// Decision 152 has the rules.
@Suite(.computes) struct `A route that cleans links first` {
  private static let clean = """
    [route.clean]
    match   = ["https://{host...}/{rest...?}?utm", "https://{host...}/{rest...?}?click"]
    rewrite = { drop = ["utm", "click"], first = true }

    [route.unwrap]
    match   = "https://go.example/to?q"
    rewrite = { unwrap = "q", first = true }

    """

  /// Decides by route files, whose first two lines are added.
  private func decide(
    _ url: String, user: String = "", administrator: String = "", vendor: String = clean,
    _ change: (inout OpenRequest) -> Void = { _ in }
  ) throws -> Decision {
    let desktop = try ThrowAwayDesktop()
    try desktop.installScript("viewer", "#!/bin/sh\n")
    try desktop.installDesktopEntry("org.example.Browser", exec: "viewer %u", schemes: ["http", "https"])
    try desktop.installDesktopEntry("org.example.Other", exec: "viewer %u", schemes: ["https"])
    try desktop.setDefaults(["http": ["org.example.Browser"], "https": ["org.example.Browser"]])
    let texts: [(RouteLayer.Owner, PolicyLayer, String)] = [
      (.user, .user, user), (.administrator, .administrator, administrator), (.vendor, .vendor, vendor),
    ]
    let layers = texts.map { owner, rank, text in
      let set = RouteFileSet([
        RouteFileSource(name: "\(owner).toml", text: "format = 1\nowner = \"o\"\n" + text, rank: rank)
      ])
      #expect(set.diagnostics.map(\.description) == [])
      return RouteLayer(owner: owner, table: set.table, gaps: set.gaps)
    }
    let programs = ProgramSearch(path: desktop.environment["PATH"])
    let directories = BaseDirectories(environment: desktop.environment)
    let broker = Broker(
      layers: layers, resolver: ApplicationResolver(directories: directories, programs: programs),
      programs: programs)
    var request = OpenRequest(urls: [try URLString(url)])
    change(&request)
    return broker.decide(request.urls[0], of: request, tellsWhy: true)
  }

  private func isDenied(_ decision: Decision) -> Bool {
    if case .refuse(.denied) = decision.verdict { true } else { false }
  }

  /// The application and the URL that it opens.
  private func opened(_ decision: Decision) -> String? {
    if case .deliver(let target) = decision.verdict { "\(target.id) \(decision.url.text)" } else { nil }
  }

  private func route(_ name: String, _ pattern: String, _ action: String) -> String {
    "[route.\(name)]\nmatch = \"\(pattern)\"\n\(action)\n\n"
  }

  private static let open = "open = \"org.example.Other\""
  private static let wrapped = "https://go.example/to?q=https%3A%2F%2Fnews.example%2F7%3Futm%3D1%26id%3D2"

  @Test func `cleans and unwraps what routes of every layer open`() throws {
    for pattern in ["https://news.example/{x...?}", "https://{host...}/{x...?}"] {
      let own = route("own", pattern, Self.open)
      for url in ["https://news.example/7?utm=1&id=2", Self.wrapped] {
        let expected = "org.example.Other https://news.example/7?id=2"
        #expect(opened(try decide(url, user: own)) == expected, "\(url)")
        #expect(opened(try decide(url, administrator: own)) == expected, "\(url)")
        #expect(opened(try decide(url, vendor: own + Self.clean)) == expected, "\(url)")
      }
    }
    let decision = try decide(
      "https://news.example/7?utm=1", user: route("own", "https://{h...}/{x...?}", Self.open))
    let steps = decision.explanation.map(\.text)
    #expect(
      steps.contains { $0.contains("the vendor's route “clean”") && $0.contains("cleans it to") }, "\(steps)")
    #expect(
      opened(try decide("https://news.example/7?utm=1")) == "org.example.Browser https://news.example/7")
  }

  @Test func `is named with the whole URL that is opened, but not to a sandbox, and not with a secret`()
    throws
  {
    let url = "https://news.example/7?utm=1&id=2"
    #expect(try decide(url).openedURL == "https://news.example/7?id=2")
    #expect(try decide(Self.wrapped).openedURL == "https://news.example/7?id=2")
    #expect(try decide("https://news.example/7?id=2").openedURL == nil)
    let deny = route("no", "https://news.example/{x}?!utm", "deny = \"no\"")
    #expect(try decide(url, user: deny).openedURL == nil)
    let ask = route("ask", "https://news.example/{x...?}", "ask = true")
    #expect(try decide(url, user: ask).openedURL == "https://news.example/7?id=2")
    let chat = try #require(ApplicationID("org.example.Chat"))
    #expect(
      try decide(url) { $0.caller.source = SourceApplication(chat, .sandbox).sandboxed }.openedURL == nil)
    // A secret of the link as it came, of the cleaned link, and of a link that the route only may match.
    for pattern in ["https://news.example/{x...?}?id={key}", "https://news.example/{x}?id={key}&utm"] {
      let secret = route("own", pattern, Self.open + "\nsecret = \"key\"")
      let decision = try decide(url, user: secret)
      #expect(opened(decision)?.hasSuffix("https://news.example/7?id=2") == true, "\(decision.verdict)")
      #expect(decision.openedURL == nil, "\(pattern)")
    }
  }

  @Test func `comes after the administrator's final routes, for both links`() throws {
    let url = "https://news.example/7?utm=1"
    func final(_ pattern: String, _ action: String) -> String {
      route("f", pattern, action + "\nfinal = true")
    }
    #expect(
      opened(try decide(url, administrator: final("https://news.example/{x}?utm", Self.open)))
        == "org.example.Other " + url)
    #expect(isDenied(try decide(url, administrator: final("https://news.example/{x}?utm", "deny = \"no\""))))
    #expect(isDenied(try decide(url, administrator: final("https://news.example/{x}?!utm", "deny = \"no\""))))
    // Also if the route that cleans is final.
    let cleaning = Self.clean.replacing("first = true }", with: "first = true }\nfinal = true")
    let deny = final("https://news.example/{x}?utm", "deny = \"no\"")
    #expect(isDenied(try decide(url, administrator: cleaning + deny, vendor: "")))
    #expect(
      isDenied(
        try decide(url, user: deny.replacing("final = true", with: ""), administrator: cleaning, vendor: "")))
    #expect(
      opened(try decide(url, administrator: cleaning, vendor: ""))
        == "org.example.Browser https://news.example/7")
  }

  @Test func `is no way around a denial of either link, in any layer`() throws {
    for (url, pattern) in [
      // The denial applies only with the item that is removed.
      ("https://news.example/7?utm=1", "https://news.example/{x}?utm"),
      ("https://news.example/7?click=1&utm=2", "https://news.example/{x}?utm&click"),
      // The denial applies only without it.
      ("https://news.example/7?utm=1", "https://news.example/{x}?!utm"),
      ("https://NEWS.example/7?utm=1&utm=2", "https://news.example/{x...?}"),
      // The redirector and the page.
      (Self.wrapped, "https://go.example/{x...?}"), (Self.wrapped, "https://news.example/{x...?}"),
    ] {
      let deny = route("no", pattern, "deny = \"no\"")
      #expect(isDenied(try decide(url, user: deny)), "\(url) \(pattern)")
      #expect(isDenied(try decide(url, administrator: deny)), "\(url) \(pattern)")
      #expect(isDenied(try decide(url, vendor: Self.clean + deny)), "\(url) \(pattern)")
      // A route of an earlier layer that cleans does not help.
      #expect(isDenied(try decide(url, user: Self.clean, vendor: deny)), "\(url) \(pattern)")
    }
    // A link that cannot be read, and a broken value.
    let deny = route("no", "https://{h...}/{x...?}", "deny = \"no\"")
    for url in [
      "https://news.example/%zz?utm=1", "https://go.example/to?q=/x", "https://go.example/to?q=%zz",
    ] {
      #expect(isDenied(try decide(url, user: deny)), "\(url)")
      #expect(isDenied(try decide(url, vendor: Self.clean + deny)), "\(url)")
    }
  }

  @Test func `asks once if a route asks about both links, and otherwise about each that a route asks about`()
    throws
  {
    let url = "https://news.example/7?utm=1"
    func question(_ decision: Decision) throws -> Question {
      guard case .ask(let question) = decision.verdict else { throw Missing(decision) }
      return question
    }
    let both = route("ask", "https://news.example/{x...?}", "ask = true")
    let one = try question(try decide(url, user: both))
    #expect(one.url.text == "https://news.example/7")
    #expect(
      opened(try decide(url, user: both) { $0.answers.given = [one.identity: .yes] })
        == "org.example.Browser https://news.example/7")
    #expect(
      opened(try decide(url, user: both) { $0.answers.reported = "yes" })
        == "org.example.Browser https://news.example/7")

    let outer = route("ask", "https://news.example/{x}?utm", "ask = true")
    let first = try question(try decide(url, user: outer))
    #expect(first.url.text == url)
    let answered = try decide(url, user: outer) { $0.answers.given = [first.identity: .yes] }
    #expect(opened(answered) == "org.example.Browser https://news.example/7")
    let refused = try decide(url, user: outer) { $0.answers.given = [first.identity: .no] }
    guard case .refuse = refused.verdict else { return #expect(Bool(false), "\(refused.verdict)") }
  }

  @Test func `leaves a link alone that a route of an earlier layer keeps`() throws {
    let keep = route("keep", "https://shop.example/{x...?}", "rewrite = { drop = [], first = true }")
    let own = route("own", "https://{h...}/{x...?}", Self.open)
    for (url, result) in [
      ("https://shop.example/7?click=1", "https://shop.example/7?click=1"),
      ("https://news.example/7?click=1", "https://news.example/7"),
    ] {
      #expect(opened(try decide(url, user: keep + own)) == "org.example.Other " + result)
      #expect(opened(try decide(url, user: keep)) == "org.example.Browser " + result)
      #expect(opened(try decide(url, vendor: Self.clean + keep)) == "org.example.Browser " + result)
    }
    let deny = route("no", "https://shop.example/{x...?}", "deny = \"no\"")
    #expect(isDenied(try decide("https://shop.example/7?click=1", user: keep, vendor: deny)))
  }

  @Test func `is no consent, and does not authorize the caller that it names`() throws {
    let chat = try #require(ApplicationID("org.example.Chat"))
    for drop in ["[]", "[\"utm\"]"] {
      let named = route(
        "c", "https://news.example/{x...?}?utm",
        "rewrite = { drop = \(drop), first = true }\nsource = \"org.example.Chat\"")
      let decision = try decide("https://news.example/7?utm=1", vendor: named) { request in
        request.caller.source = SourceApplication(chat, .unit)
        request.caller.origin = "https://page.example"
      }
      guard case .ask(let question) = decision.verdict else {
        return #expect(Bool(false), "\(decision.verdict)")
      }
      #expect(question.reason != .sandbox)
    }
  }

  @Test func `does not change what a caller sends to an application that it names, and counts as a hop`()
    throws
  {
    let other = try #require(ApplicationID("org.example.Other"))
    let url = "https://news.example/7?utm=1"
    #expect(opened(try decide(url) { $0.target = other }) == "org.example.Other " + url)
    #expect(try decide(url) { $0.hops = 8 }.verdict == .refuse(.tooManyHops(hops: 9)))
  }

  private struct Missing: Error {
    let decision: Decision
    init(_ decision: Decision) { self.decision = decision }
  }
}
