// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests of the articles of `Sources/RouteTables/RouteTables.docc`, whose code is in the files of this directory.
@Suite(.computes) struct `The catalogue of RouteTables` {
  private static let pages = (try? MarkdownPage.catalogue(of: "RouteTables")) ?? []
  private static let examples = pages.flatMap { PageExample.all(of: $0) }
  private static let rows = pages.flatMap { TableExample.all(of: $0) }
  private static let directory = "\(BuiltProducts.repository)/Sources/RouteTables"

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test(arguments: pages)
  func `The code of each article is compiled, and run if it states results`(_ page: MarkdownPage) throws {
    let file = "Tests/RouteTablesTests/Documentation/\(page.name)Example.swift"
    let code = try text("\(BuiltProducts.repository)/\(file)")
    let blocks = page.blocks("swift").filter { !$0.isManifest }
    #expect(!blocks.isEmpty)
    for block in blocks where !block.isPart(of: code) { Issue.record("\(block.text)") }
  }

  @Test func `The manifest is one`() async throws {
    let manifest = try #require(Self.pages.flatMap(\.blocks).first { $0.isManifest })
    #expect(try await manifest.dumpedManifest.contains("\"RouteTables\""))
  }

  @Test(arguments: examples)
  func `Each line of a block of routes holds`(_ example: PageExample) throws { try example.check() }

  @Test(arguments: rows)
  func `Each row of a table matches and rejects its URLs`(_ row: TableExample) throws { try row.check() }

  @Test func `Every block and table is of a kind that is looked at`() {
    #expect(Self.pages.count == 6 && Self.examples.count > 45 && Self.rows.count > 85)
    let languages = Set(Self.pages.flatMap(\.blocks).map(\.language))
    #expect(languages == ["swift", "routes"])
  }

  /// Tests that the text of an image occurs in a tested line of the article.
  @Test func `Every pattern and URL of a picture is one of the article's examples`() throws {
    let tested = Self.examples.reduce(into: Set<String>()) { $0.formUnion($1.columns) }
    let pictures = try FileManager.default.contentsOfDirectory(atPath: "\(Self.directory)/RouteTables.docc")
      .filter { $0.hasSuffix(".svg") }
    #expect(pictures.count == 6)
    for picture in pictures {
      let drawn = try text("\(Self.directory)/RouteTables.docc/\(picture)")
        .matches(of: /<text class="route"[^>]*>([^<]*)</).map { String($0.1) }
      #expect(!drawn.isEmpty)
      for route in drawn { #expect(tested.contains(route), "\(picture)") }
    }
  }

  @Test(arguments: ["inclusion", "overlap", "first-difference"])
  func `A picture for dark mode differs only in colours`(_ name: String) throws {
    let pictures = try [name, "\(name)~dark"].map {
      try text("\(Self.directory)/RouteTables.docc/\($0).svg").replacing(/#[0-9a-f]{6}/, with: "")
    }
    #expect(pictures[0] == pictures[1])
  }

  @Test func `Every page of the repository that an article names is there`() {
    let named = Self.pages.flatMap { MarkdownPage.code(in: $0.text) }.filter { $0.hasPrefix("docs/") }
    #expect(!named.isEmpty)
    for path in named {
      #expect(FileManager.default.fileExists(atPath: "\(BuiltProducts.repository)/\(path)"), "\(path)")
    }
  }

  /// DocC would list a missing page in an automatic group under `## Topics`.
  @Test func `The first page groups the whole public interface`() throws {
    let types = try PublicTypes.declared(in: "RouteTables")
    #expect(types.count > 20)
    for type in try PublicTypes.missingInCatalogue(of: "RouteTables") { Issue.record("\(type)") }
  }
}
