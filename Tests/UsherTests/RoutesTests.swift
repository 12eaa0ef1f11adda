// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `usher routes` {
  private static let good = """
    format = 1
    owner = "user"
    [types]
    sort = ["price", "name"]
    [route.item]
    match = "shop:/{kind}/{n:int}/{rest...?}?u={u:uint?}&b={b:bool?}&sort={sort:sort=price}&tag={tag*}&x={x?}"
    exec = ["show", "--kind={kind}", "--x={x}", "--", "{n}", "{@url}"]
    tests.yes."shop:/a/7?tag=1" = { kind = "a", n = 7, sort = "price", tag = ["1"] }
    tests.no = ["shop:/a/x?tag=1"]
    [route.chat]
    match = "/talk"
    open = "org.example.Chat"
    source = "org.example.*"
    target = "running"

    """

  private func write(_ name: String, _ text: String, _ desktop: ThrowAwayDesktop) throws -> String {
    let path = "\(desktop.home)/\(name)"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test func `A match is one JSON object, its values typed`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let file = try write("good.toml", Self.good, desktop)
    let result = try await desktop.usher(
      "routes", "match", file,
      "shop:/a%20b/-7/c%2Fd/e?u=18446744073709551615&b=true&tag=x&tag=y+z", "--json")
    #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
    let captures =
      #"{"b":true,"kind":"a b","n":-7,"rest":["c/d","e"],"sort":"price","tag":["x","y z"],"u":18446744073709551615}"#
    #expect(result.output.contains(#""captures":"# + captures), "\(result.output)")
    let object = try JSONObject(result.output)
    #expect(
      object.keys == ["action", "captures", "column", "file", "line", "owner", "pattern", "route", "url"])
    #expect(object["route"] == "item" && object["owner"] == "user" && object["file"] == file)
    #expect(
      result.output.contains(
        #""action":{"exec":["show","--kind=a b","--","-7","shop:/a%20b/-7/c%2Fd/e?u=18446744073709551615"#))
  }

  @Test func `Properties of the request are matched`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let file = try write("good.toml", Self.good, desktop)
    let none = try await desktop.usher("routes", "match", file, "/talk")
    #expect(
      none.status == 1 && none.output.isEmpty && none.errorOutput == "usher: no route matches\n", "\(none)")
    let found = try await desktop.usher(
      "routes", "match", file, "/talk", "--source-application", "org.example.Mail", "--running",
      "org.example.Chat")
    #expect(found.status == 0 && found.lines.first == "chat  (\(file):10:8, /talk)", "\(found)")
    #expect(found.lines.last == #"  open: "org.example.Chat""#)
    let recording = try write(
      "recording.toml",
      "format = 1\nowner = \"o\"\n[route.a]\nmatch = \"/x\"\nallow = true\nrunning = \"org.example.Recorder\"\n",
      desktop)
    for (application, status) in [("org.example.Recorder", 0), ("org.example.Chat", 1)] as [(String, Int32)] {
      let result = try await desktop.usher("routes", "match", recording, "/x", "--running", application)
      #expect(result.status == status, "\(result)")
    }
    let explained = try await desktop.usher("routes", "explain", recording, "/x")
    #expect(
      explained.output.contains("`org.example.Recorder` is not running, which this route requires"),
      "\(explained)")
    let checked = try await desktop.usher("routes", "check", "--strict", recording)
    #expect(
      checked.status == 2
        && checked.output.contains("`org.example.Recorder` is not an installed application"),
      "\(checked)")
    let policy = try write(
      "policy.toml",
      "format = 1\nowner = \"o\"\n[route.a]\nmatch = \"/x\"\ndeny = \"no\"\nsource.assurance = \"< unit\"\n",
      desktop)
    for (level, status) in [("unknown", 0), ("executable", 0), ("unit", 1), ("certain", 64)]
      as [(String, Int32)]
    {
      #expect(try await desktop.usher("routes", "match", policy, "/x", "--assurance", level).status == status)
    }
    #expect(try await desktop.usher("routes", "match", policy, "/x").status == 0)
    let (nothing, missed) = try await desktop.usherJSON("routes", "match", file, "other:x")
    #expect(missed.status == 1 && nothing.keys == ["url"])
  }

  @Test func `Exit statuses distinguish errors of usage, URL and file`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let file = try write("good.toml", Self.good, desktop)
    let bad = try write(
      "bad.toml", "format = 1\nowner = \"user\"\n[route.a]\nmatch = \"/talk\"\nalow = true\n", desktop)
    #expect(try await desktop.usher("routes", "match").status == 64)
    #expect(try await desktop.usher("routes", "match", file, "x:y", "--wrong").status == 64)
    #expect(try await desktop.usher("routes", "check", "--wrong").status == 64)
    for url in [
      "a b:c", "x:%zz", "x:%00", "nothing", "https://\\", "x:" + String(repeating: "a", count: 70_000),
    ] {
      let result = try await desktop.usher("routes", "match", file, url)
      #expect(
        result.status == 65 && result.output.isEmpty && !result.errorOutput.isEmpty, "\(url.prefix(20))")
      #expect(try await desktop.usherJSON("routes", "match", file, url).result.status == 65)
    }
    for command in ["check", "test"] {
      #expect(try await desktop.usher("routes", command, file).status == 0)
      #expect(try await desktop.usher("routes", command, bad).status == 1)
      #expect(try await desktop.usher("routes", command, file, "\(desktop.home)/none.toml").status == 66)
    }
    #expect(try await desktop.usher("routes", "match", "\(desktop.home)/none.toml", "x:y").status == 66)
    #expect(try await desktop.usher("routes", "match", bad, "x:y").status == 1)
  }

  @Test func `A file that cannot be read is the error of each JSON object`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let file = try write("good.toml", Self.good, desktop)
    let links = try write("links.txt", "/talk\n", desktop)
    for words in [
      ["match", "/talk"], ["explain", "/talk"], ["generate", "chat"], ["coverage", links], ["check"],
      ["test"],
    ] {
      let call = ["routes", words[0], file, "\(desktop.home)/none.toml"] + words.dropFirst()
      let (object, result) = try await desktop.usherJSON(nil, call)
      #expect(result.status == 66 && object["error"] == "unreadable", "\(result)")
      #expect(
        object["message"] == "\(desktop.home)/none.toml:1:1: it cannot be opened: No such file or directory",
        "\(result)")
      #expect(
        try await JSONSchema("usher-routes-\(words[0])").diagnostics(about: result.lines) == [], "\(result)")
    }
    let invalid = try await desktop.usherJSON("routes", "match", file, "\(desktop.home)/none.toml", "x:%zz")
    #expect(invalid.result.status == 65 && invalid.object["error"] == "invalid-url", "\(invalid.result)")
  }

  @Test func `Check prints a line for each diagnostic`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let file = try write(
      "bad.toml",
      """
      format = 1
      owner = "user"
      [route."a\\nb"]
      match = "/{x:itn}"
      alow = true
      [route.one]
      match = "/x/{a}"
      allow = true
      [route.two]
      match = "/x/{b}"
      deny = "no"
      """, desktop)
    let result = try await desktop.usher("routes", "check", file)
    #expect(result.lines.count == 4, "\(result)")
    #expect(result.lines.allSatisfy { $0.hasPrefix("\(file):") })
    #expect(result.lines[2].hasPrefix("\(file):5:1: error: unknown key `alow`; the nearest is `allow`"))
    #expect(result.lines[3].contains("for example `/x/x`"))
    #expect(
      result.errorOutput == "usher: 1 route, 0 tests, width 2, 4 diagnostics\n", "\(result.errorOutput)")
    #expect(result.lines[3].hasSuffix("; until then, `two` denies these URLs"))
    let (object, _) = try await desktop.usherJSON("routes", "check", file)
    #expect(object.objects("diagnostics").map { $0["kind"] } == ["shape", "pattern", "shape", "conflict"])
    let clean = try await desktop.usher("routes", "check", try write("good.toml", Self.good, desktop))
    #expect(clean.status == 0 && clean.output.isEmpty, "\(clean)")
  }

  @Test func `With --strict, an overlap that the first difference decides is reported`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let file = try write(
      "cross.toml",
      """
      format = 1
      owner = "user"
      [route.one]
      match = "https://a.example/{x...}"
      allow = true
      [route.two]
      match = "https://{h...}/admin"
      ask = true
      """, desktop)
    #expect(try await desktop.usher("routes", "check", file).status == 0)
    let denial = try String(contentsOfFile: file, encoding: .utf8).replacingOccurrences(
      of: "ask = true", with: "deny = \"no\"")
    let plain = try await desktop.usher("routes", "check", try write("denial.toml", denial, desktop))
    #expect(plain.status == 2 && plain.lines.count == 1, "\(plain)")
    #expect(plain.output.contains("for example `https://a.example/admin`"), "\(plain)")
    let strict = try await desktop.usher("routes", "check", "--strict", file)
    #expect(strict.status == 2 && strict.lines.count == 1, "\(strict)")
    #expect(strict.lines.first?.hasPrefix("\(file):7:9: warning: the routes `one`") == true, "\(strict)")
    #expect(strict.output.contains("for example `https://a.example/admin`"), "\(strict)")
    let (object, _) = try await desktop.usherJSON("routes", "check", "--strict", file)
    #expect(object.objects("findings").first?["winner"] == "one")
    #expect(object.objects("findings").first?["witness"] == "https://a.example/admin")
  }

  @Test func `A choice with a star in a host, and answers for unknown callers, are doubted`() async throws {
    let desktop = try ThrowAwayDesktop()
    let file = try write(
      "doubts.toml",
      """
      format = 1
      owner = "administrator"
      [route.meetings]
      match = "https://{:zoom.us|*.zoom.us}/j/{id}"
      ask = true
      remember = "source"
      source.assurance = "<= claimed"
      """, desktop)
    let plain = try await desktop.usher("routes", "check", file)
    #expect(plain.status == 2 && plain.lines.count == 1, "\(plain)")
    #expect(plain.output.contains("`https://h.example/` and `https://*.h.example/`"), "\(plain)")
    let strict = try await desktop.usher("routes", "check", "--strict", file)
    #expect(
      strict.status == 2 && strict.output.contains("no answer for an unknown caller is stored"), "\(strict)")
  }

  @Test func `A host that looks as if it took addresses is a warning, and names their types`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let file = try write(
      "lan.toml",
      """
      format = 1
      owner = "user"
      [route.loopback]
      match = "http://{ip:/127.*/}/"
      deny = "no"
      """, desktop)
    let result = try await desktop.usher("routes", "check", file)
    #expect(result.status == 2 && result.lines.count == 1, "\(result)")
    #expect(result.lines.first?.hasPrefix("\(file):4:9: warning: `{ip:/127.*/}`") == true, "\(result)")
    #expect(result.output.contains("`{ip:cidr(10.0.0.0/8)}`"), "\(result)")
    let (object, _) = try await desktop.usherJSON("routes", "check", file)
    #expect(object.objects("likely-mistakes").count == 1)
  }

  @Test func `What a route can never do is a warning`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let file = try write(
      "never.toml",
      """
      format = 1
      owner = "user"
      [route.flag]
      match = "app:/{flag:bool}"
      allow = true
      [route.words]
      match = ["app:/true", "app:/false"]
      allow = true
      wins_over = "number"
      [route.number]
      match = "http://{n:uint}/"
      deny = "no"
      """, desktop)
    let result = try await desktop.usher("routes", "check", file)
    #expect(result.status == 2)
    #expect(
      result.lines.map { $0.prefix { $0 != "," } } == [
        "\(file):4:9: warning: the route `flag` never wins with app:/{flag:bool}: all that it matches",
        "\(file):7:10: warning: the route `words` has `wins_over` `number`",
        "\(file):11:9: warning: the route `number` has the pattern http://{n:uint}/",
      ], "\(result)")
    let (object, _) = try await desktop.usherJSON("routes", "check", file)
    #expect(object.keys.contains("complete"))
    #expect(
      object.objects("findings").map { $0["kind"] } == [
        "never-wins", "pointless-wins-over", "matches-nothing",
      ])
    #expect(object.objects("findings").map { $0["owner"] } == ["user", "user", "user"])
  }

  @Test func `What could not be decided is a question with its reason`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let file = try write(
      "plus.toml",
      """
      format = 1
      owner = "user"
      [route.literal]
      match = "app:/x?a%2Bb=1"
      plus = "literal"
      allow = true
      [route.form]
      match = "app:/x?a%2Bb"
      allow = true
      """, desktop)
    let question =
      "cannot decide whether the routes `literal` (app:/x?a%2Bb=1, \(file):4:9) and `form` (app:/x?a%2Bb, \(file):8:9) "
      + "overlap: a key of the query has a `+` or a space, and the patterns interpret `+` differently"
    let result = try await desktop.usher("routes", "check", "--strict", file)
    #expect(result.status == 0 && result.output.isEmpty, "\(result)")
    #expect(result.errorOutput.hasPrefix("usher: \(file):4:9: \(question)\n"), "\(result)")
    let (object, _) = try await desktop.usherJSON("routes", "check", "--strict", file)
    let reported = object.objects("undecided")
    #expect(
      reported.map { $0["message"] } == [question] && reported.map { $0.texts("others") } == [["form"]],
      "\(object)")
  }

  @Test func `A star for any text is a warning, unless a test of the route names a URL with a star`()
    async throws
  {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    func check(_ lines: String) async throws -> [String] {
      let text =
        "format = 1\nowner = \"user\"\n[route.one]\nmatch = [\"ticket:*\", \"https://a.example/**\"]\nopen = \"a\"\n"
      return try await desktop.usher("routes", "check", try write("stars.toml", text + lines, desktop)).lines
        .filter { $0.contains("warning") }
    }
    let found = try await check("")
    #expect(
      found.count == 2 && found[0].contains(":4:10: warning: `*` is literal text here")
        && found[1].contains("`**` is literal text here"), "\(found)")
    #expect(try await check("tests.yes = [\"ticket:*\"]\n").isEmpty)
  }

  @Test func `Strictly, what another router would take for a capture is asked about`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let file = try write(
      "foreign.toml",
      """
      format = 1
      owner = "user"
      [route.one]
      match = ["https://a.example/users/:id", "https://a.example/ok/a:b"]
      allow = true
      """, desktop)
    #expect(try await desktop.usher("routes", "check", file).status == 0)
    let strict = try await desktop.usher("routes", "check", "--strict", file)
    #expect(strict.status == 2)
    #expect(
      strict.lines == ["\(file):4:10: warning: `:id` is literal text here: write a capture as `{id}`"],
      "\(strict)")
    let (object, _) = try await desktop.usherJSON("routes", "check", "--strict", file)
    #expect(object.objects("likely-mistakes").first?["message"]?.contains("{id}") == true, "\(object)")
  }

  @Test func `routes test runs the tests in the files`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let good = try await desktop.usher("routes", "test", try write("good.toml", Self.good, desktop))
    #expect(good.status == 0 && good.output.isEmpty, "\(good)")
    #expect(good.errorOutput == "usher: 2 tests, 0 failed\n")
    let file = try write("bad.toml", Self.good.replacing("n = 7", with: "n = 8"), desktop)
    let bad = try await desktop.usher("routes", "test", file)
    #expect(
      bad.status == 1 && bad.lines == ["\(file):8:49: the capture `n` is `7`, but must be 8"], "\(bad)")
  }

  @Test func `routes check runs the tests, and names the route that decides instead`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let file = try write(
      "calls.toml",
      """
      format = 1
      owner = "user"
      [route.calls]
      match = "tel:{number}"
      ask = true
      tests.no = ["tel:/1"]
      [route.calls-by-contacts]
      match = "tel:{number}"
      source = { application = "org.gnome.Contacts", assurance = ">= unit" }
      allow = true
      tests.decide = [
        { url = "tel:1", source = { application = "org.gnome.Contacts", assurance = "unit" }, is = "allow" },
        { url = "tel:2", source = "org.gnome.Contacts", is = "allow" },
      ]
      """, desktop)
    let reported =
      "for org.gnome.Contacts (claimed), the expected decision is `allow`, but it is `ask` by `calls` of `user` (tel:{number}, \(file):3:8)"
    let check = try await desktop.usher("routes", "check", file)
    #expect(check.status == 1 && check.lines == ["\(file):13:11: error: \(reported)"], "\(check)")
    #expect(check.errorOutput == "usher: 2 routes, 3 tests, width 3, 1 diagnostic\n")
    let test = try await desktop.usher("routes", "test", file)
    #expect(test.status == 1 && test.lines == ["\(file):13:11: \(reported)"], "\(test)")
    let (object, _) = try await desktop.usherJSON("routes", "check", file)
    #expect(object.objects("diagnostics").map { $0["kind"] } == ["test"])
  }

  @Test func `routes explain prints the reasons and a suggestion, and no secret`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let file = try write(
      "why.toml",
      """
      format = 1
      owner = "user"
      [route.reset]
      match = "notes://reset/{token}?user={user:uint?}"
      allow = true
      secret = "token"
      [route.any]
      match = "notes://{host}/{rest...}"
      allow = true
      """, desktop)
    let found = try await desktop.usher("routes", "explain", file, "notes://reset/hush?user=ada")
    #expect(found.status == 0 && found.errorOutput.isEmpty, "\(found)")
    #expect(
      found.lines == [
        "notes://reset/…?user=…",
        "  selects `reset` (notes://reset/{token}?user={user:uint?}, \(file):4:9)",
        "    token: not shown", "    user: absent",
        "  over `any` (notes://{host}/{rest...}, \(file):8:9)",
        "    the winner is narrower: this route matches all its URLs and more",
        "  note: text that is not literal in a pattern is shown as `…`, because `reset` has secret captures",
        "  note: `user` reads as absent: `…` is not of the type `uint`",
      ], "\(found)")
    let missed = try await desktop.usher("routes", "explain", file, "note://reset/hush")
    #expect(missed.status == 1 && !missed.output.contains("hush"), "\(missed)")
    #expect(missed.lines.contains("    did you mean notes://reset/…?"), "\(missed)")
    let (object, _) = try await desktop.usherJSON("routes", "explain", file, "note://reset/hush")
    #expect(object["url"] == "note://reset/…" && object.objects("near-misses").count == 2)
    #expect(try await desktop.usher("routes", "explain", file, "a b").status == 65)
    #expect(try await desktop.usher("routes", "explain", file, "--limit", "-1", "a:b").status == 64)
    #expect(try await desktop.usher("routes", "explain", "\(file)x", "a:b").status == 66)
  }

  @Test func `routes explain selects the route of routes match if the winner has no effect`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let file = try write(
      "cal.toml",
      """
      format = 1
      owner = "user"
      [route.viewer]
      match = "webcal://cal.example/view/{x}"
      allow = true
      [route.cal]
      match = "webcal://cal.example/{p...?}"
      deny = "no"
      """, desktop)
    let plain = try await desktop.usher("routes", "explain", file, "webcal://cal.example/view/1")
    #expect(plain.output.contains("selects `viewer`") && !plain.output.contains("no effect"), "\(plain)")
    let url = "webcal://ｃal.example/view/1"
    let match = try await desktop.usher("routes", "match", file, url)
    #expect(match.status == 0 && match.output.hasPrefix("cal "), "\(match)")
    let found = try await desktop.usher("routes", "explain", file, url)
    #expect(found.status == 0 && found.output.contains("selects `cal`"), "\(found)")
    #expect(found.lines.last?.hasPrefix("  note: `viewer` ") == true, "\(found)")
    let (object, _) = try await desktop.usherJSON("routes", "explain", file, url)
    #expect(object.object("winner")?["route"] == "cal", "\(object)")
  }

  @Test func `Generate prints the URL of a route, or why there is none`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let file = try write(
      "links.toml",
      """
      format = 1
      owner = "user"
      [route.note]
      match = "notes:/note/{id:uint}/{path...?}?tab={tab=read}"
      allow = true
      [route.new]
      match = "notes:/note/0?tab=new"
      allow = true
      [route.old]
      match = "https://*.notes.example/{id:uint}"
      allow = true
      generate = false
      """, desktop)
    func generate(_ words: String...) async throws -> CommandResult {
      try await Command.run(
        BuiltProducts.usher, ["routes", "generate", file] + words, environment: desktop.environment)
    }
    let url = try await generate("note", "id=7", "path=a b", "path=c/d", "tab=read")
    #expect(url.status == 0 && url.output == "notes:/note/7/a%20b/c%2Fd\n", "\(url)")
    #expect(try await generate("user/note", "id=7", "tab=x=y&").output == "notes:/note/7?tab=x%3Dy%26\n")
    for (words, sentence) in [
      (["note", "id=seven"], "`id` has a value that cannot be represented"), (["note"], "`id` needs a value"),
      (["note", "id=0", "tab=new"], "would match the route `new`"),
      (["old", "id=1"], "`old` has `generate = false`"),
      (["nte", "id=1"], "the ID `nte` does not name exactly one route"),
      (["note", "id=1", "x=1"], "no capture `x`"),
    ] {
      let refused = try await Command.run(
        BuiltProducts.usher, ["routes", "generate", file] + words, environment: desktop.environment)
      #expect(refused.status == 1 && refused.errorOutput.contains(sentence), "\(refused)")
    }
    #expect(
      try await generate("note", "id=7", "--json").output == #"{"route":"note","url":"notes:/note/7"}"# + "\n"
    )
  }

  @Test func `Without files it reads the user's directory`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let none = try await desktop.usher("routes", "check")
    #expect(none.status == 0 && none.output.isEmpty, "\(none)")
    let file = try desktop.installRoutes("mine", Self.good)
    try desktop.installRoutes(
      "other", "format = 1\nowner = \"user\"\n[route.x]\nmatch = \"x:y\"\nallow = true\n")
    let (object, _) = try await desktop.usherJSON("routes", "match", "shop:/a/7?tag=1")
    #expect(object["file"] == file)
    #expect(try await desktop.usher("routes", "test").status == 0)
    #expect(try await desktop.usher("routes", "match", "x:y").status == 0)
    try desktop.installRoutes(
      "final", "format = 1\nowner = \"user\"\n[route.z]\nmatch = \"z:y\"\nallow = true\nfinal = true\n")
    #expect(try await desktop.usher("routes", "check").status == 1)
  }
}
