// SPDX-License-Identifier: Apache-2.0
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

/// Tests of links whose host programs read differently: GLib, Python and browsers disagree about `\` and `;`.
@Suite(.computes) struct `A link with an uncertain host` {
  private static let support = """
    [route.no-support]
    scheme = "app"
    deny = "no"
    final = true
    [route.helpdesk]
    match = "app://helpdesk.example/{ticket}"
    allow = true
    final = true
    wins_over = "no-support"
    """

  /// Links that some programs read as links to `good.example`, and others as links to another host, or to none.
  static func links(_ good: String) -> [String] {
    [
      "app://\(good)\\x.evil.example", "app://\(good)\\x.evil.example/7", "app://\(good)\\.evil.example/7",
      "app://\(good)\\7", "app://\(good)\\046evil.example/7", "app://\(good)\\@evil.example/7",
      "app://evil.example\\@\(good)/7", "app://u@\(good)\\x.evil.example/7", "app:\\\\\(good)\\7",
      "app://\(good):80\\x/7", "app://\(good)\\%5Cx/7", "app://\(good);.evil.example/7", "app://\(good);\\7",
      "app://u@\(good);x/7", "app://\(good);:80/7",
    ]
  }

  @Test(arguments: links("helpdesk.example"))
  func `is not allowed by an exception for one of its hosts`(url: String) throws {
    let rules = try WorkplaceRules(administrator: Self.support)
    #expect(rules.outcome("app://helpdesk.example/7") == .opened)
    let outcome = rules.outcome(url)
    #expect(outcome == .denied || outcome == .unreadable, "\(outcome)")
  }

  @Test(arguments: links("bad.example"))
  func `is not opened if one of its hosts is denied`(url: String) throws {
    let rules = try WorkplaceRules(
      administrator: "[route.bad]\nmatch = \"app://bad.example:*/{p...?}\"\ndeny = \"no\"\nfinal = true\n",
      user: "[route.mine]\nscheme = \"app\"\nopen = \"org.example.Viewer\"\n")
    let outcome = rules.outcome(url)
    #expect(outcome == .denied || outcome == .unreadable, "\(outcome)")
  }

  /// glibc's resolver reads `\.` and `\068` in a host as characters of the name.
  @Test(arguments: ["app://b\\097d.example/", "app://bad\\.example/", "app://\\bad.example/"])
  func `that a resolver unescapes is not opened if a host is denied`(url: String) throws {
    let rules = try WorkplaceRules(
      administrator: "[route.bad]\nmatch = \"app://bad.example/{p...?}\"\ndeny = \"no\"\nfinal = true\n")
    let outcome = rules.outcome(url)
    #expect(outcome == .denied || outcome == .unreadable, "\(outcome)")
    #expect(try WorkplaceRules().outcome(url) == .opened, "without rules, it is the application's matter")
  }

  @Test(arguments: links("good.example"))
  func `is neither asked about nor opened by a stored answer`(url: String) throws {
    let ask =
      "[route.ask]\nmatch = \"app://good.example:*/{p...?}\"\nask = true\nremember = \"host\"\n"
    let rules = try WorkplaceRules(user: ask)
    let yes = Grant(WorkplaceRules.scope(of: "ask", host: "good.example"), .yes, assurance: .unknown)
    #expect(rules.outcome("app://good.example/7", grants: [yes]) == .opened)
    #expect(rules.outcome(url, grants: [yes]) == .unreadable)
    let all = try WorkplaceRules(user: "[route.ask]\nscheme = \"app\"\nask = true\nremember = \"scheme\"\n")
    #expect(all.outcome("app://good.example/7") == .asked)
    #expect(all.outcome(url) == .unreadable, "the user would see one of the hosts")
  }

  @Test(arguments: links("good.example"))
  func `is not opened or rewritten by a route for one of its hosts`(url: String) throws {
    for action in ["rewrite = \"notes:{p}\"", "open = \"org.example.Viewer\""] {
      let route = "[route.ours]\nmatch = \"app://good.example:*/{p...?}\"\n\(action)\n"
      let final = try WorkplaceRules(administrator: route + "final = true\n").outcome(url)
      // A route without a user matches no URL with one, so that it may decide nothing.
      #expect(final == .unreadable || final == .opened && url.contains("@"), "\(final)")
      // The route has no effect, so that the user's denial decides.
      let rules = try WorkplaceRules(
        administrator: "[route.none]\nscheme = \"app\"\ndeny = \"no\"\n", user: route)
      #expect(rules.outcome("app://good.example/7") == .opened)
      #expect(rules.outcome(url) == .denied)
    }
  }

  @Test(arguments: links("good.example"))
  func `is not asked about for a sandboxed caller`(url: String) throws {
    let rules = try WorkplaceRules()
    #expect(rules.outcome("app://good.example/7", from: .unseen) == .asked)
    #expect(rules.outcome(url, from: .unseen) == .unreadable)
  }

  @Test(arguments: links("good.example") + ["app:C:\\Users\\x", "app://good.example/a\\b"])
  func `is opened by a route for the whole scheme, and without routes`(url: String) throws {
    #expect(try WorkplaceRules().outcome(url) == .opened)
    let user = "[route.mine]\nscheme = \"app\"\nopen = \"org.example.Viewer\"\n"
    let rules = try WorkplaceRules(
      administrator: "[route.none]\nscheme = \"app\"\ndeny = \"no\"\n", user: user)
    #expect(rules.outcome(url) == .opened)
  }

  @Test(arguments: [
    "http://127.0.0.1;/", "http://127.0.0.1;x.example/", "http://192.0.2.7;/", "http://printer.lan;/",
    "http://bad.example;/", "https://bad.example;#f", "https://bad.example;$evil.example/",
    "http://bad.example.;", "https://bad.example%e3%80%82;x.example/", "http://b%41d.example;./7",
    "https://u@bad.example;x/", "http://0x7f.1;/", "webcal://bad.example;/x", "webcal://bad.example;80\\7",
    "webcal://ｂａｄ.example;x/",
  ])
  func `before a semicolon is denied as GLib reads it`(url: String) throws {
    let rules = try WorkplaceRules(
      administrator: """
        [route.local]
        match = "{:http|https}://{host:local-network}:*/{p...?}"
        deny = "no"
        final = true
        [route.servers]
        match = "{:http|https}://{host:cidr(192.0.2.0/24)}:*/{p...?}"
        deny = "no"
        final = true
        [route.bad]
        match = "{:http|https|webcal}://bad.example:*/{p...?}"
        deny = "no"
        final = true
        """)
    let outcome = rules.outcome(url)
    #expect(outcome == .denied || outcome == .unreadable, "\(outcome)")
    for url in ["https://good.example;x/", "https://good.example/a;b", "webcal://good.example;x/"] {
      #expect(rules.outcome(url) == .opened, "\(url)")
    }
  }

  @Test(arguments: [
    "webcal://ｃal.example/view/1", "webcal://cal。example/view/1", "webcal:\\\\cal.example/view/1",
    "webcal://cal.example;x/view/1",
  ])
  func `is denied or asked about behind a narrower route that does not apply to it`(url: String) throws {
    for (view, final) in [
      ("open = \"org.example.Viewer\"\n", ""), ("allow = true\n", ""),
      ("allow = true\nwins_over = \"cal\"\nfinal = true\n", "final = true\n"),
    ] {
      let viewer = "[route.viewer]\nmatch = \"webcal://cal.example/view/{x}\"\n" + view
      let cal = "[route.cal]\nmatch = \"webcal://cal.example/{p...?}\"\n"
      let denying = try WorkplaceRules(administrator: cal + "deny = \"no\"\n" + final + viewer)
      #expect(denying.outcome("webcal://cal.example/view/1") == .opened)
      #expect(denying.outcome("webcal://cal.example/x") == .denied)
      #expect([.denied, .unreadable].contains(denying.outcome(url)), "\(view)")
      let asking = try WorkplaceRules(administrator: cal + "ask = true\n" + final + viewer)
      #expect(asking.outcome("webcal://cal.example/view/1") == .opened)
      #expect([.asked, .unreadable].contains(asking.outcome(url)), "\(view)")
    }
  }

  @Test func `is denied behind a route for the host before a semicolon`() throws {
    let rules = try WorkplaceRules(
      administrator: """
        [route.no-corp]
        match = "https://*.corp.example/{p...?}"
        deny = "no"
        [route.wiki]
        match = "https://wiki.corp.example/{p...?}"
        open = "org.example.Viewer"
        """)
    #expect(rules.outcome("https://wiki.corp.example/p") == .opened)
    for url in [
      "https://a.corp.example/p", "https://wiki.corp.example;x/p", "https://wiki.corp.example%3Bx/p",
    ] {
      #expect(rules.outcome(url) == .denied, "\(url)")
    }
  }

  @Test func `is denied if two routes open it, each in one reading`() throws {
    let rules = try WorkplaceRules(
      user: """
        [route.no]
        scheme = "app"
        deny = "no"
        [route.seven]
        match = "app://{host...}/7"
        open = "org.example.Viewer"
        [route.good]
        match = "app://good.example/7"
        open = "org.example.Viewer"
        """)
    for url in ["app://good.example/7", "app://other.example/7", "app://ｇood.example/7"] {
      #expect(rules.outcome(url) == .opened, "\(url)")
    }
    for url in ["app://good.example;x/7", "app://other.example;x/7", "app://good.example/8"] {
      #expect(rules.outcome(url) == .denied, "\(url)")
    }
  }
}
