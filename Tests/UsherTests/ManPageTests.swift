// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `Man pages` {
  private let directory: TemporaryDirectory
  private var manDirectory: String { "\(directory.path)/usr/share/man" }

  init() throws { directory = try TemporaryDirectory() }

  private func run(_ program: String) async throws {
    try await Command.run(
      "\(BuiltProducts.repository)/scripts/install-man-pages", [program, "/usr/share", directory.path],
      environment: Command.bareEnvironment.merging(["SOURCE_DATE_EPOCH": "1763800000"]) { $1 }
    ).orThrow()
  }

  private func pages() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: manDirectory).filter { $0.contains(".") }.sorted()
  }

  @Test func `Each command has a valid man page that equals its golden file`() async throws {
    try await run(BuiltProducts.usher)
    let commands = try await CommandTree.read().paths
    let names = commands.map { (["usher"] + $0).joined(separator: "-") + ".1" }
    let pages = try pages()
    let others = [
      "man5/usher-locks.5", "man5/usher-patterns.5", "man5/usher-routes.5", "man7/usher-policy.7",
      "man7/usher-prompts.7", "man8/usher-triggers.8", "man8/usherd.8",
    ]
    #expect(Set(pages) == Set(names.map { "man1/\($0)" } + others))
    for page in pages {
      let lint = try await Command.run("mandoc", ["-T", "lint", "-W", "warning", "\(manDirectory)/\(page)"])
      #expect(lint.succeeded && lint.output.isEmpty && lint.errorOutput.isEmpty, "\(lint)")
      let shown = try await Command.run(
        "mandoc", ["-T", "ascii", "-O", "width=80", "\(manDirectory)/\(page)"]
      )
      .orThrow()
      let text = shown.output.replacing(/.\u{8}/, with: "")
      let isText = page.hasPrefix("man5/") || page.hasPrefix("man7/")
      #expect(text.contains("SEE ALSO") && text.contains("EXIT STATUS") != isText, "\(page)")
      if page.hasPrefix("man1/") {
        try Golden.check(
          try String(contentsOfFile: "\(manDirectory)/\(page)", encoding: .utf8), "man/\(page.dropFirst(5))")
      }
    }
    #expect(try Golden.left(in: "man", but: Set(names)) == [])
  }

  @Test func `Examples in man pages are written as they are typed`() async throws {
    try await run(BuiltProducts.usher)
    let shown = try await Command.run(
      "mandoc", ["-T", "utf8", "-O", "width=120", "\(manDirectory)/man1/usher-open.1"])
    let text = shown.output.replacing(/.\u{8}/, with: "")
    for example in try await HelpPage(["open"]).examples { #expect(text.contains(example), "\(example)") }
  }

  @Test
  func
    `Those on formats and on the policy say what the pages of docs say, and nothing is left of their marks`()
    async throws
  {
    try await run(BuiltProducts.usher)
    for (page, words) in [
      (
        "man5/usher-routes.5",
        [
          "exec  = [\"mpv\", \"--start={t=0s}\"", "remember",
          "never opened (see “Forbidden schemes” in usher-policy(7))",
        ]
      ), ("man5/usher-patterns.5", ["{x...?}"]),
      ("man5/usher-locks.5", ["direct_registration = false", "docs/notifications.md"]),
      (
        "man7/usher-policy.7",
        [
          "[route.no-remote-desktops]", "wins_over", "usher-locks(5)", "docs/security.md",
          "administrator's final routes",
        ]
      ),
      ("man7/usher-prompts.7", ["usher grants revoke", "zenity"]),
    ] {
      let shown = try await Command.run(
        "mandoc", ["-T", "utf8", "-O", "width=100", "\(manDirectory)/\(page)"])
      let text = shown.output.replacing(/.\u{8}/, with: "")
      // The words of a sentence may be on several lines.
      let running = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      for word in words {
        #expect(text.contains(word) || running.contains(word), "\(page): \(word)")
      }
      let left = text.split(separator: "\n").filter {
        $0.contains("**") || $0.contains("](") || $0.contains("```") || $0.contains(/\s\*\w+\*/)
          || $0.contains("(details)") || $0.contains(#/^ *[-|] /#) || $0.contains(/\w\.md#/)
      }
      #expect(left == [], "\(page)")
    }
  }

  @Test func `Tables, lists, emphasis and links of a page of docs are those of its man page`() async throws {
    let docs = try TemporaryDirectory()
    try Self.sample.write(toFile: "\(docs.path)/this.md", atomically: true, encoding: .utf8)
    try "# Other\n## Kept\nx\n## Elsewhere\ny\n### Below\nz\n".write(
      toFile: "\(docs.path)/other.md", atomically: true, encoding: .utf8)
    let script = """
      import pathlib, sys
      sys.path.insert(0, sys.argv[1]); sys.dont_write_bytecode = True
      import markdown_page as one
      one.DOCS = pathlib.Path(sys.argv[2])
      manuals = [one.Manual("usher-this(7)", "this.md", without=("Left out",)),
                 one.Manual("usher-other(7)", "other.md", without=("Elsewhere",)),
                 one.Manual("usher-part(5)", "other.md", only=("Elsewhere",))]
      head = ".Dd November 1, 2026\\n.Dt USHER-THIS 7\\n.Os\\n.Sh NAME\\n.Nm usher-this\\n.Nd a page"
      print(one.Converter(manuals[0], manuals).page(head), end="")
      """
    let page = "\(docs.path)/usher-this.7"
    let made = try await Command.run(
      "python3", ["-c", script, "\(BuiltProducts.repository)/scripts", docs.path]
    )
    .orThrow()
    try made.output.write(toFile: page, atomically: true, encoding: .utf8)
    let lint = try await Command.run("mandoc", ["-T", "lint", "-W", "warning", page])
    #expect(lint.succeeded && lint.output.isEmpty, "\(lint)")
    let shown = try await Command.run("mandoc", ["-T", "utf8", "-O", "width=78", page]).orThrow()
    let lines = shown.output.replacing(/.\u{8}/, with: "").split(separator: "\n")
      .filter { !$0.allSatisfy(\.isWhitespace) }
    #expect(lines.dropFirst().dropLast().joined(separator: "\n") == Self.shown)
    #expect(made.output.contains("\\fIemphasis\\fR") && made.output.contains("\\fBstrong\\fR"))
  }

  private static let sample = """
    # This

    An *emphasis*, `a * b * c`, and **strong**. See [below](#second) and ([details](#second)).
    [other.md](other.md) says more; a scheme is [never opened](other.md#kept), or [limited](other.md#below).
    The reason ([decision 7](decisions/0007-why.md)) is left out, and so is [a text](#left-out) (also [here](other.md#kept)).

    ```mermaid
    flowchart TD
      start(["the start"]) --> one["the first<br>step"]
      one --> two["the second"]
    ```

    - Outer
      continued:
      - Inner *one*.
      - Inner two.

    - Last.

    1. Number.

    ## Second

    | who | request | result |
    |---|---|---|
    | any | a long request, which needs more than the width that a line of a page has | rejected |
    | An one | a \\| b | |

    | limit | URL | pattern |
    |---|---|---|
    | length | 64 | 32 |
    | No | | . |

    ## Left out

    Nothing.
    """

  private static let shown = """
    NAME
         usher-this – a page
    DESCRIPTION
         An emphasis, a * b * c, and strong.  See “SECOND” and (see “SECOND”).
         usher-other(7) says more; a scheme is never opened (see “KEPT” in
         usher-other(7)), or limited (see “Below” in usher-part(5)).  The reason
         is left out, and so is a text (also here, see “KEPT” in usher-other(7)).
         1.   the first step
         2.   the second
         •   Outer continued:
             •   Inner one.
             •   Inner two.
         •   Last.
         1.   Number.
    SECOND
         who: any
                 request  a long request, which needs more than the width that a
                          line of a page has
                 result   rejected
         who: An one
                 request  a | b
         limit     URL    pattern
         length    64     32
         No               .
    """

  @Test func `Pages name the schema of the --json output, and it is installed`() async throws {
    try await run(BuiltProducts.usher)
    var named: Set<String> = []
    for page in try pages() {
      let text = try String(contentsOfFile: "\(manDirectory)/\(page)", encoding: .utf8)
      let lines = text.matches(of: /Pa \/usr\/share\/usher\/schemas\/(usher-\S+)/)
      let schemas = lines.map { String($0.output.1) }
      // The page of usher report contains its JSON.
      let hasJSON = text.contains(".It Fl -json") || page.contains("usher-report")
      #expect(hasJSON == !schemas.isEmpty, "\(page)")
      named.formUnion(schemas)
    }
    let all = try FileManager.default.contentsOfDirectory(atPath: JSONSchema.directory)
    #expect(named == Set(all.filter { $0.hasPrefix("usher-") }))
  }

}
