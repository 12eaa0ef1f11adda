// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests of the articles of `Sources/Scenes/Scenes.docc`, whose code is in the files of this directory.
@Suite struct `The catalogue of Scenes` {
  private func article(_ name: String) throws -> MarkdownPage {
    try MarkdownPage("Sources/Scenes/Scenes.docc/\(name).md")
  }

  private func code(_ example: String) throws -> String {
    let path = "\(BuiltProducts.repository)/Tests/ScenesTests/Documentation/\(example)Example.swift"
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test(arguments: [
    ("Scenes", "GettingStarted", 1), ("GettingStarted", "GettingStarted", 4), ("ComingFromUIKit", "UIKit", 6),
    ("ComingFromGApplication", "GApplication", 2), ("ComingFromElectron", "Electron", 4),
  ])
  func `The code of each article is compiled, and run if it states results`(
    _ article: String, _ example: String, _ count: Int
  ) throws {
    let code = try code(example)
    let blocks = try self.article(article).blocks("swift")
    #expect(blocks.count == count)
    for block in blocks where !block.isManifest && !block.isPart(of: code) {
      Issue.record("\(block.text)")
    }
  }

  @Test func `Every block is of a kind that is looked at`() throws {
    let languages = try MarkdownPage.catalogue(of: "Scenes").flatMap(\.blocks).map(\.language)
    let found = Dictionary(grouping: languages) { $0 }.mapValues(\.count)
    #expect(found == ["swift": 17, "ini": 1, "console": 1, "json": 1])
  }

  @Test func `The manifest is one, and the payload is that of the test`() async throws {
    let manifest = try #require(try article("GettingStarted").blocks("swift").first)
    #expect(try await manifest.dumpedManifest.contains("\"Scenes\""))
    let payload = try #require(try article("ComingFromUIKit").blocks("json").first)
    #expect(payload.isPart(of: try code("UIKit")))
  }
}
