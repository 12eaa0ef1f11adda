// SPDX-License-Identifier: Apache-2.0
@testable import RouteAnalysis
@testable import RouteTables
@testable import RouteTablesTestSupport
import TestSupport
import Testing

@Suite(.computes) struct `The graph of a table` {
  private func table(_ patterns: [String], ids: [String] = []) throws -> RouteTable<String> {
    var builder = RouteTableBuilder<String>()
    for (number, pattern) in patterns.enumerated() {
      try builder.add(
        [try RoutePattern(pattern)], id: ids.isEmpty ? "r\(number)" : ids[number], action: "do",
        at: SourceLocation(file: "t", line: number))
    }
    return try builder.build()
  }

  /// Returns the graph as an indented list, with marked routes.
  private func outline(_ patterns: [String], depth: Int? = nil) throws -> [String] {
    let graph = RouteGraph(try table(patterns), depth: depth) { $0 }
    let children = Set(graph.nodes.flatMap(\.children))
    func lines(_ number: Int, _ indent: String) -> [String] {
      let node = graph.nodes[number]
      return [indent + (node.kind == .route ? "= " : "") + node.lines.joined(separator: " ")]
        + node.children.flatMap { lines($0, indent + "  ") }
    }
    return graph.nodes.indices.filter { !children.contains($0) }.flatMap { lines($0, "") }
  }

  @Test func `joins common prefixes and chains of nodes`() throws {
    let lines = try outline([
      "https://h.example/note/{id:int}?tab={tab?}", "https://h.example/note/{id:int}/edit?as=x&!y#{f?}",
      "https://h.example/note/new", "{:http|https}://{t}.example:*/{p...}#top", "/bare/{x=1}", "app:a/b",
    ])
    #expect(
      lines == [
        "(any scheme and host)/bare/{x=1}", "  = r4 do", "app:a/b", "  = r5 do", "https://h.example/note",
        "  /new", "    = r2 do", "  /{id: int}", "    = r0 do", "    /edit?as=x&!y", "      = r1 do",
        "{http|https}://{t}.example:*/{p...} #top", "  = r3 do",
      ])
  }

  @Test func `is folded if it is too large, and contains every route once`() throws {
    var random = SeededGenerator(seed: 3)
    for size in [1, 3, 40, 149, 400, 3_000] {
      let patterns = (0..<size).map { number in
        let path = (0..<random.below(4)).map { _ in random.pick(["/a", "/b", "/c", "/d"]) }.joined()
        return "\(random.pick(["app", "notes", "web"])):/s\(random.below(30))\(path)/n\(number)"
      }
      let table = try table(patterns)
      for limit in [1, 2, 3, 10, 150, 100_000] {
        let graph = RouteGraph(table, limit: limit) { $0 }
        #expect(graph.nodes.count <= limit)
        let drawn = graph.nodes.count { $0.kind == .route }
        let folded = graph.nodes.filter { $0.kind == .folded }.compactMap { node in
          Int(node.lines[0].split(separator: " ")[1])
        }
        #expect(drawn + folded.reduce(0, +) == size, "\(size) \(limit)")
        if limit == 100_000 { #expect(folded.isEmpty) }
        if limit == 150, size >= 400 { #expect(graph.nodes.count >= 75, "\(graph.nodes.count)") }
      }
    }
  }

  @Test func `has no more levels than its depth`() throws {
    let patterns = ["app:/a/b/c", "app:/a/b/d", "app:/a/e", "web:/x"]
    #expect(try outline(patterns, depth: 1) == ["app:/a", "  … 3 routes", "web:/x", "  = r3 do"])
    #expect(
      try outline(patterns, depth: 2) == [
        "app:/a", "  /b", "    … 2 routes", "  /e", "    = r2 do", "web:/x", "  = r3 do",
      ])
    #expect(try outline([]) == [])
  }

  private static let awkward = [
    "\"", "\\", "a\nb", "#quot;", "<b>&amp;", "`x`", "%%{init: {}}%%", "end", "[x]", "]]", "-->", "\\N\\l",
    "é日",
    "\u{202E}evil", "\u{0}", "\u{7F}", ";", "'", "{x}", "|", "$$x$$", "…", "%% c", "\t", "\u{2028}",
  ]

  @Test func `has escaped labels in Mermaid and DOT`() throws {
    let ids = Self.awkward
    let graph = RouteGraph(try table(ids.indices.map { "app:/n\($0)" }, ids: ids)) { $0 }
    let labels = graph.mermaid.split(separator: "\n").compactMap { line in
      line.wholeMatch(of: #/  n\d+\(?\["(.*)"\]\)?(:::route)?/#)?.output.1
    }
    #expect(labels.count == graph.nodes.count)
    let plain = Set(" 0123456789/.:?={}-_,!()…".unicodeScalars)
    for label in labels {
      let text = label.replacing("<br/>", with: "").replacing(/[#][0-9]+;/, with: "")
      #expect(
        text.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || plain.contains($0) }, "\(label)")
    }
    #expect(graph.mermaid.contains("([\"#34;<br/>do\"])") && graph.mermaid.contains("é日"))
    let scalars = (graph.mermaid + graph.dot).unicodeScalars
    #expect(
      !scalars.contains { scalar in
        scalar.value < 32 && scalar != "\n" || ["\u{202E}", "\u{2028}", "\u{7F}"].contains(scalar)
      })
    for text in [#"\""#, #"\\"#, "a\u{FFFD}b", "<b>&amp;amp;", #"\\N\\l"#] {
      #expect(graph.dot.contains("[label=\"\(text)\\ndo\""), "\(text)")
    }
  }
}
