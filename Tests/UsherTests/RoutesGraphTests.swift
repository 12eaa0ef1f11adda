// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct `usher routes graph` {
  private static let routes = #"""
    format = 1
    owner = "user"
    [route."a \"b\"\\ <i>&amp; %%{x}"]
    match = "notes://h/{id:/[^\"\\\\<>|]{2}/}?a=%22&b={b}"
    deny = "no"
    [route.two]
    match = "notes://h/two/%26lt;"
    exec = ["mpv", "--", "{@url}"]
    [route.three]
    match = "https://{:www.|}h/%7C%5B%5D"
    open = "org.example.Notes"

    """#

  private func graph(
    _ words: [String], on desktop: ThrowAwayDesktop, _ environment: [String: String] = [:]
  ) async throws -> CommandResult {
    try desktop.write(Self.routes, to: "home/notes.toml")
    return try await Command.run(
      BuiltProducts.usher, ["routes", "graph", "notes.toml"] + words,
      environment: desktop.environment.merging(environment) { $1 }, directory: desktop.home)
  }

  @Test func `It is Mermaid, or DOT`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let mermaid = try await graph([], on: desktop)
    #expect(mermaid.status == 0 && mermaid.errorOutput.isEmpty, "\(mermaid)")
    #expect(mermaid.lines.first == "flowchart LR")
    #expect(mermaid.lines.contains(#"  n1(["three<br/>open org.example.Notes"]):::route"#), "\(mermaid)")
    let dot = try await graph(["--format", "dot"], on: desktop)
    #expect(dot.status == 0 && dot.lines.first == "digraph routes {" && dot.lines.last == "}", "\(dot)")
    #expect(dot.output.contains(#"label="two\nexec mpv""#))
    let folded = try await graph(["--depth", "1"], on: desktop)
    #expect(folded.output.contains("… 2 routes") && folded.status == 0)
    for words in [["--depth", "0"], ["--format", "png"]] {
      #expect(try await graph(words, on: desktop).status == 64)
    }
  }

  @Test func `Graphviz accepts the graph for any route names`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let picture = try await graph(["--format", "svg"], on: desktop)
    #expect(picture.status == 0, "\(picture)")
    let texts = picture.output.matches(of: #/<text[^>]*>([^<]*)</text>/#).map { String($0.output.1) }
    // The image contains the names of the routes, with XML entities.
    let shown = Set(
      texts.map {
        $0.replacing("&#45;", with: "-").replacing("&quot;", with: "\"").replacing("&#160;", with: " ")
          .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
      })
    #expect(
      shown.isSuperset(of: [#"a "b"\ <i>&amp; %%{x}"#, "deny", "two", "exec mpv", "/two/&lt;"]), "\(shown)")
  }

  @Test(arguments: [
    ("exit 3", "drew nothing (exit status 3)"), ("kill -9 $$", "drew nothing (signal 9 (Killed))"),
    ("exec cat /dev/zero", "the SVG exceeds 4 MiB"),
  ])
  func `The error says how Graphviz has failed`(script: String, message: String) async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installScript("dot", "#!/bin/sh\n\(script)\n")
    let result = try await graph(["--format", "svg"], on: desktop, ["PATH": "\(desktop.bin):/usr/bin:/bin"])
    #expect(result.status == 1 && result.output.isEmpty && result.errorOutput.contains(message), "\(result)")
  }

  @Test func `The graph is passed in a temporary file, for which an empty TMPDIR counts as unset`()
    async throws
  {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installScript("dot", "#!/bin/sh\ngrep -c digraph\necho '</svg>'\n")
    func drawn(_ directory: String) async throws -> CommandResult {
      try await graph(
        ["--format", "svg"], on: desktop, ["PATH": "\(desktop.bin):/usr/bin:/bin", "TMPDIR": directory])
    }
    let unset = try await drawn("")
    #expect(unset.status == 0 && unset.output == "1\n</svg>\n", "\(unset)")
    let missing = try await drawn("/nowhere")
    #expect(
      missing.status == 1
        && missing.errorOutput.contains(
          "no temporary file can be written in /nowhere: No such file or directory; set TMPDIR"),
      "\(missing)")
  }

  /// A file that got the number of a closed descriptor would receive the messages.
  @Test func `Standard descriptors that are closed are occupied`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.write(Self.routes, to: "home/notes.toml")
    try desktop.installScript(
      "dot", "#!/bin/sh\nreadlink /proc/$PPID/fd/0 /proc/$PPID/fd/2\ncat >/dev/null\necho '</svg>'\n")
    let result = try await Command.run(
      "sh", ["-c", "exec \"$0\" routes graph notes.toml --format svg <&- 2>&-", BuiltProducts.usher],
      environment: desktop.environment.merging(["PATH": "\(desktop.bin):/usr/bin:/bin"]) { $1 },
      directory: desktop.home)
    #expect(result.lines == ["/dev/null", "/dev/null", "</svg>"], "\(result)")
  }

  @Test func `Without Graphviz, the error names the package`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let result = try await graph(["--format", "svg"], on: desktop, ["PATH": "/nowhere"])
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(result.errorOutput.contains("install the package graphviz"), "\(result)")
  }
}
