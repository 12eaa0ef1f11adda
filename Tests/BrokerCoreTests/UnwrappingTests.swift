// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteFiles
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

/// The decision about a link that a route unwraps, with an attacker who writes the link.
///
/// Decision 149 has the rules.
@Suite(.computes) struct `A route that unwraps links` {
  private static let unwrap = """
    [route.unwrap]
    match   = "https://go.example/to?q"
    rewrite = { unwrap = "q" }

    """

  /// Decides by route files, whose first two lines are added.
  private func decide(
    _ url: String, user: String = "", administrator: String = "", vendor: String = unwrap,
    _ change: (inout OpenRequest) -> Void = { _ in }
  ) throws -> Decision {
    let desktop = try ThrowAwayDesktop()
    try desktop.installScript("viewer", "#!/bin/sh\n")
    try desktop.installDesktopEntry("org.example.Browser", exec: "viewer %u", schemes: ["http", "https"])
    try desktop.installDesktopEntry("org.example.Other", exec: "viewer %u", schemes: ["https", "other"])
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

  private static func link(to url: String) -> String {
    let encoded = url.unicodeScalars.map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        ? String(scalar)
        : String(scalar).utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
          .joined()
    }
    return "https://go.example/to?q=" + encoded.joined()
  }

  private func isDenied(_ decision: Decision) -> Bool {
    if case .refuse(.denied) = decision.verdict { true } else { false }
  }

  private func opened(_ decision: Decision) -> String? {
    if case .deliver = decision.verdict { decision.url.text } else { nil }
  }

  private static func deny(_ pattern: String, isFinal: Bool = false) -> String {
    "[route.no]\nmatch = \"\(pattern)\"\ndeny = \"no\"\n" + (isFinal ? "final = true\n" : "")
  }

  @Test func `opens the URL in the link, and says so`() throws {
    let decision = try decide(Self.link(to: "https://news.example/7?secret=1#x"))
    #expect(opened(decision) == "https://news.example/7?secret=1#x")
    let steps = decision.explanation.map(\.text)
    #expect(
      steps.contains { $0.contains("unwrap") && $0.contains("unwraps it to https://news.example/7?…") },
      "\(steps)")
    // Another route decides about the new URL.
    let other = "[route.o]\nmatch = \"https://news.example/{x...}\"\nopen = \"org.example.Other\"\n"
    guard case .deliver(let target) = try decide(Self.link(to: "https://news.example/7"), user: other).verdict
    else {
      return #expect(Bool(false))
    }
    #expect(target.id.rawValue == "org.example.Other")
  }

  @Test(arguments: ["user", "administrator", "vendor"])
  func `is no way around a denial of the inner URL, in any layer`(layer: String) throws {
    let deny = Self.deny("{:http|https}://bad.example:*/{x...?}")
    func decided(_ url: String) throws -> Decision {
      switch layer {
      case "user": try decide(url, user: deny)
      case "administrator": try decide(url, administrator: deny)
      default: try decide(url, vendor: Self.unwrap + deny)
      }
    }
    for inner in [
      "https://bad.example/", "HTTPS://BAD.example", "http://bad.example:8080/x?y#z", "https://bad.example./",
      "https://ｂａｄ.example/", "https://bad。example/", "https://b\u{AD}ad.example/",
    ] {
      #expect(isDenied(try decided(Self.link(to: inner))), "\(inner)")
      // Wrapped twice.
      #expect(isDenied(try decided(Self.link(to: Self.link(to: inner)))), "\(inner)")
    }
    #expect(opened(try decided(Self.link(to: "https://good.example/"))) == "https://good.example/")
  }

  @Test func `is no way around a denial of the outer URL, in any layer`() throws {
    let url = Self.link(to: "https://news.example/")
    let broad = Self.deny("https://go.example/{x...?}")
    // Of the same layer, although the route that unwraps is narrower.
    #expect(isDenied(try decide(url, vendor: Self.unwrap + broad)))
    #expect(isDenied(try decide(url, user: Self.unwrap + broad, vendor: "")))
    // Of a later layer.
    #expect(isDenied(try decide(url, user: Self.unwrap, administrator: broad, vendor: "")))
    #expect(isDenied(try decide(url, user: Self.unwrap, vendor: broad)))
    #expect(isDenied(try decide(url, administrator: Self.unwrap, vendor: broad)))
    // Of an earlier layer.
    #expect(isDenied(try decide(url, user: broad)))
    #expect(isDenied(try decide(url, administrator: Self.deny("https://go.example/{x...?}", isFinal: true))))
    // A final route that unwraps.
    let final = Self.unwrap + "final = true\n"
    #expect(isDenied(try decide(url, user: broad, administrator: final, vendor: "")))
    #expect(
      isDenied(
        try decide(
          url,
          administrator: final + "wins_over = \"no\"\n"
            + Self.deny("https://go.example/{x...?}", isFinal: true), vendor: "")))
    // Of a wrapper in the middle.
    let middle = "https://middle.example/to?q=https%3A%2F%2Fnews.example%2F"
    let both =
      Self.unwrap + "[route.m]\nmatch = \"https://middle.example/to?q\"\nrewrite = { unwrap = \"q\" }\n"
    #expect(opened(try decide(Self.link(to: middle), vendor: both)) == "https://news.example/")
    #expect(
      isDenied(try decide(Self.link(to: middle), vendor: both + Self.deny("https://middle.example/{x...?}"))))
  }

  @Test func `is no way around a denial by another rewrite of the outer URL`() throws {
    let moved =
      "[route.moved]\nmatch = \"https://go.example/{x...?}\"\nrewrite = \"https://old.example/{x}\"\n"
    let deny = Self.deny("https://old.example/{x...?}")
    #expect(isDenied(try decide(Self.link(to: "https://news.example/"), vendor: Self.unwrap + moved + deny)))
  }

  @Test func `respects what overrides a denial of the outer URL without it`() throws {
    let url = Self.link(to: "https://news.example/")
    let deny = Self.deny("https://go.example/{x...?}")
    let allow = "[route.yes]\nmatch = \"https://go.example/to?q\"\nallow = true\n"
    // The user's `allow` overrides a later denial, as without the route that unwraps.
    #expect(opened(try decide(url, user: allow, administrator: deny)) == "https://news.example/")
    // An exception of the same layer.
    let exception = "[route.yes]\nmatch = \"https://go.example/to?q&ok\"\nallow = true\n"
    #expect(opened(try decide(url + "&ok=1", administrator: exception + deny)) == "https://news.example/")
    #expect(isDenied(try decide(url, administrator: exception + deny)))
    // Consent to the outer URL is none to the inner one.
    #expect(isDenied(try decide(url, user: allow, vendor: Self.unwrap + Self.deny("https://news.example/"))))
  }

  @Test func `asks the questions about the outer URL, and then those about the inner one`() throws {
    let url = Self.link(to: "https://news.example/")
    let ask = "[route.ask]\nmatch = \"https://go.example/{x...?}\"\nask = true\n"
    let later = "[route.later]\nmatch = \"https://news.example/\"\nask = true\n"
    guard case .ask(let question) = try decide(url, user: Self.unwrap, vendor: ask + later).verdict else {
      return #expect(Bool(false))
    }
    #expect(question.url.text.contains("go.example"))
    let first = try decide(url, user: Self.unwrap, vendor: ask + later) {
      $0.answers.given[question.identity] = .yes
    }
    guard case .ask(let inner) = first.verdict else { return #expect(Bool(false), "\(first.verdict)") }
    #expect(inner.url.text == "https://news.example/")
    let both = try decide(url, user: Self.unwrap, vendor: ask + later) { request in
      request.answers.given = [question.identity: .yes, inner.identity: .yes]
    }
    #expect(opened(both) == "https://news.example/")
    let refused = try decide(url, user: Self.unwrap, vendor: ask) {
      $0.answers.given[question.identity] = .no
    }
    guard case .refuse = refused.verdict else { return #expect(Bool(false)) }
    // The words of a caller are the answers in the same order.
    #expect(
      opened(try decide(url, user: Self.unwrap, vendor: ask + later) { $0.answers.reported = "yes yes" })
        == "https://news.example/")
  }

  @Test func `asks once by the broker's own policy, about the URL that is opened`() throws {
    let decision = try decide(Self.link(to: "https://news.example/")) {
      $0.caller.origin = "https://page.example"
    }
    guard case .ask(let question) = decision.verdict else {
      return #expect(Bool(false), "\(decision.verdict)")
    }
    #expect(question.url.text == "https://news.example/")
    let allowed = try decide(Self.link(to: "https://news.example/")) { request in
      request.caller.origin = "https://page.example"
      request.answers.reported = "yes"
    }
    #expect(opened(allowed) == "https://news.example/")
  }

  @Test(arguments: [
    "https://go.example/to?q=", "https://go.example/to?q=/x", "https://go.example/to?q=javascript%3Aalert(1)",
    "https://go.example/to?q=https%3A%2F%2Fx%40bad.example%2F",
    "https://go.example/to?q=https%3A%2F%2Fa.example%2F&q=https%3A%2F%2Fbad.example%2F",
    "https://go.example/to?q=https%253A%252F%252Fbad.example%252F",
    "https://go.example/to?q=file%3A%2F%2F%2Fetc%2Fpasswd",
    "https://go.example/to?q=zoommtg%3A%2F%2Fzoom.us",
  ])
  func `leaves a link alone that it cannot unwrap, and what denies it applies`(url: String) throws {
    let decision = try decide(url)
    #expect(opened(decision) == url)
    #expect(decision.explanation.contains { $0.text.contains("does not unwrap it, because") })
    // A broader denial of the same layer, which the route otherwise precedes.
    #expect(isDenied(try decide(url, vendor: Self.unwrap + Self.deny("https://go.example/{x...?}"))))
    #expect(isDenied(try decide(url, user: Self.unwrap, vendor: Self.deny("https://go.example/{x...?}"))))
    let final = Self.unwrap + "final = true\nwins_over = \"no\"\n"
    #expect(
      isDenied(
        try decide(
          url, administrator: final + Self.deny("https://go.example/{x...?}", isFinal: true), vendor: "")))
  }

  @Test func `unwraps eight links inside one another, and rejects more`() throws {
    var url = "https://news.example/"
    for level in 1...16 {
      url = Self.link(to: url)
      let decision = try decide(url)
      if level <= Int(OpenRequest.maximumHops) {
        #expect(opened(decision) == "https://news.example/", "\(level)")
      } else {
        #expect(decision.verdict == .refuse(.wrappedTooDeeply), "\(level)")
      }
    }
    // Hops that programs have made count.
    #expect(
      try decide(Self.link(to: "https://news.example/")) { $0.hops = 8 }.verdict
        == .refuse(.tooManyHops(hops: 9)))
  }

  @Test func `does not replace the application that the caller names`() throws {
    let other = try #require(ApplicationID("org.example.Other"))
    let url = Self.link(to: "https://news.example/")
    #expect(opened(try decide(url) { $0.target = other }) == url)
  }

  @Test func `is no way around a rule for the outer URL for a caller that names a target`() throws {
    let other = try #require(ApplicationID("org.example.Other"))
    let chat = SourceApplication(try #require(ApplicationID("org.example.Chat")), .sandbox)
    let url = Self.link(to: "https://news.example/")
    let deny = Self.deny("https://go.example/{x...?}")
    let ask = deny.replacing("deny = \"no\"", with: "ask = true")
    for source in [SourceApplication.unknown, chat] {
      func decided(user: String = "", administrator: String = "", vendor: String = "") throws -> Decision {
        try decide(url, user: user, administrator: administrator, vendor: vendor) { request in
          (request.caller.source, request.target) = (source, other)
        }
      }
      for rule in [deny, ask] {
        let decisions = [
          try decided(user: Self.unwrap + rule), try decided(user: Self.unwrap, administrator: rule),
          try decided(user: Self.unwrap, vendor: rule), try decided(administrator: Self.unwrap + rule),
          try decided(administrator: Self.unwrap, vendor: rule), try decided(vendor: Self.unwrap + rule),
        ]
        for (number, decision) in decisions.enumerated() {
          switch decision.verdict {
          case .refuse(.denied): #expect(rule == deny, "\(number)")
          case .ask(let question): #expect(rule == ask && question.reason != .sandbox, "\(number)")
          default: #expect(Bool(false), "\(number) \(decision.verdict)")
          }
        }
      }
      // A final route that unwraps precedes the target, and a denial of the outer URL the route.
      let final = Self.unwrap + "final = true\n"
      #expect(isDenied(try decided(user: deny, administrator: final)))
    }
    let final = try decide(url, administrator: Self.unwrap + "final = true\n") { $0.target = other }
    #expect(opened(final) == "https://news.example/")
  }

  @Test func `keeps the rules for sandboxed callers`() throws {
    let decision = try decide(Self.link(to: "https://news.example/")) { request in
      request.caller.source = SourceApplication(ApplicationID("org.example.Chat") ?? .usherHandler, .sandbox)
    }
    guard case .ask(let question) = decision.verdict else {
      return #expect(Bool(false), "\(decision.verdict)")
    }
    #expect(question.url.text == "https://news.example/" && question.reason == .sandbox)
  }

  /// Tests a layer of which one route names the route that unwraps, while another owner has a route of that name.
  @Test func `takes no wins_over from the routes of others where it does not count`() throws {
    func file(_ owner: String, _ routes: String) -> RouteFileSource {
      RouteFileSource(name: "\(owner).toml", text: "format = 1\nowner = \"\(owner)\"\n" + routes)
    }
    let set = RouteFileSet([
      file(
        "o",
        Self.unwrap
          + "[route.login]\nmatch = \"https://go.example/to?q&login\"\nallow = true\nwins_over = \"unwrap\"\n"
      ),
      file(
        "p",
        """
        [route]
        unwrap = { match = "other:/{x}", allow = true }
        integer = { match = "number:/{n:int}", allow = true }
        natural = { match = "number:/{n:uint}", allow = true, wins_over = "integer" }
        """),
    ])
    #expect(set.diagnostics.isEmpty, "\(set.diagnostics)")
    let table = RouteLayer(owner: .user, table: set.table).table(of: .user, unwraps: false)
    #expect(table.routes.map(\.id).sorted() == ["integer", "login", "natural", "unwrap"])
    #expect(try table.match("number:/7")?.route.id == "natural")
  }
}
