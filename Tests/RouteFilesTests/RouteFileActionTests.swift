// SPDX-License-Identifier: Apache-2.0
import RouteFiles
import RouteTables
import Testing

@Suite struct `The actions of a route file` {
  @Test func `An argv contains captures by name`() throws {
    let set = files(
      """
      [types]
      yt = '/[A-Za-z0-9_-]{11}/'
      [route.video]
      match = ["https://{:www.|m.|}tube.example/watch?v={id:yt}&t={t:duration?}", "https://tu.example/{id:yt}?t={t:duration?}"]
      exec  = ["mpv", "--start={t=0s}", "--", "https://tube.example/watch?v={id}"]
      tests.yes = { "https://tu.example/dQw4w9WgXcQ?t=42s" = { id = "dQw4w9WgXcQ", t = "42s" } }
      tests.no  = ["https://tube.example/watch?v=short"]
      """)
    #expect(set.diagnostics.map(\.description) == [])
    #expect(set.runTests().map(\.description) == [])
    #expect(
      try set.argv("https://tu.example/dQw4w9WgXcQ?t=42s")
        == ["mpv", "--start=42s", "--", "https://tube.example/watch?v=dQw4w9WgXcQ"])
    #expect(try set.argv("https://m.tube.example/watch?v=-Qw4w9WgXcQ")[1] == "--start=0s")
  }

  @Test func `An element with an absent capture is omitted`() throws {
    let set = files(
      """
      [route.a]
      match = "notes:/{id:uint}?at={at?}"
      exec = ["show", "--at={at}", "--from={@source}", "{id}", "--", "{@url}", "{at=-}"]
      """)
    #expect(set.diagnostics.map(\.description) == [])
    #expect(try set.argv("notes:/7?x=1") == ["show", "7", "--", "notes:/7?x=1", "-"])
    #expect(
      try set.argv("notes:/7?at=end", source: "org.a") == [
        "show", "--at=end", "--from=org.a", "7", "--", "notes:/7?at=end", "end",
      ])
  }

  @Test(arguments: [
    (#"["show", "{x}"]"#, "5:18: the captured text may begin with `-`, such as `-`"),
    (#"["show", "{n}"]"#, "5:18: the captured text may begin with `-`, such as `-1`"),
    (#"["show", "{u}", "{h}x"]"#, nil),
    (#"["show", "{q}"]"#, nil),
    (#"["show", "{q}-v"]"#, "5:18: the captured text may begin with `-`, such as `-`"),
    (#"["show", "v{x}", "-o={x}"]"#, nil),
    (#"["show", "--", "{x}"]"#, nil),
    (#"["show", "{x}", "--"]"#, "5:18: the captured text"),
    (#"["show", "{@url}"]"#, nil),
    (#"["show", "{@source}"]"#, "5:18: the captured text"),
    (#"["sh", "-c", "show {u}"]"#, "5:27: `sh` runs this argument as code"),
    (#"["sh", "-c", "show $1", "sh", "{u}"]"#, nil),
    (#"["sh", "-c", "exec \"$@\"", "sh", "{u}"]"#, "5:43: the code of `sh` runs one of its arguments"),
    (#"["sh", "-c", "eval \"$1\"", "sh", "{u}"]"#, "5:43: the code of `sh` runs one of its arguments"),
    (#"["sh", "-c", "exec . \"$1\"", "sh", "{u}"]"#, "5:45: the code of `sh` runs one of its arguments"),
    (#"["bash", "-c", "[[ $1 -eq 0 ]]", "b", "v{x}"]"#, "5:48: the code of `bash` runs one of its arguments"),
    (#"["bash", "-c", "[[ $1 -eq 0 ]]", "b", "{u}"]"#, nil),
    (#"["bash", "-c", "mpv --start=$(($1 * 60)) x", "b", "{u}"]"#, nil),
    (#"["bash", "-c", "mpv --start=$(($1 * 60)) x", "b", "--", "{n}"]"#, nil),
    (#"["bash", "-c", "echo $(($1))", "b", "{h}"]"#, "5:45: the code of `bash` runs one of its arguments"),
    (#"["bash", "-c", "n=$2; ((n > 1)) && show \"$1\"", "b", "v{x}", "3"]"#, nil),
    (#"["bash", "-euoc", "pipefail", "show {u}"]"#, "5:44: `bash` runs this argument as code"),
    (#"["bash", "-c", "[[ $1 == 0 ]]", "b", "{u}"]"#, nil),
    (
      #"["sh", "-c", "cd /; nice $2 x", "sh", "a", "{u}"]"#,
      "5:52: the code of `sh` runs one of its arguments"
    ),
    (#"["sh", "-c", "exec \"$0\"", "{u}"]"#, "5:37: the code of `sh` runs one of its arguments"),
    (#"["sh", "-c", "exec \"$@\"", "{u}"]"#, nil),
    (#"["env", "-S", "sh -c 'exec \"$@\"' sh", "{u}"]"#, "5:49: the code of `sh` runs one of its arguments"),
    (#"["make", "{u}"]"#, nil),
    (#"["make", "--", "{x}"]"#, "5:24: `make` runs this argument as code"),
    (#"["make", "--", "{@url}"]"#, "5:24: `make` runs this argument as code"),
    (#"["gh", "run", "watch", "{u}"]"#, nil),
    (#"["sh", "-c", "A=$1; cd \"$2\" && show \"$1\"", "sh", "a", "{u}"]"#, nil),
    (
      #"["nohup", "--", "{x}"]"#,
      "5:25: `nohup` runs the program, script or application that this argument names"
    ),
    (#"["env", "-S", "sh -c", "echo {u}"]"#, "5:37: `sh` runs this argument as code"),
    (#"["nice", "-n", "{n}", "show", "{u}"]"#, "5:24: the captured text may begin with `-`"),
    (#"["nice", "-n", "{u}", "show", "{u}"]"#, nil),
    (#"["timeout", "{o}", "show", "{u}"]"#, "5:36: `timeout` runs the program"),
    (#"["timeout", "{o=5}", "show", "{u}"]"#, nil),
    (#"["python3", "--", "{x}"]"#, "5:27: `python` runs the program, script"),
    (#"["rsync", "--rsh={u}", "a"]"#, "5:25: `rsync` runs or loads the value of this option"),
    (#"["env", "PATH={u}", "show"]"#, "5:22: programs run or load the value of this variable"),
    (#"["{x}"]"#, "5:10: a URL must not select the program"),
    (#"["sh-{u}"]"#, "5:13: a URL must not select the program"),
    (#"["show", "{uu}"]"#, "5:18: the route has no capture `uu`; the nearest is `u`"),
    (#"["show", "--", "{l}"]"#, "5:24: `l` is a list"),
    (#"["show", "{x:int}"]"#, "5:20: a template names a capture without its type"),
    (#"["show", "{@time}"]"#, "5:18: unknown variable `{@time}`"),
    (#"["show", "{u"]"#, "5:18: `{` is not closed"),
    (#"["show", "u}"]"#, "5:19: unmatched `}`"),
    (#"["show"\#(String(repeating: #", "a""#, count: 255))]"#, nil),
    (#"["show"\#(String(repeating: #", "a""#, count: 256))]"#, "5:8: `exec` has 257 elements"),
    (#"[]"#, "5:8: the list is empty"),
    (#"[""]"#, "5:9: the name of the program is empty"),
    (#""show""#, "5:8: `exec` is a string"),
    (#"["show", 7]"#, "5:17: expected an argument (a string), but this is an integer"),
  ])
  func `The contents of an argv`(argv: String, diagnostic: String?) {
    let set = files(
      """
      [route.a]
      match = "app:/{x}/{n:int}/{u:uint}/{h:hex}?q={q:/[a-z]*/}&l={l*}&o={o:uint?}"
      exec = \(argv)
      """)
    #expect(set.diagnostics.count == (diagnostic == nil ? 0 : 1), "\(set.diagnostics)")
    if let diagnostic, let first = set.diagnostics.first {
      #expect(first.description.hasPrefix("a.toml:" + diagnostic), "\(first)")
    }
  }

  @Test(arguments: [
    (#"echo "$(eval "$1")""#, true), (#"out=$("$@"); echo "$out""#, true), ("echo `eval \"$1\"`", true),
    (#"x=$(timeout 5 "$@")"#, true), (#"echo "$1" | sh"#, true), (#"printf %s "$1" | python3"#, true),
    (#"echo "$1" | ssh host"#, true), (#"echo "$1" | at now"#, true), (#"bash <(echo "$1")"#, true),
    (#"source <(echo "$1")"#, true), (#"exec </dev/null "$@""#, true), (#">/tmp/log "$@""#, true),
    (#"exec 2>&1 "$@""#, true), (#"exec > >(tee log) "$@""#, true), ("echo $((n + $1))", true),
    ("n=$1; echo $((n))", true), ("((n = $1))", true), ("echo ${s:$1}", true), ("echo ${a[$1]}", true),
    ("a[$1]=x", true), ("echo ${!1}", true), (#"[ -v "$1" ]"#, true), ("[[ -v $1 ]]", true),
    (#"printf -v "$1" x"#, true), (#"declare -i n="$1""#, true), (#"read "$1""#, true),
    (#"export "$1""#, true), (#"$SHELL -c "$1""#, true), (#"\eval "$1""#, true), (#"coproc "$@""#, true),
    (#"if eval "$1"; then :; fi"#, true), (#"p=$1; exec "$p""#, true), (#"command eval "$1""#, true),
    (#"for p in "$@"; do "$p"; done"#, true), (#"for p; do "$p"; done"#, true), (#"make "$1""#, true),
    (#"sudo sh -c 'exec "$1"' sh "$1""#, true), (#"bash -c 'eval "$1"' _ "$1""#, true),
    (#"bash -c "eval \"\$1\"" _ "$1""#, true), (#"bash -c 'echo $(($1))' b "$1""#, true),
    (#"echo "$1" | while read -r l; do $l; done"#, true), (#"read a <<< "$1"; eval "$a""#, true),
    (#"while read -r l; do $l; done < <(echo "$1")"#, true), (#"mapfile l <<< "$1"; "${l[@]}""#, true),
    (#"{ echo "$1"; } | python3"#, true), (#"echo "$1" | cat | python3"#, true),
    ("python3 - <<E\nx='$1'\nE", true), (#"echo "$1" | xargs sh -c"#, true),
    (#"echo "$1" | xargs -I% sh -c "% x""#, true), (#"echo "$1" | xargs sh -c '"$1"' sh"#, true),
    (#"echo "$1" | parallel"#, true), (#"echo "$1" | sqlite3 db"#, true), (#"psql db <<< "$1""#, true),
    (#"echo "$1" | crontab -"#, true), ("LD_PRELOAD=$1 show", true), (#"export PATH="$1:$PATH""#, true),
    ("echo ${1@P}", true), (#"a=("$1"); exec "${a[@]}""#, true), ("a=([$1]=x)", true),
    // Arguments that are data.
    (#"a=("$1" -v); exec show "${a[@]}""#, false), ("declare -a a=(\n-x\n\"$1\")\nshow \"${a[@]}\"", false),
    ("python3 - \"$1\" <<'E'\nimport sys; print(sys.argv[1])\nE", false),
    ("python3 - \"$1\" <<E\nx\nE", false),
    (#"sh -c 'show "$1"' sh "$1""#, false), (#"echo "$1" | xargs -I{} show {}"#, false),
    (#"echo "$1" | parallel show"#, false), (#"date | python3; show "$1""#, false),
    (#"date | sh; show "$1""#, false), (#"show "$1" sh"#, false), ("LANG=$1 show", false),
    (#"pgrep x | while read -r n; do kill $((n)); done; show "$1""#, false), (#"set -eu; show "$1""#, false),
    (#"exec show "$@""#, false), (#"show "$(basename "$1")" "$1" 2>&1"#, false),
    (#"show "${1#notes:}""#, false), (#"show "${1:-none}" "${1%/*}" >/dev/null 2>&1 &"#, false),
    (#"echo "$1" | tr a b | show"#, false), (#"for f in "$@"; do show "$f"; done"#, false),
    (#"x=$1; x=$(printf %s "$x" | sed s/a/b/); show "$x""#, false), (#"[ -n "$1" ] && show "$1""#, false),
    (#"printf %s "$1" | python3 tool.py"#, false), (#"printf -v x %s "$1""#, false),
    (#"local x="$1"; read -p "$1?" y"#, false), (#"case "$1" in a*) show "$1";; esac"#, false),
    (#"echo $((1 + 2)) "$1""#, false), (#"${VIEWER:-show} "$1""#, false), (#"show ${s:1:2} "$1""#, false),
    (#"test -t 1 || exec show "$1""#, false), (#"ssh "$1""#, false),
  ])
  func `The code of a shell must not run its arguments`(code: String, isRefused: Bool) {
    let code = code.replacing("{", with: "{{").replacing("}", with: "}}")
    let set = files(
      """
      [route.a]
      match = "app:/{u:slug}"
      exec = ["bash", "-c", '''\(code)''', "bash", "{u}"]
      """)
    #expect(set.diagnostics.isEmpty != isRefused, "\(code): \(set.diagnostics)")
  }

  @Test func `A rewrite encodes inserted values`() throws {
    let set = files(
      """
      [route.docs]
      match   = "go:/{page}/{rest...?}?q={q?}#{at?}"
      rewrite = "https://docs.example/{page}/v1/{rest}?search={q}&by=us&was={@url}#{at}"
      """)
    #expect(set.diagnostics.map(\.description) == [])
    #expect(
      try set.rewritten("go:/a%2Fb/c%20d/e?q=1%262+3#x%23y")
        == "https://docs.example/a%2Fb/v1/c%20d/e?search=1%262%203&by=us"
        + "&was=go:/a%252Fb/c%2520d/e%3Fq%3D1%25262%2B3%23x%2523y#x%23y")
    #expect(try set.rewritten("go:/p") == "https://docs.example/p/v1?by=us&was=go:/p")
  }

  @Test func `A rewrite may drop query items`() throws {
    let set = files(
      """
      [route.clean]
      match   = ["https://{host...}/{rest...?}?utm_source", "https://{host...}/{rest...?}?fbclid"]
      rewrite = { drop = ["utm_*", "fbclid"] }
      [route.move]
      match   = "old:/{x}"
      rewrite = { to = "new:/{x}?a=1&b=2", drop = ["a"] }
      """)
    #expect(set.diagnostics.map(\.description) == [])
    #expect(
      try set.rewritten("https://a.example/x?b=1&utm_source=m&%75tm_id=2&c#f")
        == "https://a.example/x?b=1&c#f")
    #expect(try set.rewritten("https://a.example?fbclid=1") == "https://a.example")
    #expect(try set.rewritten("old:/7") == "new:/7?b=2")
  }

  @Test func `A rewrite that comes first precedes narrower routes, and keeps links`() throws {
    let set = files(
      """
      [route.clean]
      match   = "https://{host...}/{rest...?}?utm"
      rewrite = { drop = ["utm"], first = true }
      tests.decide = [
        { url = "https://a.example/x?utm=1", is = "rewrite", by = "clean" },
        { url = "https://a.example/x", is = "open", by = "own" },
        { url = "https://b.example/x?utm=1", is = "open", by = "shop" },
        { url = "https://c.example/x?utm=1", is = "deny", by = "no" },
        { url = "https://d.example/x?utm=1", is = "ask", by = "ask" },
        { url = "https://e.example/x?utm=1", is = "rewrite", by = "clean" },
        { url = "https://go.example/to?q=https://h.example/", is = "rewrite", by = "unwrap" },
        { url = "https://go.example/to?q=x", is = "none" },
      ]
      [route.unwrap]
      match   = "https://go.example/to?q"
      rewrite = { unwrap = "q", first = true }
      [route.keep]
      match   = "https://b.example/{rest...?}"
      rewrite = { drop = [], first = true }
      [route.own]
      match = "https://a.example/{x...?}"
      open  = "org.example.App"
      [route.shop]
      match = "https://b.example/{x}?utm"
      open  = "org.example.App"
      [route.no]
      match = "https://c.example/{x}?utm"
      deny  = "no"
      [route.ask]
      match = "https://d.example/{x}?utm"
      ask   = true
      [route.whether]
      match = "https://e.example/{x...?}"
      ask   = true
      """)
    #expect(set.diagnostics.map(\.description) == [])
    #expect(set.runTests().map(\.description) == [])
    let ranks = Dictionary(uniqueKeysWithValues: set.table.routes.map { ($0.id, $0.rank) })
    #expect(ranks["clean"] == .cleaning && ranks["keep"] == .cleaning && ranks["own"] == .user)
  }

  @Test func `The other actions`() throws {
    let set = files(
      """
      [route.perform]
      match = "a:perform"
      perform = { application = "org.example.Notes", action = "new-note" }
      [route.which]
      match = "a:which"
      ask = ["org.mozilla.firefox", "org.chromium.Chromium.desktop"]
      remember = "source+scheme"
      [route.whether]
      match = "a:whether"
      ask = true
      [route.open]
      match = "a:open"
      open = "org.example.Notes.desktop"
      """)
    #expect(set.diagnostics.map(\.description) == [])
    #expect(
      try set.table.match("a:perform")?.action
        == .perform(application: "org.example.Notes", action: "new-note"))
    #expect(
      try set.table.match("a:which")?.action
        == .ask(["org.mozilla.firefox", "org.chromium.Chromium.desktop"], remember: [.source, .scheme]))
    #expect(try set.table.match("a:whether")?.action == .ask([], remember: []))
    #expect(try set.table.match("a:open")?.action == .open(application: "org.example.Notes.desktop"))
  }

  @Test(arguments: [
    ("ask = false", "5:7: write `ask = true`, `ask = \"browsers\"`, or a list of applications"),
    ("ask = []", "5:7: the list is empty"),
    ("ask = true\nremember = \"sauce\"", "6:12: `sauce` cannot be remembered"),
    ("allow = true\nremember = \"source\"", "6:1: `remember` needs `ask`"),
    ("perform = \"x\"", "5:11: `perform` is a string"),
    ("perform = { application = \"x\" }", "5:11: `perform` has no `action`"),
    (
      "perform = { application = \"x\", action = \"y\", acton = 1 }",
      "5:46: unknown key `acton`; the nearest is `action`"
    ),
    ("rewrite = 7", "5:11: `rewrite` is an integer"),
    ("rewrite = {}", "5:11: `rewrite` is empty"),
    ("rewrite = { unwrap = \"q\" }", nil),
    ("rewrite = { unwrap = 7 }", "5:22: `unwrap` is the name of the query item"),
    ("rewrite = { unwrap = \"\" }", "5:22: `unwrap` is the name of the query item"),
    ("rewrite = { unwrap = \"q\", drop = [\"a\"] }", "5:27: `drop` has no effect beside `unwrap`"),
    ("rewrite = { to = \"b:/\", unwrap = \"q\" }", "5:13: `to` has no effect beside `unwrap`"),
    ("rewrite = { unwrap = \"q\", first = true }", nil),
    ("rewrite = { drop = [\"a\"], first = true }", nil), ("rewrite = { drop = [], first = true }", nil),
    ("rewrite = { drop = [], first = false }", "5:20: the list is empty"),
    ("rewrite = { drop = [\"a\"], first = 1 }", "5:35: `first` is an integer: write `true` or `false`"),
    ("rewrite = { to = \"b:/\", first = true }", "5:25: `first` is valid only with `drop` or `unwrap`"),
    ("rewrite = { first = true }", "5:11: `rewrite` is empty"),
    ("rewrite = \"{x}:/a\"", "5:12: the scheme is missing"),
    ("rewrite = \"b:/a b\"", "5:11: a space is not allowed in a URL"),
    ("rewrite = \"b://{y}.h/\"", "5:16: `y` is optional, but needed here: write `{y=…}`"),
    ("rewrite = \"b:/v{y}\"", "5:16: `y` is optional"),
    ("rewrite = \"b:/{y}?{y}#{@source}\"", nil),
    ("rewrite = \"{@url}\"", "5:11: the URL is rewritten to itself"),
    ("rewrite = { drop = [\"a*b\"] }", "5:21: the name of a query item may have `*` only at its end"),
    ("allow = true\ndeny = \"no\"", "6:1: the route `a` already has `allow`: remove one of the two"),
    ("allow = 1", "5:9: write `allow = true`"),
    ("open = \"a b\"", "5:8: `open` must be an application's ID"),
  ])
  func `Invalid actions`(lines: String, diagnostic: String?) {
    let set = files("[route.a]\nmatch = \"a:/{x}/{y?}\"\n\(lines)")
    #expect(set.diagnostics.count == (diagnostic == nil ? 0 : 1), "\(set.diagnostics)")
    if let diagnostic, let first = set.diagnostics.first {
      #expect(first.description.hasPrefix("a.toml:" + diagnostic), "\(first)")
      #expect(set.table.routes.isEmpty)
    }
  }
}

extension RouteFileSet {
  /// Returns the argv of the route that matches the URL.
  func argv(_ url: String, source: String? = nil) throws -> [String] {
    let match = try #require(try table.match(url))
    guard case .exec(let argv) = match.action else { return [] }
    return argv.compactMap { $0.filled(by: match, url: url, source: source) }
  }

  /// Returns the rewritten URL of the matching route.
  func rewritten(_ url: String) throws -> String? {
    let match = try #require(try table.match(url))
    guard case .rewrite(let template) = match.action else { return nil }
    return template.filled(by: match, url: url)
  }
}
