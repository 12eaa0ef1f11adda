import Foundation
import Testing

@testable import RouteTables

/// A line of an example in `docs/routes.md`: columns with two spaces or more between them.
struct PageExample: Sendable, CustomTestStringConvertible {
  let line: Int
  let columns: [String]

  var testDescription: String { "docs/routes.md:\(line): \(columns.joined(separator: " "))" }

  static let all: [PageExample] = {
    let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/routes.md")
    guard let text = try? String(contentsOf: page, encoding: .utf8) else { return [] }
    var examples: [PageExample] = []
    var isInside = false
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("```") {
        isInside = line == "```routes"
      } else if isInside {
        let columns = line.components(separatedBy: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
        examples.append(PageExample(line: index + 1, columns: columns.filter { !$0.isEmpty }))
      }
    }
    return examples
  }()
}

@Suite struct RoutesPageTests {
  @Test func thePageHasExamples() { #expect(PageExample.all.count > 180) }

  @Test(arguments: PageExample.all)
  func theCodeDoesWhatThePageSays(example: PageExample) throws {
    let columns = example.columns + ["", ""]
    let (written, verb, text) = (columns[0], columns[1], columns[2])
    var options = RouteOptions()
    var pattern = written
    if written.hasPrefix("["), let end = written.firstIndex(of: "]") {
      let name = written[written.index(after: written.startIndex)..<end]
      options = RouteOptions(
        ignoresCase: name == "case", ignoresTrailingSlash: name == "slash",
        plus: name == "plus" ? .literal : .automatic,
        authority: name == "segment" ? .segment : .host)
      pattern = String(written[end...].dropFirst(2))
    }
    func only() throws -> RouteTable<String> {
      var builder = RouteTableBuilder<String>()
      try builder.add(pattern, id: pattern, action: pattern, options: options)
      return try builder.build()
    }
    switch verb {
    case "takes":
      let match = try #require(try only().match(text))
      let held = match.values.map { name, value in
        "\(name)=\(value.description.replacingOccurrences(of: " ", with: "%20"))"
      }
      #expect(held.joined(separator: " ") == columns[3])
    case "leaves": #expect(try only().match(text) == nil)
    case "throws":
      let routes = try table([pattern])
      #expect(refusal { () throws(RouteTableError) in _ = try routes.match(text) } != nil)
    case "is refused":
      #expect(refusal { () throws(RouteTableError) in _ = try RoutePattern(pattern) } != nil)
    case "beats":
      #expect(try winner(columns[3], among: pattern, text) == pattern)
      #expect(try winner(columns[3], among: text, pattern) == pattern)
      #expect(try matches(text, columns[3]))
    case "conflicts":
      let error = refusal { () throws(RouteTableError) in _ = try table([pattern, text]) }
      let isConflict = if case .conflicts? = error?.reason { true } else { false }
      #expect(isConflict)
    default: Issue.record("no example says `\(verb)`")
    }
  }
}
