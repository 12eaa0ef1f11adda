// SPDX-License-Identifier: Apache-2.0
import RouteFiles
import RouteImport
import RouteTables
import TestSupport
import Testing

/// Conditions of Finicky on the application that contains the link.
@Suite struct `A Finicky rule for applications` {
  private static let chat = """
    const chats = ["com.example.one", "com.example.two"];
    const name = "com.example.one";
    export default { defaultBrowser: "Firefox", handlers: [
      { match: "wiki.corp.example/*", browser: "Vivaldi" },
      { match: MATCH, browser: "Chromium" },
      { match: ["bank.example/*", "news.example/x/*"], browser: "Opera" },
      { match: "*.corp.example/*", browser: "Brave Browser" },
    ] }
    """
  private static let urls = [
    "https://wiki.corp.example/x/y", "https://bank.example/", "https://a.corp.example/",
    "https://example.org/",
  ]
  private static let ids = ["com.example.one": ["org.example.One"], "com.example.two": ["org.example.Two"]]

  @Test(arguments: [
    ("(_url, { opener }) => opener?.bundleId === \"com.example.one\"", ["com.example.one"]),
    ("(url, options) => options.opener && 'com.example.one' == options.opener.bundleId", ["com.example.one"]),
    (
      "(url, { opener }) => { return chats.includes(opener?.bundleId); }",
      ["com.example.one", "com.example.two"]
    ),
    (
      "function (url, { opener }) { return !!opener && [\"com.example.one\", \"com.example.two\"].includes(opener.bundleId) }",
      ["com.example.one", "com.example.two"]
    ),
    (
      "(url: URL, { opener }) => opener?.bundleId === name || opener?.bundleId === \"com.example.two\" || false",
      ["com.example.one", "com.example.two"]
    ),
    ("(u, { opener }) => Boolean(opener && (opener.bundleId === name))", ["com.example.one"]),
    ("({ opener: { bundleId } }) => !!bundleId && bundleId === name", ["com.example.one"]),
    (
      "(u, { opener }) => chats.includes(opener?.bundleId ?? \"\")", ["com.example.one", "com.example.two"]
    ),
    ("(url) => url.opener?.bundleId === name", ["com.example.one"]),
  ])
  func `becomes a condition on the source, in the order of the rules`(_ match: String, applications: [String])
    async throws
  {
    let text = Self.chat.replacing("MATCH", with: match)
    let imported = try ImportSamples.imported(text, .finicky, applications: Self.ids)
    let files = ImportSamples.files(imported)
    let routes = ["wiki-corp-example", "from-one", "bank-example", "corp-example"]
    let program = text.replacing("url: URL", with: "url")
    for application in [nil, "com.example.one", "com.example.two", "com.example.other"] {
      let rules = try await ImportSamples.finicky(program, Self.urls, from: application)
      let source = application.map { Self.ids[$0]?[0] ?? $0 } ?? ""
      for (url, rule) in zip(Self.urls, rules) {
        let found = try files.table.match(url, when: ["source": source])?.route.id
        #expect(found == (rule < 0 ? "default" : routes[rule]), "\(url) \(source)\n\(imported.text)")
      }
      #expect(rules.contains(1) == applications.contains(application ?? ""))
    }
    #expect(imported.text.contains("source = \"org.example.One\", is = \"open\", by = \"from-one\""))
  }

  @Test(arguments: [
    "(url, { opener }) => opener?.name.includes(\"Chat\")", "(url, { opener }) => opener.path === \"/x\"",
    "(url, { opener }) => opener?.bundleId !== \"com.example.one\"",
    "(url, { opener }) => opener?.bundleId === \"com.example.one\" && url.host === \"a\"",
    "(url, { opener }) => { log(opener); return opener?.bundleId === \"com.example.one\" }",
    // Conditions that are not what they resemble.
    "(url, { opener }) => !!opener.bundleId === \"com.example.one\"",
    "(url, { opener }) => name.includes(opener.bundleId)",
    "(opener, options) => opener.bundleId === \"com.example.one\"",
    "(url, { opener, name }) => opener.bundleId === name",
    "(url, { opener: app }) => app.bundleId === \"com.example.one\" && opener",
    "async (url, { opener }) => opener.bundleId === \"com.example.one\"",
    "(url, { opener }) => opener.bundleId === \"com.example.one\"" + String(repeating: " ", count: 5_000)
      + "&& url.host === \"a\"",
  ])
  func `that computes more becomes a comment in its position`(_ match: String) throws {
    let imported = try ImportSamples.imported(
      Self.chat.replacing("MATCH", with: match), .finicky, applications: Self.ids)
    _ = ImportSamples.files(imported)
    #expect(imported.leftOut.map(\.reason).contains { $0.contains("complete the route in the comment") })
    #expect(imported.text.contains("# [route.from-applications]"), "\(imported.text)")
  }

  @Test func `without the application here is a comment with the missing option and the order`() throws {
    let text = Self.chat.replacing(
      "MATCH", with: "(u, { opener }) => opener?.bundleId === \"com.example.one\"")
    let imported = try ImportSamples.imported(text, .finicky)
    #expect(imported.leftOut.map(\.reason).contains { $0.contains("--application com.example.one=ID") })
    #expect(!imported.isComplete && imported.routes.count == 4)
    let lines = imported.text.split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex(of: "# [route.from-one]"))
    #expect(
      lines[start...].contains("# wins_over = [\"bank-example\", \"corp-example\"]"), "\(imported.text)")
    #expect(lines[..<start].last?.contains("add \"from-one\" to `wins_over` of wiki-corp-example") == true)
    _ = ImportSamples.files(imported)
  }

  @Test func `for an application can name several here, and the note names the limit`() throws {
    let text = Self.chat.replacing(
      "MATCH", with: "(u, { opener }) => opener?.bundleId === \"com.example.one\"")
    let imported = try ImportSamples.imported(
      text, .finicky, applications: ["com.example.one": ["org.example.One", "one"]])
    #expect(imported.leftOut.isEmpty, "\(imported.leftOut)")
    let table = ImportSamples.files(imported).table
    for source in ["org.example.One", "one"] {
      #expect(try table.match("https://example.org:8080/", when: ["source": source])?.route.id == "from-one")
    }
    #expect(imported.routes[1].advice.contains { $0.contains("desktop portal") })
  }

  @Test func `with a line break in the name of the application adds no route`() throws {
    let text = """
      const name = "a\\r\\n[route.evil]\\nscheme = 'x'\\ndeny = 'x'\\n# \\u2028";
      export default { handlers: [ { match: (u, { opener }) => opener.name === name, browser: "Firefox:private\\n[x]" } ] }
      """
    let imported = try ImportSamples.imported(text, .finicky)
    #expect(ImportSamples.files(imported).table.routes.isEmpty, "\(imported.text)")
    #expect(imported.leftOut.count == 1 && imported.text.contains("[route.evil]"), "\(imported.text)")
  }

  @Test func `whose text only mentions an opener is a function like any other`() throws {
    let imported = try ImportSamples.imported(
      Self.chat.replacing("MATCH", with: "(url) => url.host === \"opener.example\""), .finicky)
    #expect(imported.leftOut.map(\.reason) == ["the condition is a function, and this import runs no code"])
    #expect(!imported.text.contains("from-applications"))
  }

  @Test func `whose name has a quote before a combining mark is quoted in the advice`() throws {
    let imported = try ImportSamples.imported(
      "export default { handlers: [{ match: ({ opener }) => opener.name === \"a'\u{301}; id\", browser: \"Firefox\" }] }",
      .finicky)
    let quoted = Array(#"--application 'a'\''\#u{301}; id=ID'"#.utf8)
    #expect(Array(imported.text.utf8).firstRange(of: quoted) != nil, "\(imported.text)")
  }
}
