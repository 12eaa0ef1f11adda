// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `The page on testing scenes` {
  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(BuiltProducts.repository)/\(path)", encoding: .utf8)
  }

  private func unspaced(_ text: some StringProtocol) -> String {
    String(text).filter { !$0.isWhitespace }
  }

  @Test func `Its examples are tests that are run`() throws {
    let blocks = try text("docs/testing-scenes.md").components(separatedBy: "```").enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("swift\n") }.map { $0.element.dropFirst(6) }
    let example = unspaced(try text("Tests/ScenesTestingTests/TestingScenesExample.swift"))
    // The first block is part of a manifest.
    #expect(blocks.count == 10 && blocks.first?.hasPrefix(".testTarget") == true)
    for block in blocks.dropFirst() { #expect(example.contains(unspaced(block)), "\(block)") }
  }
}
