// SPDX-License-Identifier: Apache-2.0
import Foundation
import RouteFiles
import RouteImport
import RouteTables
import TestSupport
import Testing

@Suite struct `An imported Finicky configuration` {
  /// The routes of the rules of `finicky.js`, in their order; `nil` for the rules that are not carried over.
  private static let routes: [String?] = [
    "intranet-example-com-start", "github-com-example-private", "github-com", "meet-google-com", "google-com",
    "atlassian-net", "localhost", "linear-app", "youtube-com-watch", "bank-example", nil, nil,
  ]

  private static let urls = ImportSamples.urls(
    hosts: [
      "intranet.example.com", "github.com", "gist.github.com", "meet.google.com", "zoom.us", "google.com",
      "atlassian.net", "localhost", "dev-7.example.org", "linear.app", "youtube.com", "youtu.be",
      "bank.example",
      "apple.com", "example.net",
    ],
    paths: [
      "/start", "/example-private/", "/example-private/a/b", "/example-privateer", "/j/123", "/watch",
      "/.google.com/",
      "/EXAMPLE-PRIVATE/a",
    ])

  @Test(.computes)
  func `Decides as Finicky's rules do, evaluated in Node, except where the file names a difference`()
    async throws
  {
    let imported = try RouteImport([ImportSamples.file("finicky.js")], format: .finicky)
    let files = ImportSamples.files(imported)
    let rules = try await ImportSamples.node(
      ["\(ImportSamples.directory)/finicky-decisions.mjs", "\(ImportSamples.directory)/finicky.js"],
      input: Self.urls)
    #expect(rules.count == Self.urls.count && Set(rules).count == Self.routes.count)
    let differing = Set(imported.routes.filter { !$0.differences.isEmpty }.map(\.id))
    var counts: (equal: Int, different: Int) = (0, 0)
    for (url, rule) in zip(Self.urls, rules) {
      let found = try files.table.match(url)?.route.id
      let expected = rule < 0 ? "default" : Self.routes[rule] ?? "default"
      if found == expected {
        counts.equal += 1
      } else {
        counts.different += 1
        let isNamed = differing.contains(expected) || found.map(differing.contains) == true
        #expect(isNamed, "\(url): \(found ?? "none"), but the rules say \(expected)")
      }
    }
    // Every tenth URL is one of the named differences: a host inside another name or in a path, or a query in another order.
    #expect(counts.equal > 8 * counts.different, "\(counts)")
  }

  @Test func `Decides about usual links exactly as Finicky`() async throws {
    let imported = try RouteImport([ImportSamples.file("finicky.js")], format: .finicky)
    let files = ImportSamples.files(imported)
    let links = [
      "http://intranet.example.com/start", "https://github.com/example-private/tools/pull/7",
      "https://github.com/apple/swift", "https://gist.github.com/ada/1",
      "https://meet.google.com/abc-defg-hij",
      "https://us02web.zoom.us/j/123?pwd=x", "https://www.google.com/search?q=usher", "https://google.com/",
      "https://team.atlassian.net/browse/A-1", "http://localhost:3000/admin", "https://dev-12.example.org/",
      "https://linear.app/team/issue/1", "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
      "https://youtu.be/dQw4w9WgXcQ",
      "https://www.bank.example/login", "https://example.net/", "https://www.youtube.com/",
    ]
    let rules = try await ImportSamples.node(
      ["\(ImportSamples.directory)/finicky-decisions.mjs", "\(ImportSamples.directory)/finicky.js"],
      input: links)
    for (url, rule) in zip(links, rules) {
      let found = try files.table.match(url)?.route.id
      #expect(found == (rule < 0 ? "default" : Self.routes[rule]), "\(url)")
    }
    #expect(Set(rules) == Set(-1...9))
  }

  @Test func `Names what is not carried over, with its line and the reason`() throws {
    let imported = try RouteImport([ImportSamples.file("finicky.js")], format: .finicky)
    let lines = imported.leftOut.map { "\($0.location.line): \($0.reason)" }
    #expect(
      lines == [
        "9: it is a setting of Finicky itself",
        "66: name the application of Linux that replaces `com.tinyspeck.slackmacgap`: --application com.tinyspeck.slackmacgap=ID",
        "69: `Safari` is not a browser of Linux; name a browser or an application with --browser Safari=…",
      ])
    #expect(!imported.isComplete)
    let other = try RouteImport(
      [ImportSamples.file("finicky.js")], format: .finicky, browsers: ["Safari": "epiphany"])
    #expect(other.leftOut.count == 2 && other.text.contains("open = { browser = \"epiphany\" }"))
    _ = ImportSamples.files(other)
  }

  @Test func `An earlier rule wins over a later one, also where the later one is narrower`() throws {
    let imported = try ImportSamples.imported(
      """
      export default { defaultBrowser: "Firefox", handlers: [
        { match: "*.example.com/docs/*", browser: "Chromium" },
        { match: "www.example.com/*", browser: "Vivaldi" },
        { match: "www.example.com/docs/x/*", browser: "Opera" },
      ]}
      """, .finicky)
    let files = ImportSamples.files(imported)
    #expect(try files.table.match("https://www.example.com/docs/x/y")?.route.id == "example-com-docs")
    #expect(try files.table.match("https://www.example.com/a")?.route.id == "www-example-com")
    #expect(imported.text.contains("wins_over = \"www-example-com\""), "\(imported.text)")
    #expect(imported.leftOut.map(\.reason) == ["earlier rules match all links of its route"])
  }

  @Test func `Rules of version 3 ignore case, and a rule without a path means the front page`() throws {
    let imported = try ImportSamples.imported(
      """
      module.exports = { defaultBrowser: "Firefox", handlers: [
        { match: "example.com/Work*", browser: "Google Chrome" },
        { match: "example.org", browser: { name: "Brave Browser", profile: "Profile 1" } },
      ]};
      """, .finicky)
    let files = ImportSamples.files(imported)
    #expect(try files.table.match("https://example.com/wORK/7")?.route.id == "example-com-work")
    #expect(try files.table.match("http://example.org")?.route.id == "example-org")
    #expect(try files.table.match("http://example.org/x")?.route.id == "default")
    #expect(imported.text.contains("open = { browser = \"brave\", profile = \"Profile 1\" }"))
  }

  @Test func `Finicky's own rules in JSON are read`() throws {
    let imported = try ImportSamples.imported(
      """
      {"defaultBrowser": "Firefox", "defaultProfile": "Home", "rules": [
        {"match": "github.com/*", "browser": "Google Chrome", "profile": "Work"}]}
      """, .finicky)
    #expect(imported.isComplete, "\(imported.text)")
    #expect(imported.text.contains("open = { browser = \"firefox\", profile = \"Home\" }"))
    #expect(imported.text.contains("open = { browser = \"chrome\", profile = \"Work\" }"))
    _ = ImportSamples.files(imported)
  }

  @Test(arguments: [
    ("browser: null", "deny = "),
    ("browser: [\"Firefox\", \"Chromium\"]", "Differs: Finicky chose the first running"),
    (
      "browser: { name: \"Firefox\", openInBackground: true }",
      "Differs: Finicky opened the browser in the background"
    ),
    ("browser: { name: \"Firefox\", args: [\"-x\"] }", "`args` are not carried over"),
    ("browser: (url) => \"Firefox\"", "the browser is a function"),
    ("browser: pick()", "the browser is a call of `pick`"),
    ("browser: other", "the browser is `other`, which is not a constant of the file"),
    (
      "browser: { name: \"Google Chrome\", profile: process.env.P }",
      "the profile is `process.env.P`, which is not a constant of the file"
    ),
    ("browser: { name: \"Firefox\", profile: pick() }", "the profile is a call of `pick`"),
    (
      "browser: \"Google Chrome\", profile: work",
      "the profile is `work`, which is not a constant of the file"
    ),
    ("browser: { name: \"Firefox\", appType: pick() }", "`appType` is a call of `pick`"),
    (
      "browser: { name: \"Firefox\", openInBackground: pick() }",
      "Differs: `openInBackground` of the browser is not carried over"
    ),
    ("browser: { name: \"Firefox\", profile: undefined }", "open = { browser = \"firefox\" }"),
    ("browser: \"Firefox\", url: (url) => url", "the URL that replaces the link is a function"),
  ])
  func `Each form of a browser is carried over or named`(_ rule: String, expected: String) throws {
    let imported = try ImportSamples.imported(
      "export default { handlers: [ { match: \"example.com/*\", \(rule) } ] }", .finicky)
    #expect(imported.text.contains(expected), "\(imported.text)")
    _ = ImportSamples.files(imported)
  }

  @Test func `A default profile and options that are not data are named`() throws {
    let imported = try ImportSamples.imported(
      """
      export default {
        defaultBrowser: "Google Chrome",
        defaultProfile: process.env.P,
        options: shared,
      }
      """, .finicky)
    #expect(imported.routes.isEmpty, "\(imported.text)")
    #expect(
      imported.leftOut.map { "\($0.location.line): \($0.reason)" } == [
        "2: the profile is `process.env.P`, which is not a constant of the file",
        "4: the value is `shared`, which is not a constant of the file",
      ])
  }

  @Test(arguments: [
    ("{ protocol: \"https\" }", "http://old.example/a/b?c=1&d#e", "https://old.example/a/b?c=1&d#e"),
    ("{ protocol: \"https:\" }", "http://old.example/", "https://old.example/"),
    ("{ host: \"new.example\" }", "http://old.example/a?b", "http://new.example/a?b"),
    (
      "{ host: \"new.example\", port: 8080, protocol: \"https\" }", "http://old.example/a",
      "https://new.example:8080/a"
    ),
    (
      "{ protocol: \"https\", pathname: \"/x{y}\", hash: \"\" }", "http://old.example/a?b#c",
      "https://old.example/x{y}?b"
    ),
    ("{ protocol: \"https\", search: \"?z=1\" }", "http://old.example/a?b#c", "https://old.example/a?z=1#c"),
  ])
  func `A rewrite of parts of the URL keeps the others`(_ parts: String, url: String, result: String) throws {
    let imported = try ImportSamples.imported(
      "module.exports = { rewrite: [ { match: \"http://old.example/*\", url: \(parts) } ] }", .finicky)
    #expect(imported.leftOut.isEmpty && imported.routes.count == 1, "\(imported.text)")
    let match = try #require(try ImportSamples.files(imported).table.match(url))
    guard case .rewrite(let template) = match.action else { return #expect(Bool(false), "\(match.action)") }
    #expect(template.filled(by: match, url: url) == result)
    #expect(imported.text.contains("is = \"rewrite\""), "\(imported.text)")
  }

  @Test(arguments: [
    ("{ protocol: \"ftp\" }", "neither http nor https"), ("{ port: 80 }", "it replaces the port"),
    ("{ username: \"ada\" }", "it replaces `username`"),
    ("{ host: name }", "`host` is `name`, which is not a constant"),
    ("{ host: \"a/b\" }", "the host that it names is none"),
  ])
  func `A rewrite of parts that no route replaces is named`(_ parts: String, expected: String) throws {
    let imported = try ImportSamples.imported(
      "module.exports = { rewrite: [ { match: \"http://old.example/*\", url: \(parts) } ] }", .finicky)
    #expect(imported.routes.isEmpty, "\(imported.text)")
    #expect(imported.leftOut.first?.reason.contains(expected) == true, "\(imported.leftOut)")
  }

  /// The evaluation of the rules for the new URL ended the program, because it needs the stack for each character.
  @Test func `A rewrite to a URL that is too long to be checked is not carried over`() throws {
    let url = "https://example.com/" + String(repeating: "a", count: 190_000)
    let imported = try ImportSamples.imported(
      "export default { rewrite: [ { match: /x.*y/, url: \"\(url)\" } ] }", .finicky)
    #expect(imported.routes.isEmpty)
    #expect(imported.leftOut.map(\.reason).contains { $0.contains("too long") }, "\(imported.leftOut)")
  }

  /// Each of them is valid, and ended the program, because a list was replaced by its first element without end.
  @Test(arguments: [
    "const b = [b]; export default { defaultBrowser: b };",
    "const a = [c]; const c = [a]; export default { defaultBrowser: a };",
    "const b = [b]; export default { handlers: [{ match: \"x.example/*\", browser: b }] };",
  ])
  func `A list of browsers that contains itself is named`(_ configuration: String) throws {
    let imported = try ImportSamples.imported(configuration, .finicky)
    #expect(imported.routes.isEmpty, "\(imported.text)")
    #expect(imported.leftOut.map(\.reason) == ["the list of browsers contains itself"], "\(imported.leftOut)")
  }

  @Test func `A rewrite whose result it changes again is not carried over`() throws {
    let imported = try ImportSamples.imported(
      """
      module.exports = { rewrite: [
        { match: "http://a.example/*", url: { host: "b.example" } },
        { match: "http://b.example/*", url: { host: "a.example" } },
      ] }
      """, .finicky)
    #expect(imported.routes.count == 1)
    #expect(
      imported.leftOut.map(\.reason).allSatisfy { $0.contains("would rewrite it again") },
      "\(imported.leftOut)")
    _ = ImportSamples.files(imported)
  }

  @Test(arguments: [
    ("/(?=a)b\\.example\\.com/", "look-around"), ("/\\bexample\\.com/", "word boundaries"),
    ("/(a)\\1\\.example\\.com/", "back-references"), ("/workplace/", "names no host"),
    ("\"example.com\"", "matches no web URL"),
    ("(url) => true", "a function"),
  ])
  func `A condition that no pattern can say is named`(_ match: String, expected: String) throws {
    let imported = try ImportSamples.imported(
      "export default { handlers: [ { match: \(match), browser: \"Firefox\" } ] }", .finicky)
    #expect(imported.routes.isEmpty && imported.leftOut.count == 1)
    #expect(imported.leftOut.first?.reason.contains(expected) == true, "\(imported.leftOut)")
  }

  /// The rule precedes those behind it, which name a host.
  @Test(arguments: ["https://*", "https://*/*"])
  func `A rule for all links of a scheme decides about them, and only about them`(match: String) async throws
  {
    let text = """
      export default { defaultBrowser: "Safari", handlers: [
        { match: "a.example/*", browser: "Firefox" },
        { match: "\(match)", browser: "Google Chrome" },
        { match: "b.example/*", browser: "Firefox" },
      ] }
      """
    let imported = try RouteImport(
      [.init(name: "rules.js", bytes: Array(text.utf8))], format: .finicky, browsers: ["Safari": "epiphany"])
    #expect(imported.isComplete, "\(imported.leftOut) \(imported.routes)")
    let files = ImportSamples.files(imported)
    for (url, id) in [
      ("https://a.example/x", "a-example"), ("https://b.example/x", "all-https"),
      ("https://c.example:8443/x?q=1#top", "all-https"), ("https://127.0.0.1/", "all-https"),
      ("http://a.example/x", "a-example"), ("http://b.example/x", "b-example"),
      ("http://c.example/", "default"),
    ] {
      #expect(try files.table.match(url)?.route.id == id, "\(url)\n\(imported.text)")
    }
  }

  @Test func `A rewrite of all links of a scheme leaves the others to the default browser`() throws {
    let imported = try ImportSamples.imported(
      """
      export default {
        defaultBrowser: "Google Chrome",
        rewrite: [{ match: "http://*", url: { protocol: "https" } }],
      }
      """, .finicky)
    #expect(
      imported.routes.map(\.id) == ["all-http", "default"] && imported.isComplete,
      "\(imported.leftOut) \(imported.text)")
    let table = ImportSamples.files(imported).table
    #expect(try table.match("http://a.example/x")?.route.id == "all-http")
    #expect(try table.match("https://a.example/x")?.route.id == "default")
  }

  @Test func `A rule behind a rewrite of the same links decides about those that it leaves as they are`()
    throws
  {
    let imported = try ImportSamples.imported(
      """
      export default {
        rewrite: [{ match: "a.example/*", url: { protocol: "https" } }],
        handlers: [{ match: "a.example/*", browser: "Firefox" }],
      }
      """, .finicky)
    #expect(
      imported.routes.map(\.id) == ["a-example", "a-example-2"] && imported.isComplete,
      "\(imported.text)")
    _ = ImportSamples.files(imported)
  }

  @Test func `A pattern that an earlier rule includes is left out, and the others of its rule are kept`()
    throws
  {
    let imported = try ImportSamples.imported(
      """
      export default { handlers: [
        { match: "a.example/*", browser: "Firefox" },
        { match: ["a.example/x/*", "b.example/*"], browser: "Google Chrome" },
      ] }
      """, .finicky)
    #expect(imported.isComplete, "\(imported.text)")
    let table = ImportSamples.files(imported).table
    #expect(try table.match("https://a.example/x/y")?.route.id == "a-example")
    #expect(try table.match("https://b.example/x/y")?.route.id == "b-example")
  }

  @Test func `No text of a file ends a comment of the routes`() throws {
    let evil = "\\r\\n[route.evil]\\nmatch = \\\"https://{h...}/\\\"\\nexec = [\\\"sh\\\"]\\n#"
    let imported = try ImportSamples.imported(
      """
      export default { "a\(evil)": 1, handlers: [
        { match: "a.example/*", browser: "Safari\(evil)" },
        { match: "b.example/*", browser: { name: "Firefox", "x\(evil)": 1 } },
        { match: "c.example/*", browser: name\u{2028}, "y\(evil)": 2 },
      ] }
      """, .finicky)
    let files = ImportSamples.files(imported)
    #expect(files.table.routes.map(\.id) == ["b-example"], "\(imported.text)")
    #expect(!imported.text.contains("\r") && imported.text.contains("exec = [\"sh\"]"))
    let texts = imported.leftOut.flatMap { [$0.text, $0.reason] } + imported.routes.flatMap(\.differences)
    #expect(texts.allSatisfy { text in !text.contains(where: \.isNewline) }, "\(texts)")
  }

  /// A few lists that insert each other may have any number of elements.
  @Test(arguments: ["\"x.example/*\"", ""])
  func `A list with too many elements is left out`(element: String) throws {
    let spread = [element].filter { !$0.isEmpty } + (0..<10).map { _ in "...a" }
    let imported = try ImportSamples.imported(
      "const a = [\(spread.joined(separator: ", "))];\n"
        + "export default { handlers: [{ match: a, browser: \"Firefox\" }, { match: \"b.example/*\", browser: \"Firefox\" }] }",
      .finicky)
    #expect(imported.routes.count == 1)
    #expect(imported.leftOut.contains { $0.reason.contains("more than 10000 parts") })
  }

  @Test func `A list of the wrong kind is not too large`() throws {
    let imported = try ImportSamples.imported(
      "export default { handlers: { match: \"a\", browser: \"Firefox\" } }", .finicky)
    #expect(imported.leftOut.map(\.reason) == ["the list is not data that this import knows"])
  }

  @Test func `Of a member that occurs twice the last one counts`() throws {
    let imported = try ImportSamples.imported(
      "const a = { browser: \"Chromium\" };\n"
        + "export default { handlers: [{ match: \"b.example/*\", ...a, browser: \"Firefox\" }] }", .finicky)
    #expect(imported.routes.count == 1 && imported.text.contains("browser = \"firefox\""), "\(imported.text)")
  }

  @Test(arguments: [
    "", "export default", "export default {", "export default { handlers: [ { match: ",
    "export default { a: \"x }",
    "module.exports = 7", "{", "{\"a\"", "[[[", "export default { handlers: [ /x ] }", "export default ((((",
    "\u{FEFF}",
    "export default { x: `${`", "export default { 7: 1 }", String(repeating: "[", count: 5_000),
    "export default " + String(repeating: "[", count: 5_000), "const a = a;\nexport default a",
    "const a = {...a};\nexport default a", "export default {a: b 'c", "export default {a: b = /c",
    "{\"a\":b \"c\"d'e",
  ])
  func `A broken file is an error or has no routes`(_ text: String) {
    do {
      let imported = try ImportSamples.imported(text, .finicky)
      #expect(imported.routes.isEmpty)
    } catch {
      #expect(error is ImportError)
    }
  }
}
