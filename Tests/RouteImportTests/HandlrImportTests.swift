// SPDX-License-Identifier: Apache-2.0
import Foundation
import RouteFiles
import RouteImport
import RouteTables
import TestSupport
import Testing

@Suite struct `Imported handlers of handlr-regex` {
  private struct Question: Encodable {
    let lists: [[String]]
    let urls: [String]
  }

  /// The expressions of `handlr.toml` for which there are routes, and the routes.
  private static let rules: [(route: String, expressions: [String])] = [
    ("youtube-com", [#"(https://)?(www\.)?youtu(be\.com|\.be)/*."#]),
    ("vimeo-com", [#"^https?://(www\.)?vimeo\.com/[0-9]+"#, #"^https://v\.redd\.it/"#]),
    ("arxiv-org-pdf", [#"^https://arxiv\.org/pdf/[^/]+$"#, #"(?i)^https://papers\.example\.org/Library/"#]),
  ]

  @Test(.computes) func `Decide as a regex engine does, except where the file names a difference`()
    async throws
  {
    let imported = try RouteImport([ImportSamples.file("handlr.toml")], format: .handlr)
    let files = ImportSamples.files(imported)
    let urls = ImportSamples.urls(
      hosts: [
        "youtube.com", "youtu.be", "vimeo.com", "v.redd.it", "arxiv.org", "papers.example.org",
        "lite.cnn.com",
      ],
      paths: ["/watch", "/123", "/123/x", "/pdf/1", "/pdf/1/2", "/library/x", "/Library/", "/123abc/d"])
    let found = try await ImportSamples.node(
      ["\(ImportSamples.directory)/expression-decisions.mjs"],
      input: Question(lists: Self.rules.map(\.expressions), urls: urls))
    let differing = Set(imported.routes.filter { !$0.differences.isEmpty }.map(\.id))
    var equal = 0
    for (url, rule) in zip(urls, found) {
      let expected = rule < 0 ? nil : Self.rules[rule].route
      let route = try files.table.match(url)?.route.id
      if route == expected {
        equal += 1
      } else {
        let isNamed = [expected, route].compactMap(\.self).contains(where: differing.contains)
        #expect(isNamed, "\(url): \(route ?? "none"), but the expressions say \(expected ?? "none")")
      }
    }
    #expect(equal > urls.count / 2 && Set(found).count == 4)
    for url in ["https://www.youtube.com/watch?v=x", "https://youtu.be/x"] {
      #expect(try files.table.match(url)?.route.id == "youtube-com")
    }
  }

  @Test func `A handler of web links and of all links of a scheme becomes two routes`() throws {
    let imported = try ImportSamples.imported(
      """
      [[handlers]]
      exec = "mpv %u"
      regexes = ['^steam:', '^https://v\\.example/']
      """, .handlr)
    #expect(
      imported.routes.map(\.id) == ["steam", "v-example"] && imported.isComplete,
      "\(imported.leftOut) \(imported.text)")
    let table = ImportSamples.files(imported).table
    #expect(try table.match("https://v.example/x")?.route.id == "v-example")
    for url in ["steam://run/5", "steam:x", "steam:/x", "steam://ada@run/5"] {
      #expect(try table.match(url)?.route.id == "steam", "\(url)")
    }
  }

  @Test func `A scheme beside an alternative for it has a route of its own`() throws {
    let imported = try ImportSamples.imported(
      "[[handlers]]\nexec = \"x %u\"\nregexes = ['^zoommtg:.*', '^(https?|zoommtg):']", .handlr)
    #expect(imported.routes.map(\.id).first == "zoommtg" && imported.routes.count == 2, "\(imported.text)")
    #expect(imported.leftOut.isEmpty, "\(imported.leftOut)")
    let table = ImportSamples.files(imported).table
    for url in ["zoommtg:x", "zoommtg://zoom.us/join"] {
      #expect(try table.match(url)?.route.id == "zoommtg", "\(url)")
    }
    #expect(try table.match("https://h.example/")?.route.id == imported.routes.last?.id)
  }

  @Test func `Commands become lists of arguments without a shell`() throws {
    let imported = try RouteImport([ImportSamples.file("handlr.toml")], format: .handlr)
    #expect(
      imported.text.contains(#"exec = ["mpv", "--fs", "--title=a video", "--", "{@url}"]"#),
      "\(imported.text)")
    #expect(imported.text.contains("[route.steam]\nscheme = \"steam\"\nexec = [\"steam\", \"{@url}\"]"))
  }

  /// A terminal interprets U+009B, and U+202E reverses the text behind it.
  @Test func `Characters that change the display are escaped, and the arguments are the same`() throws {
    let imported = try ImportSamples.imported(
      """
      [[handlers]]
      exec = "mpv \\u009b31m \\u202eoediv %u"
      regexes = ['^https://h\\.example/']
      [[handlers]]
      exec = "mpv \\u009b31m \\u202eoediv %u"
      regexes = ['(?=x)\u{202E}']
      """, .handlr)
    #expect(imported.leftOut.count == 1)
    #expect(imported.text.contains(#""\u009b31m", "\u202eoediv""#), "\(imported.text)")
    let texts = [imported.text] + imported.leftOut.flatMap { [$0.text, $0.reason] }
    #expect(!texts.joined().unicodeScalars.contains { $0 == "\u{9B}" || $0 == "\u{202E}" })
    let match = try #require(try ImportSamples.files(imported).table.match("https://h.example/"))
    guard case .exec(let arguments) = match.action else { return #expect(Bool(false), "\(match.action)") }
    #expect(arguments.map(\.text).prefix(3) == ["mpv", "\u{9B}31m", "\u{202E}oediv"])
  }

  @Test(arguments: [
    (#"'^(https?|zoommtg)://([a-z]+\.)?zoom\.us/.*'"#, "zoommtg://zoom.us/"),
    (#"'^(mailto|https)://h\.example/'"#, "mailto://h.example/"),
    (#"'^(https?|slack):'"#, "slack:"),
    (#"'^(https?://)?h\.example/'"#, nil),
  ])
  func `An alternative for another scheme is a difference`(_ expressions: String, example: String?) throws {
    let imported = try ImportSamples.imported(
      "[[handlers]]\nexec = \"x %u\"\nregexes = [\(expressions)]", .handlr)
    _ = ImportSamples.files(imported)
    #expect(imported.routes.count == 1 && imported.leftOut.isEmpty, "\(imported.text)")
    let differences = example.map { ["The rule also matches `\($0)`; the route does not."] } ?? []
    #expect(imported.routes.flatMap(\.differences) == differences, "\(imported.text)")
  }

  @Test func `An expression for a scheme alone becomes no route for its links`() throws {
    let imported = try ImportSamples.imported(
      "[[handlers]]\nexec = \"steam\"\nregexes = ['^steam:$']", .handlr)
    #expect(imported.routes.isEmpty && imported.leftOut.count == 1, "\(imported.text)")
    let all = try ImportSamples.imported(
      "[[handlers]]\nexec = \"steam\"\nregexes = ['^steam:.*$']", .handlr)
    #expect(all.isComplete && all.text.contains("scheme = \"steam\""), "\(all.text)")
  }

  @Test func `What cannot be carried over is named`() throws {
    let imported = try RouteImport([ImportSamples.file("handlr.toml")], format: .handlr)
    let reasons = imported.leftOut.map { "\($0.location.line): \($0.reason)" }
    #expect(reasons.count == 3, "\(reasons)")
    #expect(reasons[0] == "2: it is a setting of handlr itself")
    #expect(
      reasons[1].hasPrefix("17: `terminal = true`") && reasons[2].hasPrefix("22: a part of its conditions"))
  }

  @Test(arguments: [
    "x", "[[handlers]]", "handlers = 7", "handlers = [7]", "[[handlers]]\nexec = \"'\"\nregexes = [\"a\"]",
    "[[handlers]]\nexec = \"sh -c 'echo %u'\"\nregexes = ['^https://h\\.example/']",
    "[[handlers]]\nexec = \"x\"\nregexes = ['(', '[', '{', '*', '(?<', '\\\\']",
  ])
  func `A broken file or a handler that no route can be is an error or is named`(_ text: String) {
    do {
      let imported = try ImportSamples.imported(text, .handlr)
      #expect(imported.routes.isEmpty && !imported.leftOut.isEmpty, "\(imported.text)")
      _ = ImportSamples.files(imported)
    } catch {
      #expect(error is ImportError)
    }
  }
}

@Suite struct `Imported defaults of mimeapps.list` {
  @Test func `Open what gio names as the default`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let schemes = ["mailto", "tel", "zoommtg"]
    for id in ["org.example.Mail", "org.example.Phone", "Zoom"] {
      try desktop.installDesktopEntry(id, exec: "/bin/true %u", schemes: schemes)
    }
    let list = """
      [Default Applications]
      x-scheme-handler/mailto=org.example.Mail.desktop
      x-scheme-handler/tel=org.example.Phone.desktop;Zoom.desktop;
      x-scheme-handler/zoommtg=Zoom.desktop
      application/pdf=org.example.Mail.desktop
      x-scheme-handler/terminal=foot.desktop

      [Added Associations]
      x-scheme-handler/mailto=Zoom.desktop;
      """
    try desktop.write(list + "\n", to: "config/mimeapps.list")
    let path = try #require(desktop.environment["XDG_CONFIG_HOME"]) + "/mimeapps.list"
    try Data(list.utf8).write(to: URL(filePath: path))
    let imported = try ImportSamples.imported(list, .mimeapps)
    let files = ImportSamples.files(imported)
    for scheme in schemes {
      let gio = try await Command.run(
        "gio", ["mime", "x-scheme-handler/\(scheme)"], environment: desktop.environment)
      let match = try #require(try files.table.match("\(scheme):x"))
      guard case .open(let application) = match.route.action else {
        Issue.record("\(match.route.action)")
        continue
      }
      #expect(gio.lines.first?.hasSuffix("\(application).desktop") == true, "\(gio) \(application)")
    }
    #expect(imported.leftOut.map(\.location.line) == [5, 6, 9])
    #expect(imported.routes.flatMap(\.differences).count == 1)
  }

  @Test func `Name the application behind Usher where it is registered`() throws {
    let imported = try ImportSamples.imported(
      """
      [Default Applications]
      x-scheme-handler/notes=org.usher.Handler.desktop;org.example.Notes.desktop;org.example.Former.desktop;
      x-scheme-handler/memo=org.usher.Handler.desktop;
      """, .mimeapps)
    let files = ImportSamples.files(imported)
    let match = try #require(try files.table.match("notes:7"))
    #expect(match.route.action == .open(application: "org.example.Notes"))
    #expect(!imported.text.contains("open = \"org.usher.Handler\""))
    #expect(imported.leftOut.map(\.location.line) == [3])
  }

  @Test func `Removed associations change no default`() throws {
    let imported = try ImportSamples.imported(
      """
      [Default Applications]
      x-scheme-handler/tel=org.example.Phone.desktop;
      [Removed Associations]
      x-scheme-handler/tel=Zoom.desktop;
      """, .mimeapps)
    #expect(imported.routes.count == 1 && imported.isComplete, "\(imported.leftOut)")
  }

  @Test func `The first of several files decides`() throws {
    let imported = try RouteImport(
      ["a", "b"].map { name in
        .init(name: name, bytes: Array("[Default Applications]\nx-scheme-handler/tel=\(name).desktop\n".utf8))
      }, format: .mimeapps)
    #expect(imported.routes.count == 1 && imported.text.contains("open = \"a\""))
    #expect(imported.leftOut.map(\.reason) == ["an earlier file names `tel`"])
  }
}
