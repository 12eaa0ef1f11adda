// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Error messages for invalid arguments, stored completely in `Golden/errors` for review.
@Suite struct `Usage errors of the command` {
  private static let broken = """
    format = 1
    owner = "user"
    [route.no]
    match = "play:secret"
    deny = "not for you"
    """

  private func desktop() throws -> ThrowAwayDesktop {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    _ = try desktop.installPlayer()
    try desktop.installDesktopEntry("gone", exec: "/nowhere/gone %u", schemes: ["gone"])
    try desktop.installDesktopEntry(
      "org.example.Notes", exec: "/bin/true", schemes: ["notes"],
      lines: ["Implements=org.usher.Application1;"])
    try desktop.setDefaults(["play": ["player"], "gone": ["gone"], "notes": ["org.example.Notes"]])
    try desktop.installRoutes("no", Self.broken)
    try desktop.write("x", to: "home/there.txt")
    try desktop.write(
      "format = 1\nowner = \"user\"\n", to: "home/.local/share/usher/routes/web-catalog-teams.toml")
    return desktop
  }

  /// Returns the complete output and the exit status of each call.
  private func transcript(_ calls: [[String]]) async throws -> String {
    let desktop = try desktop()
    var text = ""
    for words in calls {
      let result = try await Command.run(
        BuiltProducts.usher, words, environment: desktop.environment, directory: desktop.home)
      #expect(result.output.isEmpty && result.status != 0, "\(result)")
      let reported = result.errorOutput.replacing(desktop.root, with: "/tmp")
      let shown = words.map { $0.isEmpty || $0.contains(/[^A-Za-z0-9:\/._=+-]/) ? "'\($0)'" : $0 }
      text += "$ usher \(shown.joined(separator: " "))\n\(reported)[\(result.status ?? -1)]\n\n"
    }
    return text
  }

  @Test func `Errors for arguments that are not URLs, or that no application opens`() async throws {
    let words = [
      "", " ", "nonsense", "a b", ":x", "1x:y", "//example.org/page", "notes//note/7", "notes: x", " notes:x",
      "notes:x\n",
      "https:\\\\example.org\\page", "C:\\notes.txt", "example.org/page", "www.example.org",
      "localhost:8080/page",
      "ada@example.org", "htps://example.org", "plya:1", "foo:bar", "notes.txt", "item/3", "./missing.txt",
      "/nowhere/x", "there.txt",
      "play:%00", "play:a\u{7}b", String(repeating: "x", count: 300),
      "play:" + String(repeating: "x", count: 1 << 20),
    ]
    // The longest exceeds the limit of an argument; only its length is tested.
    try Golden.check(try await transcript(words.dropLast().map { ["open", $0] }), "errors/open.txt")
  }

  @Test func `Errors of the commands for web links`() async throws {
    let calls = [
      ["web", "enable"], ["web", "enable", "nobody"], ["web", "enable", "a/b"], ["web", "enable", "a", "b"],
      ["web", "disable", "player"], ["web", "status", "x"], ["web", "try"], ["web", "try", "notes:1"],
      ["web", "try", "example.org"], ["web", "try", "--sandboxed", "https://example.org/"],
      ["web", "browser"], ["web", "enable", "player", "--json", "--rest-portal"],
      ["web", "disable", "--reset-portal"], ["web", "browsers", "firefox"],
      ["web", "try", "--as", "player:certain", "https://example.org/"],
      ["web", "catalogue"], ["web", "catalog", "lst"], ["web", "catalog", "list", "zoom"],
      ["web", "catalog", "enable"], ["web", "catalog", "enable", "spotfy"],
      ["web", "catalog", "enable", "zoom", "https://zoom.us/", "../zoom"],
      ["web", "catalog", "enable", "teams"],
      ["web", "catalog", "disable"], ["web", "catalog", "disable", "nothing-like-it"],
      ["web", "catalog", "disable", "teams"],
    ]
    try Golden.check(try await transcript(calls), "errors/web.txt")
  }

  @Test func `Errors for rejected and unstartable links`() async throws {
    let calls = [
      ["open", "play:secret"], ["open", "gone:1"], ["open", "notes:1"], ["open", "play:secret", "gone:1"],
      ["open", "--app", "org.example.Missing", "play:1"], ["open", "--app", "notes", "notes:1"],
      ["open", "notes:My", "first", "note"],
      ["open", "--reason", "activate", "--app", "org.example.Missing"],
      ["open", "--action", "next", "--app", "player"],
    ]
    try Golden.check(try await transcript(calls), "errors/refused.txt")
  }

  @Test func `Invalid calls`() async throws {
    let calls = [
      ["opne", "notes:1"], ["notes://note/7"], ["routes", "chek"], ["grants", "lst"], ["explian", "x:1"],
      ["nonsense"], ["remove", "notes"],
      ["open"], ["open", "--app", "org.example.Notes"], ["open", "--anotation", "1", "x:1"],
      ["open", "--wait"],
      ["open", "--wait", "soon", "x:1"], ["open", "--timeout", "0", "x:1"], ["open", "--app", "../x", "x:1"],
      ["open", "--annotation", "{\"a\": 1,}", "x:1"], ["open", "--annotation", "hello", "x:1"],
      ["open", "--annotation", "{\"a\":\n 1,}", "x:1"], ["open", "--payload", "[null]", "x:1"],
      ["open", "--progress", "x:1"], ["open", "--dry-run"], ["open", "--reason", "activate"],
      ["explain"], ["explain", ""], ["handlers", "notes"], ["register", "org.example.Notes"],
      ["register", "org.example.Notes", "notes"],
      ["register", "player", "org.example.Notes", "--scheme", "notes"],
      ["register", "--scheme", "notes"], ["register", "player", "--scheme", "not a scheme"],
      ["register", "player", "--scheme", "javascript"], ["register", "org.example.Missing", "--scheme", "x"],
      ["register", "org.example.Note", "--scheme", "x"],
      ["register", "--name", "x", "--scheme", "x"], ["unregister"], ["routes", "match"],
      ["routes", "match", "nonsense"], ["routes", "explain"], ["routes", "generate"],
      ["routes", "coverage"], ["routes", "diff"], ["routes", "import"], ["routes", "import", "finicky"],
      ["routes", "import", "toml", "x"], ["routes", "import", "finicky", "x", "--browser", "Safari"],
      ["routes", "import", "finicky", "x", "--application", "=slack"],
      ["routes", "import", "handlr", "none.toml"],
      ["routes", "match", "nobody:1"], ["grants", "allow"], ["grants", "revoke"],
      ["remote", "unregister"], ["remote", "unregister", "com.example.tool", "build.example.org"],
      ["remote", "connect", "-o", "Port=22\nUser=ada", "build.example.org"],
      ["grants", "allow", "--scheme", "x", "--days", "1", "--forever"],
      ["grants", "allow", "--source", "*", "--scheme", "x"],
      ["register", "player", "--sheme", "notes"], ["listen", "org.example.Lines", "handle-links"],
      ["test-application", "org.example.Lines", "no-url"],
      ["history", "--limit", "0"], ["history"], ["monitor"], ["grants", "list"],
      ["monitor", "--watch"], ["monitor", "--watch", "--json"],
      ["report", ""], ["report", "--since", "yesteryear"], ["report", "there.txt"],
      ["report", "/nowhere/report.html"], ["report", "--urls", "none.txt"],
      ["report", "--routes", "none.toml"],
      ["push", "register"], ["push", "list", "org.example.Notes"], ["push", "unregister"],
      ["download", "org.example.Notes"], ["download", "org.example.Notes", "ftp://example.org/a"],
      ["download", "org.example.Notes", "https://a:b@example.org/a"],
      ["download", "org.example.Notes", "https://example.org/a", "--replace"],
      ["download", "org.example.Notes", "https://example.org/a", "--sha256", "12"],
      ["download", "org.example.Notes", "https://example.org/a", "--max-size", "0"],
      ["download", "org.example.Notes", "https://example.org/a", "--header", "Bearer secret"],
      ["download", "org.example.Notes", "https://example.org/a", "--header", "Range: bytes=1-"],
      ["download", "org.example.Notes", "https://example.org/a", "--header", "A: b", "--header", "a: c"],
      ["download", "org.example.Notes", "https://example.org/a", "--header", "@missing/header"],
      ["download", "cancel", "org.example.Notes"],
      ["region", "add", "org.example.Notes"], ["region", "remove", "org.example.Notes"],
      ["region", "add", "org.example.Notes", "home", "--at", "91,0", "--radius", "100"],
      ["region", "add", "org.example.Notes", "home", "--at", "-33.8,151.2", "--radius", "0"],
      ["region", "add", "org.example.Notes", "home", "--significant-changes"],
      ["bluetooth", "add", "org.example.Notes", "headset"], ["bluetooth", "remove", "org.example.Notes"],
      ["bluetooth", "add", "org.example.Notes", "headset", "--device", "00:1A:7D:DA:71"],
      ["bluetooth", "add", "org.example.Notes", "belt", "--service", "heart-rate"],
      ["bluetooth", "publish", "org.example.Notes", "lamp"],
      ["bluetooth", "publish", "org.example.Notes", "lamp", "lamp"],
      ["bluetooth", "publish", "org.example.Notes", "lamp", "1800"],
      ["bluetooth", "publish", "org.example.Notes", "lamp", "180f", "2a19"],
      ["bluetooth", "publish", "org.example.Notes", "lamp", "180f", "2a19:fly"],
      ["bluetooth", "publish", "org.example.Notes", "lamp", "180f", "2a19:read=4"],
      ["bluetooth", "publish", "org.example.Notes", "lamp", "180f", "--local-name", "Lamp"],
      ["bluetooth", "update", "org.example.Notes", "lamp", "2a19", "+4"],
      ["bluetooth", "unpublish", "org.example.Notes"],
    ]
    try Golden.check(try await transcript(calls), "errors/calls.txt")
  }

  @Test func `Invalid notifications: the error names the option`() async throws {
    let calls = [
      [], ["--title", ""], ["--title", "x", "--request", "{}", "--at", "18:00"], ["--request", "{"],
      ["--request", "{\"identifier\": \"a\"}"], ["--title", "x", "--every", "day"],
      ["--title", "x", "--every", "monday", "--in", "1h"],
      ["--title", "x", "--every", "1h", "--at", "18:00"],
      ["--title", "x", "--every", "5s"], ["--title", "x", "--at", "25:00"], ["--title", "x", "--at", "6pm"],
      ["--title", "x", "--at", "1969-12-31T00:00:00Z"], ["--title", "x", "--calendar", "month=13"],
      ["--title", "x", "--in", "0s"], ["--title", "x", "--in", "9999w"], ["--title", "x", "--repeats"],
      ["--title", "x", "--time-zone", "Europe/Berlin"],
      ["--title", "x", "--time-zone", "Europe/Berlin", "--in", "1h"], ["--title", "x", "--action", "done"],
      ["--title", "x", "--action", "a=A", "--action", "a=B"], ["--title", "x", "--user-info", "{a}"],
      ["--title", "x", "--thread", ""], ["--title", "x", "--region", "48,11"],
      ["--title", "x", "--radius", "200"], ["--title", "x", "--on", "entry"],
      ["--title", "x", "--region", "91,11", "--radius", "200"],
      ["--title", "x", "--region", "-33.8,151.2", "--radius", "0"],
      ["--title", "x", "--region", "48,11", "--radius", "200", "--in", "1h"],
      ["--title", "x", "--region", "48,11", "--radius", "200", "--every", "1h"],
      ["--title", "x", "--region", "48,11", "--radius", "200", "--time-zone", "Europe/Berlin"],
    ].map { ["notify", "org.example.Notes"] + $0 }
    try Golden.check(try await transcript(calls), "errors/notify.txt")
  }

  @Test func `An explanation leads on, too, and not back to itself`() async throws {
    let desktop = try desktop()
    for (word, next) in [
      ("htps://example.org", "usher open https://example.org"),
      ("example.org/page", "usher open https://example.org/page"),
      ("gone:1", "usher doctor"), ("foo:bar", "usher handlers"),
    ] {
      let result = try await desktop.usher("explain", "--skip-comparison", word)
      #expect(result.errorOutput.contains("  try: \(next) "), "\(result)")
      #expect(!result.errorOutput.contains("usher explain"), "\(result)")
    }
    let fine = try await desktop.usher("explain", "--skip-comparison", "play:1")
    #expect(fine.errorOutput.isEmpty, "\(fine)")
  }

  @Test func `Links from the desktop are not logged in full`() async throws {
    let desktop = try desktop()
    for url in ["play:secret", "nobody:token"] {
      let result = try await desktop.usher("open", "--from-desktop", url)
      #expect(!result.errorOutput.contains("try:") && !result.errorOutput.contains("token"), "\(result)")
    }
  }
}
