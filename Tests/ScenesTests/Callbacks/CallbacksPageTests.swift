// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `The page on answers by URL` {
  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(BuiltProducts.repository)/\(path)", encoding: .utf8)
  }

  private func unspaced(_ text: some StringProtocol) -> String { String(text).filter { !$0.isWhitespace } }

  @Test func `Its examples are those that are compiled`() throws {
    let blocks = try text("docs/callbacks.md").components(separatedBy: "```").enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("swift\n") }.map { $0.element.dropFirst(6) }
    let example = unspaced(try text("Tests/ScenesTests/Callbacks/CallbacksPageExample.swift"))
    #expect(blocks.count == 2)
    for block in blocks { #expect(example.contains(unspaced(block)), "\(block)") }
  }
}
