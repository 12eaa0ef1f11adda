// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import TestSupport
import Testing

@Suite(.computes) struct ExecLineTests {
  private static let facts = ExecLine.Facts(icon: "icon name", name: "My App", location: "/a b.desktop")

  @Test(arguments: [
    (#"rec %u"#, ["rec", "n:1"]), (#"rec --url=%u"#, ["rec", "--url=n:1"]),
    (#"rec %U --end"#, ["rec", "n:1", "--end"]),
    (#""/path/My App/rec" %u"#, ["/path/My App/rec", "n:1"]),
    (#"rec "a \"b\" \$c \`d\` \\e" %u"#, ["rec", #"a "b" $c `d` \e"#, "n:1"]),
    (#"rec --p=50%% %u"#, ["rec", "--p=50%", "n:1"]),
    (#"rec %i %c %k %u"#, ["rec", "--icon", "icon name", "My App", "/a b.desktop", "n:1"]),
    (#"rec --name=%c %u"#, ["rec", "--name=My App", "n:1"]), (#"rec %d %D %n %N %v %m %u"#, ["rec", "n:1"]),
    (#"rec x%my %u"#, ["rec", "xy", "n:1"]),
    (#"rec "" %u"#, ["rec", "", "n:1"]), (#"rec @@u %u @@"#, ["rec", "@@u", "n:1", "@@"]),
    (#"env A=b rec %u"#, ["env", "A=b", "rec", "n:1"]),
    (#"  rec   %u  "#, ["rec", "n:1"]), (#"rec %%u %u"#, ["rec", "%u", "n:1"]),
    (#"rec * ~ $HOME %u"#, ["rec", "*", "~", "$HOME", "n:1"]),
    (#"sh -c 'echo "$1"' - %u"#, ["sh", "-c", #"echo "$1""#, "-", "n:1"]),
    (#"rec --a="x y" %u"#, ["rec", "--a=x y", "n:1"]),
    (#"rec a\ b %u"#, ["rec", "a b", "n:1"]), (#"rec "%u""#, ["rec", "n:1"]),
    (#"rec 50% %u"#, ["rec", "50%", "n:1"]), (#"rec %u %U"#, ["rec", "n:1"]),
    (#"rec %f --url=%u %U"#, ["rec", "--url=n:1"]),
    (#"rec 5%x %x %u"#, ["rec", "5", "n:1"]),
  ])
  func oneURLBecomesOneCommand(line: String, command: [String]) throws {
    #expect(try ExecLine(line).expand(["n:1"], facts: Self.facts).texts == [command])
  }

  @Test(arguments: [
    ("rec %u", [["rec", "n:1"], ["rec", "n:2"]]), ("rec %f", [["rec", "n:1"], ["rec", "n:2"]]),
    ("rec", [["rec", "n:1"], ["rec", "n:2"]]),
    ("rec %U x", [["rec", "n:1", "n:2", "x"]]), ("rec %F", [["rec", "n:1", "n:2"]]),
    ("rec --a=%U.", [["rec", "--a=n:1", "n:2."]]),
  ])
  func `Several URLs expand as the field code says`(line: String, commands: [[String]]) throws {
    #expect(try ExecLine(line).expand(["n:1", "n:2"]).texts == commands)
  }

  @Test(arguments: ["rec %u", "rec %U", "rec %f", "rec %F", "rec", "rec %i %c %k"])
  func `Without URLs the field codes are removed`(line: String) throws {
    #expect(try ExecLine(line).expand([]) == [["rec"]])
  }

  @Test(arguments: [
    ("rec %f", "file:///a%20b", "/a b"), ("rec %F", "FILE://localhost/x", "/x"), ("rec %f", "file:/x", "/x"),
    ("rec %f", "file://host/x", "file://host/x"),
    ("rec %f", "file:///a%zz", "file:///a%zz"), ("rec %f", "file:///a%00", "file:///a%00"),
    ("rec %f", "file:///a#b", "/a"), ("rec %F", "file:///a%23b#c?d", "/a#b"),
    ("rec %f", "file:///a?b", "file:///a?b"), ("rec %f", "file:///a?b#c", "file:///a?b#c"),
    ("rec %u", "file:///a#b", "file:///a#b"),
    ("rec %f", "n:a%20b", "n:a%20b"),
    ("rec %f %u", "file:///a%20b", "/a b"), ("rec %F %u", "n:1", "n:1"),
    ("rec %u", "file:///a%20b", "file:///a%20b"), ("rec", "file:///a", "file:///a"),
  ])
  func `Field codes for files expand to paths`(line: String, url: String, argument: String) throws {
    #expect(try ExecLine(line).expand([url]).texts == [["rec", argument]])
  }

  @Test(arguments: ["rec %f", "rec %F", "rec --file=%f", "rec %f %u"])
  func `A path that is not UTF-8 arrives as its bytes`(line: String) throws {
    let command = try #require(try ExecLine(line).expand(["file:///a%ff%20b"]).first)
    let prefix = line.contains("=") ? "--file=" : ""
    #expect(
      command == ["rec", ProgramArgument(bytes: Array("\(prefix)/a".utf8) + [0xFF] + Array(" b".utf8))])
    #expect(command.last?.text == nil)
    // With another machine's name, a query or an invalid escape the URL is no path, and is passed unchanged.
    for url in ["file://host/%ff", "file:///%ff?x", "file:///%ff%"]
    where prefix.isEmpty && !line.contains("%u") {
      #expect(try ExecLine(line).expand([url]) == [["rec", ProgramArgument(url)]])
    }
  }

  @Test(arguments: [
    "n:%u%U%%", "n:$HOME${x}`id`", "n:'\"\\", "n:a;b&c|d", "n:e\u{301}\"", "n:a%20b", "n:*?",
  ])
  func `An inserted URL is never parsed again`(url: String) throws {
    let command = try ExecLine("rec --url=%u").expand([url])
    #expect(command.map { $0.map(\.bytes) } == [[Array("rec".utf8), Array("--url=\(url)".utf8)]])
  }

  @Test(arguments: [
    ("rec %u", []), ("rec", [ExecLine.Warning.noURLCode]), ("rec %f", [.localFilesOnly]),
    ("rec %F", [.localFilesOnly]), ("rec \"%u\"", [.codeInQuotes]),
    ("rec %f %u", [.severalURLCodes]), ("rec --x=%U", [.listCodeInsideArgument]),
    ("rec %m %u", [.deprecatedCode("m")]),
    ("rec %x %u", [.unknownCode("x")]), ("rec 5% %u", [.strayPercent]), ("rec * %u", [.unquoted("*")]),
    ("rec 'a' %u", [.unquoted("'")]),
    ("rec a\"b c\" %u", [.quoteInsideArgument]),
    ("rec \"a b\"c %u", [.quoteInsideArgument]),
    ("sh -c \"rec %u\"", [.codeInQuotes, .valueInCode(program: "sh")]),
    ("ssh host rec", [.noURLCode, .valueInCode(program: "ssh")]),
    ("sh -c rec sh %u", []),
  ])
  func `A line that other launchers may reject has a warning`(line: String, warnings: [ExecLine.Warning])
    throws
  {
    #expect(try ExecLine(line).warnings == warnings)
  }

  @Test func `A path in the code of a shell is one word, and a list is several`() throws {
    let line = try ExecLine(#"sh -c "rec %F""#)
    #expect(
      try line.expand(["file:///a;b%27c", "file:///d"]).texts == [["sh", "-c", #"rec '/a;b'\''c' /d"#]])
    let ssh = try ExecLine("ssh host rec %u")
    #expect(try ssh.expand(["n:?a&b"]).texts == [["ssh", "host", "rec", "'n:?a&b'"]])
    #expect(throws: FreedesktopError.valueInCode(program: "ssh")) { try ssh.expand(["n:'"]) }
    let located = try ExecLine(#"sh -c "cd \"\$(dirname \"%k\")\"; ./rec %u""#)
    let facts = ExecLine.Facts(location: "/My App/x.desktop")
    #expect(
      try located.expand(["n:$"], facts: facts).texts == [
        ["sh", "-c", #"cd "$(dirname "/My App/x.desktop")"; ./rec 'n:$'"#]
      ])
  }

  @Test(arguments: [
    (#"sh -c "viewer $(date) %u""#, "viewer $(date) 'n:a;b'"),
    (#"sh -c "exec viewer --lang=$(locale) %u""#, "exec viewer --lang=$(locale) 'n:a;b'"),
    (#"sh -c "$(command -v viewer) %u""#, "$(command -v viewer) 'n:a;b'"),
    ("sh -c \"viewer `date` %u\"", "viewer `date` 'n:a;b'"),
    (#"sh -c "viewer >/dev/null 2>&1 %u""#, "viewer >/dev/null 2>&1 'n:a;b'"),
    (#"sh -c "echo %u | xargs viewer""#, "echo 'n:a;b' | xargs viewer"),
    (#"bash -c "a=(%u -v); viewer x""#, "a=('n:a;b' -v); viewer x"),
  ])
  func `A link beside a substitution is one word`(line: String, code: String) throws {
    #expect(try ExecLine(line).expand(["n:a;b"]).texts.map { $0.dropFirst() } == [["-c", code]])
  }

  @Test(arguments: [
    #"sh -c "ssh $(cat host) viewer %u""#, #"sh -c "flatpak-spawn --host ssh $(cat h) v %u""#,
    #"sh -c "ssh host 2>&1 viewer %u""#, #"sh -c "echo viewer %u | at now""#, #"sh -c "echo %u | python3""#,
    #"sh -c "echo %u | fish""#, #"sh -c "echo %u | ssh host""#, #"sh -c "echo %u | sh /dev/stdin""#,
    #"sh -c "source <(echo viewer %u)""#, #"sh -c "\\ssh host viewer %u""#,
    #"sh -c "\\eval viewer %u""#, #"sh -c "n=%u; echo \$((n))""#,
    #"sh -c "runuser -u a --session-command viewer\\ %u""#,
    #"pwsh -NonInteractive -Command "Start-Process %u""#, "make -C /srv %u", #"node -p -e "f('%u')""#,
    #"sh -c "LD_PRELOAD=%u viewer""#, #"sh -c "echo %u | xargs sh -c""#, #"sh -c "echo %u | psql db""#,
  ])
  func `A link in code that another program reads is rejected`(line: String) throws {
    let line = try ExecLine(line)
    #expect(throws: FreedesktopError.self) { try line.expand(["n:a;b=$(id)"]) }
  }

  @Test func `A line that is too long is an error`() throws {
    _ = try ExecLine("env " + String(repeating: "a", count: 65_532))
    #expect(throws: FreedesktopError.self) { try ExecLine("env " + String(repeating: "a", count: 65_533)) }
  }

  @Test func `Any number of files can be opened`() throws {
    let files = (0..<3_000).map { "file:///a;\($0)" }
    #expect(try ExecLine("viewer %F").expand(files).first?.count == 3_001)
    #expect(try ExecLine("ssh host viewer %F").expand(files).first?.count == 3_003)
  }

  /// Each of them could be a program that interprets all further ones.
  @Test func `A line with too many arguments is an error that shows its beginning`() throws {
    _ = try ExecLine(String(repeating: "env ", count: 1_023) + "true")
    let error = #expect(throws: FreedesktopError.self) {
      try ExecLine(String(repeating: "env ", count: 1_024) + "true")
    }
    #expect(error?.description.contains("1025 arguments; the limit is 1024") == true)
    #expect((error?.description.utf8.count ?? 0) < 400)
  }

  @Test(arguments: ["", "   ", "rec \"a", "rec 'a", "%x", "rec \\", "%m"])
  func `A line that cannot be executed is an error`(line: String) {
    #expect(throws: FreedesktopError.self) { try ExecLine(line) }
  }

  @Test(arguments: [
    (["rec", "%u"], "rec %u"), (["/My App/rec", "%u"], #""/My App/rec" %u"#),
    (["rec", "", "a\"b$`\\"], #"rec "" "a\"b\$\`\\""#),
  ])
  func `Arguments are quoted only where it is necessary`(words: [String], line: String) {
    #expect(ExecLine.line(of: words) == line)
  }

  @Test(
    arguments: [
      ("rec %u", ["rec"], true), ("rec %u", ["/usr/bin/rec", "n:1"], true),
      ("/opt/rec --open %u", ["rec", "--open"], true), ("rec --open %u", ["rec"], false),
      ("rec --open %u", ["rec", "--opened"], false), ("rec --open %u", ["rec", "-v", "--open"], false),
      (#"rec "" %u"#, ["rec", ""], true), (#"rec "" %u"#, ["rec"], false),
      ("rec \u{E9} %u", ["rec", "\u{E9}", "n:1"], true), ("rec \u{E9} %u", ["rec", "e\u{301}"], false),
      ("rec --url=%u", ["rec"], true), ("%u rec", ["n:1", "rec"], false), ("rec %u", [], false),
      // A link to a program that acts by its name, and a process that changed its arguments.
      ("/snap/bin/rec %u", ["/usr/bin/snap", "userd"], false), ("rec %u", ["rec: idle"], false),
      // Programs that run others.
      ("python3 /opt/rec.py %u", ["python3", "/opt/rec.py", "n:1"], true),
      ("python3 /opt/rec.py %u", ["python3", "/opt/other.py"], false),
      ("java -jar /opt/rec.jar %u", ["java", "-jar", "/opt/other.jar"], false),
      ("xterm -e rec %u", ["xterm", "-e", "rec"], true), ("xterm -e rec %u", ["xterm"], false),
      (#"sh -c 'rec "$1"' sh %u"#, ["sh", "-c", #"rec "$1""#, "sh"], true),
      (#"sh -c 'rec "$1"' sh %u"#, ["sh", "-c", "other"], false),
      // Their program is only behind a field code.
      ("sh -c 'rec %u'", ["sh", "-c", "other"], false), ("python3 %u", ["python3", "/opt/other.py"], false),
      ("python3", ["python3", "/opt/other.py"], false), ("xterm -e %u", ["xterm", "-e", "other"], false),
      ("xterm -T %c -e rec %u", ["xterm", "-T", "other"], false),
    ] as [(String, [String], Bool)])
  func `A process is recognized by its arguments before the first field code`(
    line: String, process: [String], isRecognized: Bool
  ) throws {
    let line = try ExecLine(line)
    #expect(line.matches(commandLine: process.map { ProgramArgument($0) }) == isRecognized)
  }

  @Test func `Any arguments survive being written and read`() throws {
    var generator = SeededGenerator(seed: 2)
    let alphabet = Array("ab \"'\\$`%;*é\u{301}\t\n~#=")
    for _ in 0..<2_000 {
      let words = (0..<Int.random(in: 1..<4, using: &generator)).map { _ in
        String(
          (0..<Int.random(in: 0..<6, using: &generator)).compactMap { _ in
            alphabet.randomElement(using: &generator)
          })
      }
      let line = ExecLine.line(
        of: words.map { $0.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%") })
      var file = KeyFile()
      try file.set("Exec", to: KeyFile.raw(line), in: DesktopEntry.group)
      let exec = DesktopEntry(file: KeyFile(bytes: file.bytes)).exec
      let command = try ExecLine(exec ?? "").expand([])
      #expect(command.map { $0.map(\.bytes) } == [words.map { Array($0.utf8) }])
    }
  }

  @Test func `Random lines never trap`() throws {
    var generator = SeededGenerator(seed: 3)
    let alphabet = Array("a \"'\\%uUfFick$;é\u{301}")
    for _ in 0..<5_000 {
      let line = String(
        (0..<Int.random(in: 0..<20, using: &generator)).compactMap { _ in
          alphabet.randomElement(using: &generator)
        })
      guard let exec = try? ExecLine(line) else { continue }
      #expect(
        try exec.expand(["n:1"], facts: Self.facts).joined().contains { $0.description.contains("n:1") })
    }
  }
}

extension [[ProgramArgument]] {
  /// The arguments as text.
  fileprivate var texts: [[String?]] { map { $0.map(\.text) } }
}
