// SPDX-License-Identifier: Apache-2.0
import RouteFiles
import RouteImport
import RouteTables
import TestSupport
import Testing

/// Conditions of Finicky on the URL, compared with those of routes.
@Suite struct `A Finicky rule for hosts` {
  @Test func `compares the host, addresses included`() async throws {
    let text = """
      export default { handlers: [
        { match: finicky.matchHostnames(["localhost", "127.0.0.1", "[::1]", /\\.test$/]), browser: "Chromium" },
        { match: "http://192.0.2.7/*", browser: "Vivaldi" },
        { match: finicky.matchHostnames([/^[a-z]+$/]), browser: "Opera" },
      ] }
      """
    let imported = try ImportSamples.imported(text, .finicky)
    let files = ImportSamples.files(imported)
    let urls = [
      "http://localhost:3000/x", "http://127.0.0.1:8080/", "https://127.0.0.1/a?b#c", "http://[::1]:80/",
      "https://a.shop.test:8443/", "http://127.0.0.2/", "http://[::2]/", "https://testing.example/",
      "http://192.0.2.7/a", "http://192.0.2.7:81/a", "https://192.0.2.7/a", "http://intranet/",
      "http://intranet.example/",
    ]
    let routes = ["localhost", "192-0-2-7", "links"]
    for (url, rule) in zip(urls, try await ImportSamples.finicky(text, urls)) {
      let found = try files.table.match(url)?.route.id
      #expect(found == (rule < 0 ? nil : routes[rule]), "\(url): \(found ?? "none")\n\(imported.text)")
    }
    #expect(imported.isComplete, "\(imported.text)")
  }

  /// A class has no range in JavaScript, so that the hyphen beside it is a member.
  @Test(arguments: [#"[\w-_]"#, #"[_-\w]"#, #"[\d-a]"#, #"[a-\d]"#])
  func `reads a class beside a hyphen as JavaScript does`(_ set: String) async throws {
    let text =
      #"export default { handlers: [ { match: /^https:\/\/\#(set)+\.example\.com\//, browser: "Firefox" } ] }"#
    let imported = try ImportSamples.imported(text, .finicky)
    let table = ImportSamples.files(imported).table
    let urls = ["team", "b", "7", "a-1", "x.a"].map { "https://\($0).example.com/x" }
    let rules = try await ImportSamples.finicky(text, urls)
    for (url, rule) in zip(urls, rules) {
      let isMatched = try table.match(url) != nil
      #expect(isMatched == (rule >= 0), "\(url)\n\(imported.text)")
    }
    #expect(Set(rules) == [-1, 0] && imported.isComplete, "\(imported.text)")
  }

  @Test(arguments: [
    ("[\"github.com/corp\", \"github.com/corp/*\"]", "`github.com/corp`: it matches no web URL"),
    ("finicky.matchHostnames([\"a.example\", \"localhost:3000\"])", "`localhost:3000`: it matches no host"),
    ("finicky.matchHostnames([\"a.example\", \"Localhost\"])", "`Localhost`: it matches no host"),
    ("[\"a.example/*\", /workplace/]", "`/workplace/`: it names no host"),
  ])
  func `is left out in part, and the part is named`(_ match: String, expected: String) throws {
    let imported = try ImportSamples.imported(
      "export default { handlers: [ { match: \(match), browser: \"Firefox\" } ] }", .finicky)
    #expect(imported.routes.count == 1, "\(imported.text)")
    #expect(imported.leftOut.map(\.reason).contains { $0.contains(expected) }, "\(imported.leftOut)")
    _ = ImportSamples.files(imported)
  }

  @Test func `shows a difference by a query instead of an empty fragment`() throws {
    let imported = try ImportSamples.imported(
      "export default { rewrite: [ { match: \"http://wiki.corp.example/Main\", url: \"https://docs.corp.example/\" } ] }",
      .finicky)
    #expect(
      imported.routes.first?.differences == [
        "The route also matches `http://wiki.corp.example/Main?q=1`; the rule does not."
      ])
  }

  @Test(arguments: [
    "\"*\"", "\"http*\"", "/^https?:/", "/.*/", "\"*://*\"",
  ])
  func `for all hosts also matches other ports and addresses`(_ match: String) async throws {
    let text = "export default { handlers: [ { match: \(match), browser: \"Firefox\" } ] }"
    let imported = try ImportSamples.imported(text, .finicky)
    let table = ImportSamples.files(imported).table
    let urls = [
      "http://example.org:8080/", "https://example.org/a?b#c", "http://127.0.0.1:3000/", "https://[::1]/",
      "http://localhost/",
    ]
    for (url, rule) in zip(urls, try await ImportSamples.finicky(text, urls)) {
      let isMatched = try table.match(url) != nil
      #expect(isMatched == (rule >= 0), "\(match) \(url)\n\(imported.text)")
    }
    #expect(imported.isComplete, "\(imported.text)")
  }
}
