// SPDX-License-Identifier: Apache-2.0
import RouteExplanations
import Foundation
import RouteTables
import Testing

@testable import RouteFiles

/// A case of `Golden/explanations.md`: route files, and questions with their expected answers.
struct ExplanationCase {
  let title: String
  /// The kind of each file's block, `toml` with the layer, and its text; the files are named a.toml, b.toml and so on.
  var files: [(kind: Substring, text: String)] = []
  /// The texts after `$`: the URL, then `name=value` for the context of the request.
  var questions: [String] = []

  static let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "Golden/explanations.md")

  static let page: String = (try? String(contentsOf: path, encoding: .utf8)) ?? ""

  static let all: [ExplanationCase] = {
    var cases: [ExplanationCase] = []
    var (block, lines): (Substring?, [Substring]) = (nil, [])
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("## ") { cases.append(ExplanationCase(title: String(line.dropFirst(3)))) }
      if line.hasPrefix("$ "), block == "text" {
        cases[cases.count - 1].questions.append(String(line.dropFirst(2)))
      }
      guard line.hasPrefix("```") else {
        lines.append(line)
        continue
      }
      if let block, block.hasPrefix("toml") {
        cases[cases.count - 1].files.append((block, lines.joined(separator: "\n")))
      }
      (block, lines) = (block == nil ? line.dropFirst(3) : nil, [])
    }
    return cases
  }()

  /// Returns the case in the form of the page, with the current answers.
  func written() throws -> String {
    let blocks = files.map { "```\($0.kind)\n\($0.text)\n```\n" }
    let answers = try questions.map { "$ \($0)\n\(try answer(to: $0))\n" }
    return "## \(title)\n\(blocks.joined())```text\n\(answers.joined(separator: "\n"))```\n"
  }

  private func answer(to question: String) throws -> String {
    let words = question.split(separator: " ").map(String.init)
    let said = words.dropFirst().map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    let context = Dictionary(uniqueKeysWithValues: said.map { ($0[0], $0.count > 1 ? $0[1] : "") })
    let ranks: [Substring: PolicyLayer] = ["toml user": .user, "toml vendor": .vendor]
    let sources = zip(files, ["a", "b", "c"]).map { file, name in
      RouteFileSource(name: "\(name).toml", text: file.text, rank: ranks[file.kind] ?? .administrator)
    }
    let set = RouteFileSet(sources)
    try #require(set.diagnostics == [], "\(title)")
    do {
      return try set.table.explain(words[0], when: context).description
    } catch {
      return "\(error)"
    }
  }
}

@Suite struct `Explanations` {
  @Test func `are as they were when a person last read them`() throws {
    let cases = ExplanationCase.all
    #expect(cases.reduce(0) { $0 + $1.questions.count } >= 30)
    let head = ExplanationCase.page.prefix { $0 != "#" }
    var page = String(head)
    page += try cases.map { try $0.written() }.joined(separator: "\n")
    if ProcessInfo.processInfo.environment["USHER_WRITE_GOLDEN"] != nil {
      try page.write(to: ExplanationCase.path, atomically: true, encoding: .utf8)
    }
    #expect(page == ExplanationCase.page, "USHER_WRITE_GOLDEN=1 writes the page anew")
  }
}
