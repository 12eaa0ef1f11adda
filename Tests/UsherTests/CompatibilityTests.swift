// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A test of `docs/compatibility.md`, which determines the results of unusual links with the real openers.
///
/// `USHER_WRITE_DOCS=1 swift test --filter Compatibility` regenerates the table.
@Suite struct `Compatibility` {
  /// A link, with the entry of its program.
  struct Case {
    let url: String
    let what: String
    /// The `Exec` line, in which `PROGRAM` stands for the program; `nil` if no entry exists.
    let exec: String?
    var lines: [String] = []
    var program = "viewer"

    static let all = [
      Case(url: "plain:abc", what: "a plain entry", exec: "PROGRAM %u"),
      Case(url: "PLAIN://x", what: "a scheme in capitals", exec: "PROGRAM %u"),
      Case(url: "quoted://x", what: "a quoted program", exec: "PROGRAM %u", program: "My Viewer"),
      Case(url: "embed://x", what: "a field code inside an argument", exec: "PROGRAM --url=%u"),
      Case(url: "nofc://x", what: "no field code", exec: "PROGRAM"),
      Case(url: "fc://x", what: "a field code for files", exec: "PROGRAM %f"),
      Case(url: "pct://x", what: "a percent sign", exec: "PROGRAM --p=50%% %u"),
      Case(url: "glob://x", what: "a star", exec: "PROGRAM * %u"),
      Case(url: "my+app://x", what: "a plus in the scheme", exec: "PROGRAM %u"),
      Case(url: "app2://x", what: "a digit in the scheme", exec: "PROGRAM %u"),
      Case(url: "mail:a@x?subject=Hello World", what: "a space", exec: "PROGRAM %u"),
      Case(url: "win:C:\\Users\\x", what: "a backslash", exec: "PROGRAM %u"),
      Case(url: "odd:a^b<c>\"{d}", what: "characters that RFC 3986 does not allow", exec: "PROGRAM %u"),
      Case(url: "uni:日本語", what: "characters outside ASCII", exec: "PROGRAM %u"),
      Case(url: "lat:%E9%FF", what: "encoded bytes that are not UTF-8", exec: "PROGRAM %u"),
      Case(url: "zz:%zz%", what: "a percent sign without digits", exec: "PROGRAM %u"),
      Case(url: "nl:a\nb", what: "a line end", exec: "PROGRAM %u"),
      Case(url: "ms-word:ofe|u|https://x/a.docx", what: "a scheme of Office", exec: "PROGRAM %u"),
      Case(url: "missing://x", what: "the program is missing", exec: "/no/such/program %u"),
      Case(url: "fail://x", what: "the program exits with 7", exec: "PROGRAM %u"),
      Case(url: "hid:x", what: "the entry is hidden", exec: "PROGRAM %u", lines: ["Hidden=true"]),
      Case(url: "nohandler://x", what: "no application handles it", exec: nil),
    ]
  }

  /// Returns the result of an opener for a link.
  private func outcome(of opener: [String], _ link: Case) async throws -> String {
    let desktop = try ThrowAwayDesktop()
    let status: Int32 = link.url.hasPrefix("fail") ? 7 : 0
    let viewer = try Recorder(link.program, in: desktop, .exits(status))
    let browser = try Recorder("browser", in: desktop)
    if let exec = link.exec {
      try desktop.installDesktopEntry(
        "viewer", exec: exec.replacingOccurrences(of: "PROGRAM", with: viewer.execWord),
        schemes: [String(link.url.prefix { $0 != ":" }.lowercased())], lines: link.lines)
      try await desktop.updateDesktopDatabase()
    }
    // The file that a `*` would match if a shell expanded it.
    let directory = "\(desktop.home)/folder"
    try FileManager.default.createDirectory(atPath: "\(directory)/file", withIntermediateDirectories: true)
    let extra = ["DISPLAY": ":99", "XDG_CURRENT_DESKTOP": "X-Generic", "BROWSER": browser.path]
    let result = try await Command.run(
      opener[0], opener.dropFirst() + [link.url], environment: desktop.environment.merging(extra) { $1 },
      directory: directory)
    // An opener that failed has started no program, so that no start needs to be awaited.
    let code = try #require(result.status, "\(result)")
    guard code == 0 || link.url.hasPrefix("fail") else { return "exit \(code)" }
    let start = try await withThrowingTaskGroup(of: (Bool, RecordedStart).self) { group in
      group.addTask { (false, try await viewer.nextStart()) }
      group.addTask { (true, try await browser.nextStart()) }
      defer { group.cancelAll() }
      return try #require(try await group.next())
    }
    let exit = code == 0 ? "" : ", exit \(code)"
    guard !start.0 else { return "`$BROWSER` gets it" + exit }
    let arguments = start.1.arguments
    return
      (arguments.isEmpty
      ? "started without it" : arguments.map { "`\(Self.cell($0))`" }.joined(separator: " "))
      + exit
  }

  /// Returns a text as the content of a table cell.
  private static func cell(_ text: String) -> String {
    text.replacing("\n", with: "␤").replacing("|", with: "\\|")
  }

  private func table() async throws -> String {
    let openers = [[BuiltProducts.usher, "open"], ["xdg-open"], ["gio", "open"]]
    var rows = ["| link | case | `usher open` | `xdg-open` | `gio open` |", "|---|---|---|---|---|"]
    for link in Case.all {
      var cells: [String] = []
      for opener in openers { cells.append(try await outcome(of: opener, link)) }
      rows.append("| `\(Self.cell(link.url))` | \(link.what) | \(cells.joined(separator: " | ")) |")
    }
    return rows.joined(separator: "\n")
  }

  @Test func `The page describes the openers' behaviour`() async throws {
    let page = "\(BuiltProducts.repository)/docs/compatibility.md"
    let text = try String(contentsOfFile: page, encoding: .utf8)
    let start = try #require(text.range(of: "<!-- table -->\n"))
    let end = try #require(text.range(of: "\n<!-- end -->"))
    let table = try await table()
    if ProcessInfo.processInfo.environment["USHER_WRITE_DOCS"] != nil {
      let page = URL(filePath: page)
      try text.replacingCharacters(in: start.upperBound..<end.lowerBound, with: table)
        .write(to: page, atomically: true, encoding: .utf8)
    } else {
      #expect(text[start.upperBound..<end.lowerBound] == table)
    }
  }
}
