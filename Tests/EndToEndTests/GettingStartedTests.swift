// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import TestSupport
import Testing

/// The code and commands of the article "Getting started" in the catalogue of `Scenes`.
@Suite struct `The first steps with Scenes` {
  private static func block(_ language: String) throws -> String {
    let page = try MarkdownPage("Sources/Scenes/Scenes.docc/GettingStarted.md")
    return try #require(page.blocks(language).first).text
  }

  @Test func `lead to a link that opens the application and returns a reply`() async throws {
    let commands = try Self.block("console").split(separator: "\n").map {
      try #require($0.wholeMatch(of: /\$ (.*)/)).1
    }
    #expect(commands.count == 3)
    try await InstalledDesktop.with { desk in
      // The example application replaces the reader's.
      let bin = desk.desktop.bin
      try FileManager.default.createSymbolicLink(
        atPath: "\(bin)/notes", withDestinationPath: BuiltProducts.notes)
      let entry = "\(desk.desktop.home)/org.example.Notes.desktop"
      try Self.block("ini").write(toFile: entry, atomically: true, encoding: .utf8)
      try await desk.run("desktop-file-validate", [entry]).orThrow()
      let broker = try await desk.startBroker()
      var output: [String] = []
      for command in commands {
        let result = try await Command.run(
          "sh", ["-c", String(command)], environment: desk.desktop.environment, directory: desk.desktop.home
        ).orThrow()
        output.append(result.output)
      }
      let receipt = try PropertyList(json: output[1])
      #expect(receipt["outcome"] == "handled", "\(output[1])")
      #expect(receipt["deliveries"]?.array?.first?["value"]?["note"] == 7, "\(output[1])")
      _ = try await broker.stop()
    }
  }
}
