// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

/// Tests of links whose path or query no route can read: only rules that could apply to their scheme, host and caller reject them.
@Suite(.computes) struct `A link that cannot be read` {
  /// Private networks, as in `docs/policy.md`.
  private static let networks = """
    [route.no-private-network]
    match  = "{:http|https|ws|wss|ftp}://{host:local-network}:*/{path...?}"
    deny   = "no"
    final  = true
    [route.no-servers]
    match = "{:http|https}://{host:cidr(192.0.2.0/24)}:*/{path...?}"
    deny  = "no"
    final = true
    [route.no-site]
    match = "https://*.bad.example/{path...?}"
    deny  = "no"
    final = true
    [route.no-typed]
    match = "https://{name:/b.*/}.typed.example/{path...?}"
    deny  = "no"
    final = true
    """

  private static let tails = ["%E9", "?q=100%", "a%zz", "?x=\(String(repeating: "a", count: 70_000))"]

  @Test(arguments: tails)
  func `is opened if every rule excludes its host`(tail: String) throws {
    let rules = try WorkplaceRules(administrator: Self.networks)
    for host in [
      "https://example.org/", "http://192.0.3.1/", "https://u@example.org:8443/", "http://[2001:db8::1]/",
      "https://bad.example/", "https://bad.example.org/", "https://a.typed.example/",
    ] {
      #expect(rules.outcome(host + tail) == .opened, "\(host)")
    }
  }

  @Test(arguments: tails)
  func `is denied if a rule covers its host, and the reason names the route and the file`(tail: String) throws
  {
    let rules = try WorkplaceRules(administrator: Self.networks)
    for (host, route) in [
      ("https://localhost/", "no-private-network"), ("http://u@10.1.2.3:80/", "no-private-network"),
      ("ftp://printer/", "no-private-network"), ("http://printer.lan./", "no-private-network"),
      ("http://[::1]/", "no-private-network"), ("http://192.0.2.7/", "no-servers"),
      ("http://[::ffff:c000:207]/", "no-servers"), ("https://a.b.bad.example/", "no-site"),
      ("https://b1.typed.example/", "no-typed"),
    ] {
      guard case .refuse(.denied(let reason))? = rules.verdict(host + tail) else {
        Issue.record("\(host) is not denied")
        continue
      }
      #expect(reason.contains("“\(route)” (administrator.toml:"), "\(reason)")
    }
  }

  @Test func `is rejected only for the callers of the rule`() throws {
    let rules = try WorkplaceRules(
      administrator:
        "[route.boxed]\nscheme = \"notes\"\nsource = { sandboxed = true }\ndeny = \"no\"\nfinal = true\n")
    #expect(rules.outcome("notes:caf%E9") == .opened)
    #expect(rules.outcome("notes:caf%E9", from: .unseen) == .denied)
    #expect(rules.outcome("notes://📓/") == .opened)
    #expect(rules.outcome("notes://a\\b/") == .opened)
  }

  @Test(arguments: tails)
  func `is allowed by a route for its whole scheme, if no other route could decide`(tail: String) throws {
    func outcome(_ routes: String, _ host: String = "https://build.example/") throws -> WorkplaceRules.Outcome
    {
      let machine = try #require(RemoteMachine("build.example.org"))
      return try WorkplaceRules(user: routes).outcome(host + tail, from: .remote(machine))
    }
    let allow = """
      [route.build]
      scheme = ["https", "notes"]
      source = { remote = "build.example.org" }
      allow = true

      """
    #expect(try outcome("") == .asked)
    #expect(try outcome(allow) == .opened)
    #expect(try outcome(allow, "notes:") == .opened)
    #expect(try outcome(allow, "http://build.example/") == .asked)
    #expect(try outcome(allow.replacing("build.example.org", with: "other.example.org")) == .asked)
    // A pattern names the path that cannot be read.
    let path = "[route.path]\nmatch = \"https://build.example/a/{x...}\"\n"
    #expect(try outcome(path + "allow = true\n") == .asked)
    #expect(try outcome(allow + path + "allow = true\n") == .opened)
    for action in ["open = \"org.example.Viewer\"", "rewrite = \"notes:{x}\""] {
      #expect(try outcome(allow + path + action + "\n") == .asked, "\(action)")
      #expect(try outcome(allow + path + action + "\n", "https://other.example/") == .opened, "\(action)")
    }
    #expect(try outcome(allow + path + "deny = \"no\"\n") == .denied)
    // Another layer still denies.
    let rules = try WorkplaceRules(administrator: Self.networks, user: allow)
    let machine = try #require(RemoteMachine("build.example.org"))
    #expect(rules.outcome("https://localhost/" + tail, from: .remote(machine)) == .denied)
  }

  @Test func `of a file is rejected in each spelling of its host`() throws {
    let rules = try WorkplaceRules(
      administrator: "[route.etc]\nmatch = \"file:///etc/{p...?}\"\ndeny = \"no\"\nfinal = true\n")
    for url in ["file:///etc/%zz", "file://localhost/etc/%zz", "file:///etc/%E9"] {
      #expect(rules.outcome(url) == .denied, "\(url)")
    }
  }

  /// Tests links whose hosts take too long to map, which is done on the event loop.
  @Test func `has no host that is too long, in any spelling`() throws {
    let deny = "[route.no]\nmatch = \"webcal://cal.example/{p...?}\"\ndeny = \"no\"\n"
    let rules = try WorkplaceRules(administrator: Self.networks + "\n" + deny)
    for label in ["a", "é", "%C3%A9"] {
      let host = Array(repeating: label, count: RouteLimits.labels - 1).joined(separator: ".")
      for scheme in ["https", "webcal", "notes"] {
        #expect(rules.outcome("\(scheme)://\(host).example/") == .opened, "\(scheme) \(label)")
        #expect(rules.outcome("\(scheme)://\(host).example./") == .opened, "\(scheme) \(label)")
        #expect(rules.outcome("\(scheme)://a.\(host).example/") == .unreadable, "\(scheme) \(label)")
      }
    }
    #expect(rules.outcome("https://\(String(repeating: "é.", count: 349_000))x/") == .unreadable)
    // Soft hyphens, which a mapping removes.
    let hyphens = String(repeating: "\u{AD}", count: 2_048)
    #expect(rules.outcome("https://bad\(hyphens).example/") == .unreadable)
    #expect(rules.outcome("webcal://cal\(hyphens).example/") == .unreadable)
    #expect(rules.outcome("notes://cal\(hyphens).example/") == .opened)
  }
}
