// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The JSON output without a bus; EndToEndTests has the output with a broker.
@Suite struct `Every --json is as its schema says` {
  private static let routes = """
    format = 1
    owner = "user"
    [route.no]
    match = "play:secret"
    deny = "not today"
    [route.which]
    match = "play:which"
    ask = ["player", "gone"]
    remember = "source+scheme"
    [route.whether]
    match = "play:whether"
    ask = true
    [route.run]
    match = "play:run/{n:int}/{yes:bool}?t={t*}"
    exec = ["/bin/true", "{n}"]
    tests.yes = { "play:run/7/true?t=1&t=2" = { n = 8 } }
    [route.again]
    match = "play:again/{x}"
    rewrite = "play:{x}"
    [route.fine]
    match = "play:fine"
    allow = true
    generate = false
    [route.other]
    match = "play:other"
    open = "gone"
    [route.action]
    match = "play:action"
    perform = "player#next"
    [route.one]
    match = "https://a.example/{x...}"
    handler = "one"
    requires_confirmation = true
    [route.two]
    match = "https://{h...}/:admin"
    deny = "no"
    """

  /// Two routes whose relation cannot be decided.
  private static let undecided = """
    format = 1
    owner = "user"
    [route.literal]
    match = "play:x?a%2Bb"
    plus = "literal"
    allow = true
    [route.form]
    match = "play:x?a%2Bb"
    deny = "no"
    """

  private func desktop() throws -> ThrowAwayDesktop {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    _ = try desktop.installPlayer(lines: [
      "Actions=next;", "", "[Desktop Action next]", "Name=Next", "Exec=true",
    ])
    try desktop.installDesktopEntry("gone", exec: "/nowhere/gone %u", schemes: ["gone"])
    try desktop.installDesktopEntry(
      "org.example.Notes", exec: "/bin/true", schemes: ["notes"],
      lines: ["Implements=org.usher.Application1;"])
    try desktop.installRoutes("all", Self.routes)
    return desktop
  }

  /// Runs the command with each line of arguments, and validates all output against one schema.
  private func hold(
    _ lines: [[String]], to schema: String, on desktop: ThrowAwayDesktop
  ) async throws {
    var printed: [String] = []
    for arguments in lines {
      let result = try await Command.run(
        BuiltProducts.usher, arguments + ["--json"], environment: desktop.environment, directory: desktop.home
      )
      #expect(result.lines.count == 1 && result.status != 64, "\(result)")
      printed += result.lines
    }
    #expect(
      try await JSONSchema(schema).diagnostics(about: printed) == [], "\(printed.joined(separator: "\n"))")
  }

  @Test func `usher open and its dry run`() async throws {
    let desktop = try desktop()
    let urls = [
      "play:1", "play:secret", "play:which", "play:whether", "play:run/7/true", "play:again/1", "gone:1",
      "nobody:1", "notes:1", "no url", "", "/nowhere",
    ]
    try await hold(
      urls.map { ["open", $0] } + [
        ["open", "play:1", "play:secret"], ["open", "--fallback", "play:1", "nobody:1"],
      ],
      to: "usher-open", on: desktop)
    try await hold(
      [urls.filter { $0.contains(":") }, ["play:1"]].map { ["open", "--dry-run"] + $0 },
      to: "usher-open-dry-run",
      on: desktop)
  }

  @Test func `usher explain`() async throws {
    let desktop = try desktop()
    try desktop.installRoutes("broken", "format = 1\n")
    let urls = [
      "play:1", "play:secret", "play:which", "play:run/7/true", "play:again/1", "gone:1", "nobody:1",
      "notes:1", "no url",
      "", "https://a.example/x",
    ]
    try await hold(
      urls.map { ["explain", "--skip-comparison", $0] } + [
        ["explain", "play:1"], ["explain", desktop.home],
        ["explain", "--in-app", "--skip-comparison", "notes:1"],
        ["explain", "--skip-comparison", "--source-application", "org.example.Chat", "play:1"],
        ["explain", "--skip-comparison", "--as", "org.example.Chat:sandbox", "play:1"],
        ["explain", "--skip-comparison", "--as", "player:unit", "play:1"],
      ], to: "usher-explain", on: desktop)
  }

  @Test func `usher register, unregister, handlers and doctor`() async throws {
    let desktop = try desktop()
    try await hold(
      [
        ["register", "player", "--scheme", "tune"],
        ["register", "org.example.Notes", "--scheme", "notes", "--scheme", "memo"],
        ["register", "player", "--scheme", "notes", "--direct"], ["register", "nobody", "--scheme", "x"],
        ["register", "player", "--scheme", "javascript"],
      ], to: "usher-register", on: desktop)
    try desktop.installDesktopEntry("second", exec: "/bin/true %u", schemes: ["tune"])
    try await hold([["handlers"]], to: "usher-handlers", on: desktop)
    try await hold([["doctor"]], to: "usher-doctor", on: desktop)
    try await hold(
      [["unregister", "player"], ["unregister", "player"], ["unregister", "--scheme", "memo"]],
      to: "usher-unregister",
      on: desktop)
    let bare = try ThrowAwayDesktop(hasBus: false)
    try await hold([["handlers"]], to: "usher-handlers", on: bare)
    try await hold([["doctor"]], to: "usher-doctor", on: bare)
    try await hold([["unregister", "--web"]], to: "usher-unregister", on: bare)
    try await hold([["register", "--web"]], to: "usher-register", on: bare)
  }

  @Test func `usher web`() async throws {
    let desktop = try desktop()
    try desktop.installScript("firefox", "#!/bin/sh\n")
    try desktop.installScript("chromium", "#!/bin/sh\n")
    for id in ["firefox", "chromium"] {
      try desktop.installDesktopEntry(id, exec: "\(id) %u", schemes: ["http", "https"], in: .system)
    }
    try desktop.setDefaults(["http": ["firefox"], "https": ["firefox"]])
    try desktop.write("[Profile0]\nName=Work\nPath=a.w\n", to: "home/.mozilla/firefox/profiles.ini")
    try desktop.write("x", to: "home/.config/chromium/Local State")
    try await hold([["web", "browsers"]], to: "usher-web-browsers", on: desktop)
    try await hold([["web", "status"]], to: "usher-web-status", on: desktop)
    try await hold([["web", "enable"], ["web", "enable", "nobody"]], to: "usher-web-enable", on: desktop)
    try await hold([["web", "status"]], to: "usher-web-status", on: desktop)
    try await hold(
      ["https://example.org/x", "https://a.example/x", "https://a.example/:admin", "notes:1", "no url"].map {
        ["web", "try", $0]
      }, to: "usher-web-try", on: desktop)
    try await hold([["web", "disable"], ["web", "disable"]], to: "usher-web-disable", on: desktop)
    let bare = try ThrowAwayDesktop(hasBus: false)
    try await hold([["web", "browsers"]], to: "usher-web-browsers", on: bare)
    try await hold([["web", "status"]], to: "usher-web-status", on: bare)
    try await hold([["web", "enable"]], to: "usher-web-enable", on: bare)
  }

  @Test func `usher web catalog`() async throws {
    let desktop = try desktop()
    try await hold([["web", "catalog", "list"]], to: "usher-web-catalog-list", on: desktop)
    try await hold(
      [["zoom"], ["zoom", "youtube-mpv"], ["nobody"]].map { ["web", "catalog", "enable"] + $0 },
      to: "usher-web-catalog-enable", on: desktop)
    try await hold([["web", "catalog", "list"]], to: "usher-web-catalog-list", on: desktop)
    try await hold(
      [["zoom"], ["zoom"], ["nobody"]].map { ["web", "catalog", "disable"] + $0 },
      to: "usher-web-catalog-disable", on: desktop)
  }

  @Test func `usher routes`() async throws {
    let desktop = try desktop()
    let bad = try desktop.write("format = 1\nowner = \"user\"\n[route.x]\nalow = true\n", to: "home/bad.toml")
    let open = try desktop.write(Self.undecided, to: "home/open.toml")
    let files = [[], [bad], [open], ["\(desktop.home)/none.toml"]]
    try await hold(
      files.map { ["routes", "check"] + $0 } + files.map { ["routes", "check", "--strict"] + $0 }
        + [["routes", "check", "--system"]],
      to: "usher-routes-check", on: desktop)
    let locked = try ThrowAwayDesktop(hasBus: false)
    try locked.write("format = 1\nuser_routes = false\ngrants = 1\n", to: "etc/usher/locks.toml")
    try await hold([["routes", "check", "--system"]], to: "usher-routes-check", on: locked)
    try await hold([["doctor"]], to: "usher-doctor", on: locked)
    try await hold(files.map { ["routes", "test"] + $0 }, to: "usher-routes-test", on: desktop)
    let all = try desktop.write(Self.routes, to: "home/all.toml")
    let asking = try desktop.write(
      """
      format = 1
      owner = "user"
      [route.asking]
      match = "play:{x...}"
      rewrite = { drop = ["utm_*"] }
      source = "org.example.Chat"
      """, to: "home/asking.toml")
    try await hold(
      [
        [bad, all], [all, bad], [all, asking], [all, all], [all, "\(desktop.home)/none.toml"], [open, all],
      ].map {
        ["routes", "diff"] + $0
      }, to: "usher-routes-diff", on: desktop)
    let urls = [
      "play:secret", "play:which", "play:whether", "play:run/-7/true?t=1&t=2", "play:again/a", "play:fine",
      "play:other",
      "play:action", "https://a.example/x", "nobody:1", "play:\u{1}", "no url",
    ]
    try await hold(urls.map { ["routes", "match", $0] }, to: "usher-routes-match", on: desktop)
    try await hold(
      (urls + ["play:secre", "play:/which", "PLAY:run/x/true", "https://a.example/x?y"]).map {
        ["routes", "explain", $0]
      }, to: "usher-routes-explain", on: desktop)
    let calls = [
      ["action"], ["nobody"], ["run"], ["run", "n=-7", "yes=true", "t=a", "t=b"], ["again", "x=a"],
      ["action", "x=1"], ["fine"],
    ]
    try await hold(calls.map { ["routes", "generate"] + $0 }, to: "usher-routes-generate", on: desktop)
    let links = try desktop.write(
      "# links\n" + urls.joined(separator: "\n") + "\nplay:fine?token=x", to: "home/links.txt")
    try await hold(
      (files.map { $0 + [links] } + [["none.txt"]]).map { ["routes", "coverage"] + $0 },
      to: "usher-routes-coverage",
      on: desktop)
    let rules = try desktop.write(
      "export default { defaultBrowser: 'Safari', handlers: [{ match: /linear\\.app/, browser: 'Firefox' }] }",
      to: "home/rules.js")
    try await hold(
      [
        [rules], [rules, "--output", "\(desktop.home)/rules.toml"],
        // The file exists now.
        [rules, "--output", "\(desktop.home)/rules.toml"], ["none.js"], [links],
      ].map {
        ["routes", "import", "finicky"] + $0
      }, to: "usher-routes-import", on: desktop)
  }

  @Test func `What the broker alone knows`() async throws {
    let desktop = try desktop()
    for (words, schema) in [
      (["history"], "usher-history"), (["monitor"], "usher-monitor"),
      (["grants", "list"], "usher-grants-list"),
      (["grants", "allow", "--scheme", "x"], "usher-grants-allow"),
      (["grants", "revoke", "--all"], "usher-grants-revoke"),
      (["notify", "org.example.Notes", "--title", "Milk"], "usher-notify-add"),
      (["notify", "list", "org.example.Notes"], "usher-notify-list"),
      (["notify", "cancel", "org.example.Notes", "--all"], "usher-notify-cancel"),
      (["notify", "settings", "org.example.Notes"], "usher-notify-settings"),
      (["push", "register", "org.example.Notes"], "usher-push-register"),
      (["push", "list"], "usher-push-list"),
      (["push", "unregister", "org.example.Notes"], "usher-push-unregister"),
      (["download", "org.example.Notes", "https://example.org/a"], "usher-download-add"),
      (["download", "list"], "usher-download-list"),
      (["download", "cancel", "org.example.Notes", "a"], "usher-download-cancel"),
      (["download", "pause", "org.example.Notes", "a"], "usher-download-pause"),
      (["download", "resume", "org.example.Notes", "a"], "usher-download-resume"),
      (["region", "add", "org.example.Notes", "--significant-changes"], "usher-region-add"),
      (["region", "list"], "usher-region-list"),
      (["remote", "list"], "usher-remote-list"),
      (["remote", "unregister", "com.example.tool"], "usher-remote-unregister"),
      (["region", "remove", "org.example.Notes", "--all"], "usher-region-remove"),
      (["bluetooth", "add", "org.example.Notes", "a", "--service", "180d"], "usher-bluetooth-add"),
      (["bluetooth", "list"], "usher-bluetooth-list"),
      (["bluetooth", "remove", "org.example.Notes", "--all"], "usher-bluetooth-remove"),
      (["bluetooth", "publish", "org.example.Notes", "a", "180f"], "usher-bluetooth-publish"),
      (["bluetooth", "update", "org.example.Notes", "a", "2a19", "4b"], "usher-bluetooth-update"),
      (["bluetooth", "services"], "usher-bluetooth-services"),
      (["bluetooth", "unpublish", "org.example.Notes", "--all"], "usher-bluetooth-unpublish"),
    ] { try await hold([words], to: schema, on: desktop) }
  }

  @Test func `The machines without a session`() async throws {
    let desktop = try desktop()
    let (failure, result) = try await desktop.usherJSON(
      "remote", "list", extra: ["XDG_RUNTIME_DIR": "/nowhere"])
    #expect(result.status == 1 && result.errorOutput.isEmpty, "\(result)")
    #expect(failure["error"] == "cannot-run" && failure["message"] != nil, "\(failure)")
    #expect(try await JSONSchema("usher-remote-list").diagnostics(about: result.lines) == [])
  }

  /// A new key must be added to a schema.
  @Test func `Schemas say all that may be there`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: JSONSchema.directory)
    for name in names where name.hasPrefix("usher-") {
      let text = try Data(contentsOf: URL(filePath: "\(JSONSchema.directory)/\(name)"))
      let open = openObjects(in: try JSONSerialization.jsonObject(with: text), at: name)
      #expect(open == [], "\(name)")
    }
  }

  /// A program that finds no `error` takes the result for a success.
  @Test func `Schemas have error beside message`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: JSONSchema.directory)
    for name in names where name.hasPrefix("usher-") {
      let text = try Data(contentsOf: URL(filePath: "\(JSONSchema.directory)/\(name)"))
      let schema = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
      let keys = (schema["properties"] as? [String: Any] ?? [:]).keys
      #expect(!keys.contains("message") || keys.contains("error"), "\(name)")
    }
  }

  private func openObjects(in schema: Any, at place: String) -> [String] {
    if let list = schema as? [Any] { return list.flatMap { openObjects(in: $0, at: place) } }
    guard let object = schema as? [String: Any] else { return [] }
    let isOpen = object["type"] as? String == "object" && object["additionalProperties"] == nil
    return (isOpen ? [place] : []) + object.flatMap { openObjects(in: $0.value, at: "\(place)/\($0.key)") }
  }
}
