// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Warnings of `usher routes check` about valid policies that are probably not what the administrator means.
@Suite struct `A check of a policy` {
  private let desktop: ThrowAwayDesktop

  init() throws { desktop = try ThrowAwayDesktop(hasBus: false) }

  /// Checks routes, and returns the lines of the output with the position of each instead of the file.
  private func check(_ routes: String) async throws -> (lines: [String], status: Int32?) {
    let path = "\(desktop.home)/policy.toml"
    try ("format = 1\nowner = \"administrator\"\n" + routes).write(
      toFile: path, atomically: true, encoding: .utf8)
    let result = try await desktop.usher("routes", "check", path)
    return (result.lines.map { $0.replacing(path + ":", with: "") }, result.status)
  }

  @Test(arguments: [
    (#"match = "tel:{n}""#, "tel", "tel:`"), (#"match = "TEL:{n...}""#, "tel", "tel:/"),
    (#"match = ["tel:{n}", "sip:{n}"]"#, "sip", "sip:`"),
    (#"match = "https://{host...}/{path...?}""#, "https", "https://"),
  ])
  func `warns about a denial that misses URLs of its scheme`(match: String, scheme: String, url: String)
    async throws
  {
    for action in [#"deny = "no""#, "ask = true"] {
      let (lines, status) = try await check("[route.a]\n\(match)\n\(action)\n")
      #expect(status == 2)
      let line = try #require(lines.first { $0.contains("`\(scheme)`") }, "\(lines)")
      #expect(line.hasPrefix("4:"), "\(line)")
      #expect(line.contains("for example not `\(url)"), "\(line)")
      #expect(line.contains("write `scheme = \"\(scheme)\"` in place of `match`"), "\(line)")
    }
  }

  @Test(arguments: [
    "scheme = \"tel\"\ndeny = \"no\"", "match = \"tel:{n:uint}\"\ndeny = \"no\"",
    "match = \"tel:{n}\"\nallow = true", "match = \"https://*:*/{path...?}\"\ndeny = \"no\"",
    "match = \"tel:{n}\"\ndeny = \"no\"\ntests.no = [\"tel:/112\"]",
    "match = \"tel:{n}\"\ndeny = \"no\"\n[route.b]\nscheme = \"tel\"\ndeny = \"no\"",
    "match = \"https://{host...}/{path...?}\"\nask = [\"org.example.One\"]",
  ])
  func `does not warn about a whole scheme, or about a part that is meant`(routes: String) async throws {
    let (lines, status) = try await check("[route.a]\n\(routes)\n")
    #expect(lines.isEmpty && status == 0, "\(lines)")
  }

  @Test(arguments: [
    ("https://h.example", "https://h.example/"),
    ("{:http|https}://*.h.example:*", "{:http|https}://*.h.example:*/"),
    ("http://{host...}", "http://{host...}/"),
  ])
  func `warns about a pattern that ends with the host, and so matches only the start page`(
    pattern: String, written: String
  ) async throws {
    let (lines, status) = try await check(
      "[route.a]\nmatch = \"\(pattern)\"\nopen = \"org.example.One\"\n")
    #expect(status == 2 && lines.count == 1, "\(lines)")
    #expect(lines.first?.hasPrefix("4:") == true, "\(lines)")
    #expect(lines.first?.contains("write `\(written){path...?}` for the whole site") == true, "\(lines)")
  }

  @Test(arguments: ["https://h.example/", "https://h.example?q", "https://h.example#top", "app://notes"])
  func `does not warn about a start page, or about a host of another scheme`(pattern: String) async throws {
    let (lines, status) = try await check(
      "[route.a]\nmatch = \"\(pattern)\"\nopen = \"org.example.One\"\n")
    #expect(lines.isEmpty && status == 0, "\(lines)")
  }

  @Test func `warns about a route that opens links with Usher itself`() async throws {
    for action in [
      "open = \"org.usher.Handler\"", "ask = [\"org.example.One\", \"org.usher.Handler.desktop\"]",
    ] {
      let (lines, status) = try await check("[route.a]\nmatch = \"app:{x}\"\n\(action)\n")
      #expect(status == 2 && lines.count == 1, "\(lines)")
      #expect(lines.first?.contains("the route `a` names `org.usher.Handler`") == true, "\(lines)")
    }
  }

  @Test func `warns about a route for a scheme that is never opened, unless it denies`() async throws {
    let (lines, status) = try await check(
      """
      [route.code]
      scheme = "javascript"
      allow = true
      [route.source]
      match = ["view-source:{u}", "file:///srv/{x}", "app:{x}"]
      exec = ["show", "--", "{@url}"]
      [route.none]
      scheme = "data"
      deny = "no"
      """)
    #expect(status == 2 && lines.count == 2, "\(lines)")
    #expect(
      lines.first?.hasPrefix("3:8: warning: the route `code` has no effect on `javascript:` links") == true)
    #expect(lines.last?.contains("`view-source:` links, which are never opened, because its links") == true)
  }

  @Test func `warns about a final permission for a source that any program can claim to be`() async throws {
    func route(_ source: String, _ rest: String = "final = true") -> String {
      "[route.a]\nmatch = \"app:/{x}\"\nallow = true\nsource = \(source)\n\(rest)\n"
    }
    let application = "application = \"org.example.Chat\""
    let (lines, status) = try await check(route("\"org.example.Chat\""))
    #expect(status == 2 && lines.count == 1, "\(lines)")
    #expect(lines.first?.contains("add `assurance = \">= unit\"`") == true, "\(lines)")
    for silent in [
      route("{ \(application), assurance = \">= unit\" }"),
      route("{ \(application), assurance = \">= claimed\" }"),
      route("\"org.example.Chat\"", ""), route("{ sandboxed = true }"),
    ] {
      let (lines, status) = try await check(silent)
      #expect(lines.isEmpty && status == 0, "\(lines)")
    }
  }

  @Test func `warns about two rewrites of one URL until one has wins_over`() async throws {
    let rewrites = """
      [route.one]
      match = "https://a.example/{x...}"
      rewrite = "https://b.example/{x}"
      [route.two]
      match = "https://{h...}/wiki"
      rewrite = "https://wiki.example/{h}"
      """
    let (lines, status) = try await check(rewrites)
    #expect(status == 2 && lines.count == 1, "\(lines)")
    #expect(lines.first?.contains("for example `https://a.example/wiki`") == true, "\(lines)")
    let intended = try await check(
      rewrites.replacing("[route.two]", with: "wins_over = \"two\"\n[route.two]"))
    #expect(intended.lines.isEmpty && intended.status == 0, "\(intended)")
  }

  /// Routes that clean links are applied one after the other.
  @Test(arguments: [
    (#"unwrap = "q", first = true"#, #"drop = ["utm_*"], first = true"#, false),
    (#"drop = ["session"], first = true"#, #"drop = ["utm_*"], first = true"#, false),
    // The second removes what the first needs.
    (#"unwrap = "q", first = true"#, #"drop = ["utm_*", "q"], first = true"#, true),
    (#"drop = ["session"], first = true"#, #"drop = ["q*"], first = true"#, true),
    // One of two URLs is opened.
    (#"unwrap = "q", first = true"#, #"unwrap = "utm_source", first = true"#, true),
    // The first keeps the links as they are.
    (#"drop = [], first = true"#, #"drop = ["utm_*"], first = true"#, true),
    // Another route may decide between them.
    (#"unwrap = "q""#, #"drop = ["utm_*"]"#, true),
  ])
  func `warns about routes that clean a link only if their order matters`(
    _ one: String, _ other: String, isReported: Bool
  ) async throws {
    let (lines, status) = try await check(
      """
      [route.one]
      match = "https://a.example/to?q"
      rewrite = { \(one) }
      [route.other]
      match = "https://{h...}/{x...?}?utm_source"
      rewrite = { \(other) }
      """)
    #expect(lines.count == (isReported ? 1 : 0) && status == (isReported ? 2 : 0), "\(lines)")
  }

  @Test func `is silent for overlaps that a wins_over declares as intended, also one of a denial`()
    async throws
  {
    let policy = """
      [route.no-wiki-from-sandboxes]
      match = "https://{host...}:*/wiki/{path...?}"
      source = { sandboxed = true }
      deny = "no"
      final = true
      [route.our-pages]
      match = "https://*.corp.example/{path...?}"
      source = { application = "com.example.corp.*", assurance = ">= unit" }
      allow = true
      final = true
      """
    let (lines, status) = try await check(policy)
    #expect(status == 2 && lines.count == 1, "\(lines)")
    #expect(lines.first?.contains("the first wins because it denies") == true, "\(lines)")
    let intended = try await check(
      policy.replacing("deny = \"no\"", with: "deny = \"no\"\nwins_over = \"our-pages\""))
    #expect(intended.lines.isEmpty && intended.status == 0, "\(intended)")
  }

  @Test func `is silent for a final denial that covers all URLs of another route for some callers`()
    async throws
  {
    let policy = """
      [route.sandboxes]
      scheme = ["https", "tel"]
      source = { sandboxed = true }
      deny = "no"
      final = true
      [route.phone]
      match = "tel:{n}"
      source = { application = "org.example.Chat", assurance = ">= unit" }
      allow = true
      final = true
      tests.no = ["tel:/1"]
      [route.pages]
      match = "https://*.corp.example/{path...?}"
      open = "org.example.Browser"
      final = true
      """
    let (lines, status) = try await check(policy)
    #expect(lines.isEmpty && status == 0, "\(lines)")
    let (overlap, _) = try await check(
      policy.replacing("scheme = [\"https\", \"tel\"]", with: "match = \"https://{h...}:*/a/{path...?}\""))
    #expect(overlap.contains { $0.contains("the first wins because it denies") }, "\(overlap)")
  }
}
