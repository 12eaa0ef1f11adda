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
      ("man5/usher-routes.5", ["exec  = [\"mpv\", \"--start={t=0s}\"", "remember", "usher-policy(7)"]),
      ("man5/usher-patterns.5", ["{x...?}"]), ("man5/usher-locks.5", ["direct_registration = false"]),
      ("man7/usher-policy.7", ["[route.no-remote-desktops]", "locks.toml", "wins_over"]),
      ("man7/usher-prompts.7", ["usher grants revoke", "zenity"]),
    ] {
      let shown = try await Command.run(
        "mandoc", ["-T", "utf8", "-O", "width=100", "\(manDirectory)/\(page)"])
      let text = shown.output.replacing(/.\u{8}/, with: "")
      for word in words { #expect(text.contains(word), "\(page): \(word)") }
      let left = text.split(separator: "\n").filter {
        $0.contains("**") || $0.contains("](") || $0.contains("```")
      }
      #expect(left == [], "\(page)")
    }
  }

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
