import Foundation
import TestSupport
import Testing

/// The articles of `Sources/Scenes/Scenes.docc`, each with the file of this folder that has its code.
@Suite struct `The catalogue of Scenes` {
  private static let root = BuiltProducts.repository

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(Self.root)/\(path)", encoding: .utf8)
  }

  private func article(_ name: String) throws -> String { try text("Sources/Scenes/Scenes.docc/\(name).md") }

  private func unspaced(_ text: some StringProtocol) -> String { String(text).filter { !$0.isWhitespace } }

  /// The blocks of a language, without its name.
  private func blocks(_ language: String, of article: String) throws -> [Substring] {
    try self.article(article).components(separatedBy: "```").enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("\(language)\n") }
      .map { $0.element.dropFirst(language.count + 1) }
  }

  @Test(arguments: [
    ("Scenes", "GettingStarted", 1), ("GettingStarted", "GettingStarted", 4), ("ComingFromUIKit", "UIKit", 6),
    ("ComingFromGApplication", "GApplication", 2), ("ComingFromElectron", "Electron", 4),
  ])
  func `The code of each article is compiled, and run where it says what happens`(
    _ article: String, _ example: String, _ count: Int
  ) throws {
    let code = unspaced(try text("Tests/ScenesTests/Documentation/\(example)Example.swift"))
    let blocks = try blocks("swift", of: article)
    #expect(blocks.count == count)
    for block in blocks where !block.hasPrefix("// swift-tools-version") {
      #expect(code.contains(unspaced(block)), "\(block)")
    }
  }

  @Test func `Every block is of a kind that is looked at`() throws {
    let known = ["swift": 17, "ini": 1, "console": 1, "json": 1]
    var found: [String: Int] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: "\(Self.root)/Sources/Scenes/Scenes.docc")
    {
      for part in try text("Sources/Scenes/Scenes.docc/\(file)").components(separatedBy: "```").enumerated()
      where part.offset % 2 == 1 {
        found[String(part.element.prefix { $0 != "\n" }), default: 0] += 1
      }
    }
    #expect(found == known)
  }

  @Test func `The manifest is one, and the payload is that of the test`() async throws {
    let manifest = try #require(try blocks("swift", of: "GettingStarted").first)
    let folder = try TemporaryDirectory()
    try folder.write(String(manifest), to: "Package.swift")
    try folder.write("", to: "Sources/notes/main.swift")
    let dumped = try await Command.run(
      "swift", ["package", "dump-package"], environment: ProcessInfo.processInfo.environment,
      directory: folder.path
    ).orThrow()
    #expect(dumped.output.contains("\"Scenes\""))
    let payload = try #require(try blocks("json", of: "ComingFromUIKit").first)
    #expect(
      unspaced(try text("Tests/ScenesTests/Documentation/UIKitExample.swift")).contains(unspaced(payload)))
  }
}
