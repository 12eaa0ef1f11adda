// SPDX-License-Identifier: Apache-2.0
import Foundation
import RouteTables
import Testing

@testable import RouteFiles

/// An example of a page with route files: a file, with its expected diagnostics.
struct PageFile: Sendable, CustomTestStringConvertible {
  let page: String
  let line: Int
  let text: String
  var becomes: [(url: String, result: String)] = []
  var diagnostics: [String] = []

  var testDescription: String { "docs/\(page):\(line)" }

  /// Returns the text of a page of the documentation.
  static func text(of page: String) -> String {
    let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/\(page)")
    return (try? String(contentsOf: page, encoding: .utf8)) ?? ""
  }

  static let reference = text(of: "route-files.md")
  static let all = ["route-files.md", "web-links.md"].flatMap { files(of: $0) }

  private static func files(of page: String) -> [PageFile] {
    var files: [PageFile] = []
    var (kind, start, lines): (Substring?, Int, [Substring]) = (nil, 0, [])
    for (index, line) in text(of: page).split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      guard line.hasPrefix("```") else {
        lines.append(line)
        continue
      }
      switch kind {
      case "toml": files.append(PageFile(page: page, line: start, text: lines.joined(separator: "\n")))
      case "diagnostics": files[files.count - 1].diagnostics = lines.map(String.init)
      case "becomes":
        files[files.count - 1].becomes = lines.map { line in
          let columns = line.split(separator: "  ", maxSplits: 1)
          return (String(columns[0]), columns[1].trimmingCharacters(in: .whitespaces))
        }
      default: break
      }
      (kind, start, lines) = (kind == nil ? line.dropFirst(3) : nil, index + 2, [])
    }
    return files
  }

  /// The parsed file; the two lines of every file are prepended if the example omits them.
  var set: RouteFileSet {
    let whole = shift == 0 ? text : "format = 1\nowner = \"user\"\n" + text
    return RouteFileSet([RouteFileSource(name: "page.toml", text: whole, rank: .administrator)])
  }

  /// The number of prepended lines.
  var shift: Int { text.hasPrefix("format") ? 0 : 2 }
}

@Suite struct RouteFilesPageTests {
  @Test func `The pages have examples`() {
    #expect(PageFile.all.count { $0.page == "route-files.md" } >= 12)
    #expect(PageFile.all.count { $0.page == "web-links.md" } >= 12)
    #expect(PageFile.all.reduce(0) { $0 + $1.becomes.count } >= 9)
  }

  @Test(arguments: PageFile.all) func `The files behave as the pages describe`(file: PageFile) throws {
    let set = file.set
    let diagnostics = set.diagnostics.map { diagnostic in
      // Line numbers count from the example's first line.
      let message = diagnostic.message.replacing(/page\.toml:(\d+)/) {
        "page.toml:\((Int($0.1) ?? 0) - file.shift)"
      }
      return "\(diagnostic.location.line - file.shift):\(diagnostic.location.column): \(message)"
    }
    #expect(diagnostics == file.diagnostics)
    #expect(set.runTests().map(\.description) == [])
    for (url, result) in file.becomes { #expect(try outcome(of: url, set) == result, "\(url)") }
  }

  private func outcome(of url: String, _ set: RouteFileSet) throws -> String {
    guard let match = try set.table.match(url) else { return "no route" }
    switch match.action {
    case .exec(let argv): return argv.compactMap { $0.filled(by: match, url: url) }.joined(separator: " ")
    case .rewrite(let template): return template.filled(by: match, url: url) ?? "nothing"
    default: return "\(match.action)"
    }
  }

  @Test func `The page names every key`() {
    let tables = [RouteFileKeys.file, .group, .route, .tests, .source, .perform, .rewrite, .running]
    for key in tables.flatMap(\.keys) {
      #expect(
        PageFile.reference.contains("`\(key)`") || PageFile.reference.contains(".\(key)`")
          || PageFile.reference.contains("\(key) ="),
        "\(key)")
    }
  }
}
