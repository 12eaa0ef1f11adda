// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The report without a bus; EndToEndTests has the history and the browser.
@Suite struct `usher report` {
  private static let routes = """
    format = 1
    owner = "user"
    [route.note]
    match = "notes://note/{id:int}?tab={tab?}#{place?}"
    open = "org.example.Notes"
    [route.any]
    match = "notes://{host}/{path...}"
    wins_over = ["dead"]
    deny = "<b>no</b></script>"
    [route.dead]
    match = "notes://other/1"
    allow = true
    [route.reset]
    match = "https://h.example/reset/{token}"
    secret = "token"
    allow = true
    [route.item]
    match = "https://h.example/{a}/{b:int}?q={q}"
    source = "org.example.Chat"
    allow = true

    """

  private func desktop() throws -> ThrowAwayDesktop {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    try desktop.installDesktopEntry("org.example.Notes", exec: "/bin/true %u", schemes: ["notes"])
    try desktop.setDefaults(["notes": ["org.example.Notes"]])
    try desktop.write(Self.routes, to: "home/routes.toml")
    return desktop
  }

  private func report(_ words: [String], on desktop: ThrowAwayDesktop) async throws -> CommandResult {
    try await Command.run(
      BuiltProducts.usher, ["report"] + words, environment: desktop.environment, directory: desktop.home)
  }

  /// Returns the text of a page and its data.
  private func page(_ name: String, on desktop: ThrowAwayDesktop) throws -> (text: String, data: String) {
    let text = try String(contentsOfFile: "\(desktop.home)/\(name)", encoding: .utf8)
    let start = try #require(text.firstRange(of: #"<script type="application/json" id="data">"#))
    let end = try #require(text[start.upperBound...].firstRange(of: "</script>"))
    return (text, String(text[start.upperBound..<end.lowerBound]))
  }

  @Test func `is one file for the user alone, whose data is as the schema says`() async throws {
    let desktop = try desktop()
    try desktop.write(
      "notes://note/7?tab=x\nnotes://note/seven\nother:1\n/bare\nno url\n", to: "home/links.txt")
    let result = try await report(["--routes", "routes.toml", "--urls", "links.txt"], on: desktop)
    #expect(result.status == 0 && result.output == "\(desktop.home)/usher-report.html\n", "\(result)")
    #expect(result.errorOutput.contains("the report has no history: the broker cannot be reached"))
    let path = "\(desktop.home)/usher-report.html"
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let (text, data) = try page("usher-report.html", on: desktop)
    #expect(try await JSONSchema("usher-report").diagnostics(about: [data]) == [])
    #expect(text.contains("default-src 'none'; script-src 'sha256-"))
    // No text of a file ends the element of the data.
    #expect(text.components(separatedBy: "</script>").count == 3 && data.contains(#"\u003cb>no\u003c/b>"#))
    let other = try await report(["other.html"], on: desktop)
    #expect(other.status == 0, "\(other)")
    #expect(
      try await JSONSchema("usher-report").diagnostics(about: [try page("other.html", on: desktop).data])
        == [])
  }

  @Test func `shows no user, query, fragment or secret of a URL`() async throws {
    let desktop = try desktop()
    let secret = "s3cr3t"
    let hosts = [
      "h.example", "ada:\(secret)@h.example", "\(secret)@h.example", "ada:\(secret)@[::1]:8080", "note",
    ]
    let paths = [
      "", "/7", "/a/7", "/reset/\(secret)", "/a/seven", "/https://ada:\(secret)@x.example/", "/note//7",
    ]
    let ends = [
      "", "?\(secret)", "?q=\(secret)&tab=\(secret)", "#\(secret)", "?q=1#\(secret)", "%3Ft=\(secret)",
      "%23\(secret)",
    ]
    var urls = ["notes", "https", "HTTPS", "webcal"].flatMap { scheme in
      hosts.flatMap { host in
        paths.flatMap { path in ends.map { "\(scheme)://\(host)\(path)\($0)" } }
      }
    }
    // The route declares the token in the path of a web link secret.
    urls.removeAll { $0.contains("/reset/") && !$0.lowercased().hasPrefix("https:") }
    urls += [
      "webcal:ada:\(secret)@h", "sip:ada:\(secret)@h", "notes:?\(secret)", "//ada:\(secret)@h/",
      "/p?\(secret)",
    ]
    // A report explains two hundred URLs.
    for start in stride(from: 0, to: urls.count, by: 200) {
      let lines = urls[start..<min(start + 200, urls.count)].joined(separator: "\n")
      try desktop.write(lines + "\n", to: "home/links.txt")
      let result = try await report(["--routes", "routes.toml", "--urls", "links.txt"], on: desktop)
      #expect(result.status == 0, "\(result)")
      let (_, data) = try page("usher-report.html", on: desktop)
      let leaks = data.split(separator: "{").filter { $0.contains(secret) }
      #expect(leaks == [], "\(leaks.prefix(3))")
      #expect(data.contains(#""winner""#) || start > 0)
    }
  }

  @Test func `names the routes, near misses and findings`() async throws {
    let desktop = try desktop()
    try desktop.write("notes://note/8\nnotes://note/seven?q=1\n", to: "home/links.txt")
    try await report(["--routes", "routes.toml", "--urls", "links.txt"], on: desktop).orThrow()
    let data = try JSONSerialization.jsonObject(
      with: Data(try page("usher-report.html", on: desktop).data.utf8))
    let root = try #require(data as? [String: Any])
    let table = try #require(((root["routes"] as? [String: Any])?["tables"] as? [[String: Any]])?.first)
    let routes = try #require(table["routes"] as? [[String: Any]])
    #expect(
      routes.compactMap { $0["route"] as? String }.sorted() == ["any", "dead", "item", "note", "reset"])
    let steps = routes.first { $0["route"] as? String == "note" }?["patterns"] as? [[String: Any]]
    #expect(steps?.first?["steps"] as? [String] == ["notes:", "//note", "/{id: int}"])
    #expect(routes.allSatisfy { $0["file"] as? String == "\(desktop.home)/routes.toml" })
    // The line of the header, and that of the pattern.
    #expect(routes.first { $0["route"] as? String == "note" }?["line"] as? Int == 3)
    #expect(steps?.first?["line"] as? Int == 4)
    let any = routes.first { $0["route"] as? String == "any" }
    #expect(any?["wins-over"] as? [String] == ["dead"])
    #expect(routes.count { $0["wins-over"] != nil } == 1)
    #expect((root["machines"] as? [String: String])?.isEmpty == true)
    let findings = (table["check"] as? [String: Any])?["findings"] as? [[String: Any]]
    let dead = findings?.filter { $0["kind"] as? String == "never-wins" }
    #expect(dead?.map { $0["route"] as? String } == ["dead"])
    let explanations = try #require(table["explanations"] as? [[String: Any]])
    #expect((explanations.first?["winner"] as? [String: Any])?["captures"] as? [String: Int] == ["id": 8])
    let misses = explanations.last?["near-misses"] as? [[String: Any]]
    #expect(misses?.first?["route"] as? String == "note", "\(explanations)")
  }

  @Test func `names what a dead route can win over, and the line lets it win`() async throws {
    let desktop = try desktop()
    let other = """
      format = 1
      owner = "org.example.Notes"
      [route.own]
      match = "notes://b/{q}"
      allow = true

      """
    let lines = [
      "format = 1", "owner = \"user\"", "[route.own]", "match = \"notes://{x:a|b}/c\"", "allow = true",
      "[route.third]", "match = \"notes://a/{q...}\"", "wins_over = \"own\"", "deny = \"third\"",
      "[route.narrow]", "match = \"notes://a/c\"", "deny = \"narrow\"",
    ]
    try desktop.write(other, to: "home/routes/other.toml")
    try desktop.write(lines.joined(separator: "\n") + "\n", to: "home/routes/own.toml")
    func dead() async throws -> (route: [String: Any]?, finding: [String: Any]?) {
      try await report(["--routes", "routes"], on: desktop).orThrow()
      let (_, data) = try page("usher-report.html", on: desktop)
      let root = try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]
      let table = try #require(((root?["routes"] as? [String: Any])?["tables"] as? [[String: Any]])?.first)
      let check = table["check"] as? [String: Any]
      #expect((check?["diagnostics"] as? [Any])?.isEmpty == true, "\(check ?? [:])")
      let findings = check?["findings"] as? [[String: Any]]
      let routes = table["routes"] as? [[String: Any]]
      return (
        routes?.first { $0["route"] as? String == "own" && $0["owner"] as? String == "user" },
        findings?.first { $0["kind"] as? String == "never-wins" && $0["owner"] as? String == "user" }
      )
    }
    let (route, finding) = try await dead()
    let names = (finding?["can-win-over"] as? [[String: String]])?.map {
      "\($0["owner"] ?? "")/\($0["route"] ?? "")"
    }
    // The narrower route, and the one that wins over it, remain.
    #expect(names == ["org.example.Notes/own"])
    #expect((finding?["message"] as? String)?.contains("name `org.example.Notes/own` in `wins_over`") == true)
    var repaired = lines
    let list = (names ?? []).map { "\"\($0)\"" }.joined(separator: ", ")
    repaired.insert("wins_over = [\(list)]", at: try #require(route?["line"] as? Int))
    try desktop.write(repaired.joined(separator: "\n") + "\n", to: "home/routes/own.toml")
    #expect(try await dead().finding == nil)
  }

  /// Returns the files of the only table of a report about these route files, by their names.
  private func files(_ texts: [String: String], on desktop: ThrowAwayDesktop) async throws
    -> [String: [String: Any]]
  {
    for (name, text) in texts {
      try desktop.write("format = 1\nowner = \"user\"\n" + text, to: "home/routes/\(name)")
    }
    try await report(["--routes", "routes"], on: desktop).orThrow()
    let (_, data) = try page("usher-report.html", on: desktop)
    #expect(try await JSONSchema("usher-report").diagnostics(about: [data]) == [])
    let root = try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]
    let table = try #require(((root?["routes"] as? [String: Any])?["tables"] as? [[String: Any]])?.first)
    let files = try #require(table["files"] as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: files.compactMap { file in
        (file["file"] as? String).map { (URL(fileURLWithPath: $0).lastPathComponent, file) }
      })
  }

  /// Returns the IDs of the routes that a file leaves out, each with its line and its patterns.
  private func leftOut(_ file: [String: Any]?) -> [String] {
    (file?["left-out"] as? [[String: Any]] ?? []).map { route in
      let patterns = route["patterns"] as? [String] ?? []
      return "\(route["route"] ?? "–") \(route["line"] ?? 0): \(patterns.joined(separator: " "))"
    }
  }

  @Test func `has the definitions of types, and what an error leaves out`() async throws {
    let files = try await files(
      [
        "types.toml": """
        [types]
        team = ["design", "mobile"]
        code = '/[A-Z]{2}/'
        [route.code]
        match = "https://h.example/{c:code}"
        allow = true

        """,
        "room.toml": """
        [group.rooms]
        base = ["https://h.example", "https://i.example"]
        [route.room]
        group = "rooms"
        match = "/{t:team}/{room:number}"
        allow = true
        [route.fine]
        match = "https://h.example/fine/1"
        allow = true

        """,
        "sound.toml": """
        [route.sound]
        match = "https://h.example/sound/1"
        allow = true

        """,
      ], on: desktop())
    #expect(files.keys.sorted() == ["room.toml", "types.toml"])
    let types = try #require(files["types.toml"]?["types"] as? [[String: Any]])
    #expect(types.map { $0["name"] as? String } == ["team", "code"])
    #expect(types.map { $0["line"] as? Int } == [4, 5])
    #expect(types.first?["values"] as? [String] == ["design", "mobile"])
    #expect(types.last?["written"] as? String == "/[A-Z]{2}/")
    #expect(leftOut(files["types.toml"]) == [])
    let patterns = "https://h.example/{t:team}/{room:number} https://i.example/{t:team}/{room:number}"
    #expect(leftOut(files["room.toml"]) == ["room 5: \(patterns)"])
  }

  @Test func `names the routes of a file that is not TOML, as far as it can be read`() async throws {
    let files = try await files(
      [
        "broken.toml": """
        [route.open]
        match = "notes://open/{a}"
        open = "org.example.Notes
        [route.header
        match = "notes://header/1"
        allow = true
        [route.scheme]
        scheme = "notes"
        allow = true

        """
      ], on: desktop())
    #expect(
      leftOut(files["broken.toml"]) == [
        "open 3: notes://open/{a}", "– 6: notes://header/1", "scheme 9: notes:{rest...?}",
      ])
  }

  @Test func `replaces a report, and no other file`() async throws {
    let desktop = try desktop()
    let words = ["--routes", "routes.toml"]
    try desktop.write("precious", to: "home/notes.html")
    let refused = try await report(["notes.html"] + words, on: desktop)
    #expect(refused.status == 73 && refused.output.isEmpty, "\(refused)")
    #expect(refused.errorOutput.contains("notes.html exists and is not a report, so it is not replaced"))
    #expect(try String(contentsOfFile: "\(desktop.home)/notes.html", encoding: .utf8) == "precious")
    let impossible = try await report(["notes.html/b.html"] + words, on: desktop)
    #expect(impossible.status == 73 && impossible.errorOutput.contains("notes.html/b.html: Not a directory"))
    for _ in 0..<2 { try await report(["a.html"] + words, on: desktop).orThrow() }
    try FileManager.default.createSymbolicLink(
      atPath: "\(desktop.home)/link.html", withDestinationPath: "a.html")
    try await report(["link.html"] + words, on: desktop).orThrow()
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: "\(desktop.home)/link.html") == "a.html")
    // The target need not exist.
    try desktop.write("", to: "home/target/.directory")
    try FileManager.default.createSymbolicLink(
      atPath: "\(desktop.home)/new.html", withDestinationPath: "target/b.html")
    try await report(["new.html"] + words, on: desktop).orThrow()
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: "\(desktop.home)/new.html") == "target/b.html"
    )
    _ = try page("target/b.html", on: desktop)
    let missing = try await report(["nowhere/a.html"] + words, on: desktop)
    #expect(missing.status == 73 && missing.errorOutput.contains("No such file or directory"), "\(missing)")
    let directory = try await report([desktop.home] + words, on: desktop)
    #expect(directory.status == 73, "\(directory)")
    // Nothing temporary remains.
    let names = try FileManager.default.contentsOfDirectory(atPath: desktop.home)
    #expect(!names.contains { $0.hasSuffix(".new") }, "\(names)")
  }

  /// A part of the page stayed in a file beside it.
  @Test func `leaves no file if Ctrl-C ends it before the page is complete`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, _ in
      // The bus starts the broker, which does not reply, when the report reads the history.
      let broker = try Recorder("silent-broker", in: desktop, .held)
      try desktop.installActivation("org.usher.Broker1", exec: broker.path)
      let report = try await RunningProgram.start(
        BuiltProducts.usher, ["report", "\(desktop.home)/a.html"], environment: desktop.environment)
      _ = try await broker.nextStart()
      report.send(SIGINT)
      #expect(await report.waitUntilExit().ending == .signalled(SIGINT))
      let names = try FileManager.default.contentsOfDirectory(atPath: desktop.home)
      #expect(!names.contains { $0.hasPrefix("a.html") }, "\(names)")
    }
  }

  /// The kernel sends the signal when a part of the page is written.
  @Test(.disabled(if: hasThreadSanitizer))
  func `leaves no file if a signal arrives while the page is written`() async throws {
    let desktop = try desktop()
    let result = try await Command.run(
      "bash", ["-c", "ulimit -c 0; ulimit -f 8; exec \"$0\" report a.html", BuiltProducts.usher],
      environment: desktop.environment, directory: desktop.home)
    #expect(result.ending == .signalled(SIGXFSZ), "\(result)")
    let names = try FileManager.default.contentsOfDirectory(atPath: desktop.home)
    #expect(!names.contains { $0.hasPrefix("a.html") }, "\(names)")
  }

  /// The name was repaired, so that no file could be written, and a relative path became one from the root.
  @Test func `is written in a directory whose name is not UTF-8, and fails in a removed one`() async throws {
    let desktop = try desktop()
    let script = #"""
      name=$(printf 'M\372sica'); mkdir "$name" gone; cd "$name"; "$1" report --routes ../routes.toml; ls
      cd ../gone; rmdir "$PWD"; "$1" report
      """#
    let result = try await Command.run(
      "bash", ["-c", script, "bash", BuiltProducts.usher], environment: desktop.environment,
      directory: desktop.home)
    #expect(result.lines == ["./usher-report.html", "usher-report.html"], "\(result)")
    #expect(result.status == 73, "\(result)")
    #expect(result.errorOutput.contains("cannot write ./usher-report.html: No such file"), "\(result)")
  }
}
