// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables
import TestSupport
import Testing

/// Tests that rules and the broker read one path in a `file:` URL.
@Suite(.computes) struct `The spelling of a file URL` {
  private static let parts = [
    "/", "//", "/.", "/..", "/a", "/b%2Fc", "/%2e", "/%2E%2e", "/%61", "/é", "/%C3%A9", "/ ", "/%20", "/a%",
    "/%zz", "/~", "/a;b", "/%3F", "/%5C", "/%7f",
  ]

  private static func url(_ random: inout SeededGenerator) -> String {
    let start = random.pick([
      "file:", "FILE:", "file://", "file://localhost", "file://LOCALHOST", "file:///", "file://other",
      "file:////", "file:a",
    ])
    let path = (0...random.below(6)).map { _ in random.pick(parts) }.joined()
    return start + path + random.pick(["", "", "", "?q", "#f", "/"])
  }

  /// Returns the absolute path without empty segments and dot segments.
  private static func normalized(_ path: [UInt8]) -> [ArraySlice<UInt8>] {
    var segments: [ArraySlice<UInt8>] = []
    for segment in path.split(separator: UInt8(ascii: "/")) {
      if segment.elementsEqual("..".utf8) {
        _ = segments.popLast()
      } else if !segment.elementsEqual(".".utf8) {
        segments.append(segment)
      }
    }
    return segments
  }

  @Test func `is equal for rules if the path is equal`() throws {
    var builder = RouteTableBuilder<Int>()
    try builder.add("file:///{p...?}", id: "local", action: 1)
    let table = try builder.build()
    var random = SeededGenerator(seed: 8089)
    var compared = 0
    for _ in 0..<20_000 {
      let url = Self.url(&random)
      guard let text = try? URLString(url) else { continue }
      let match = try? table.match(url)
      guard case .path(let path)? = FileURL.place(of: text.text) else {
        // Browsers read `file://` as the root directory; the broker opens nothing.
        let isWithoutPath = url.dropFirst(5).hasPrefix("//") && !url.dropFirst(7).contains("/")
        #expect(match == nil || isWithoutPath, "\(url) is no local file, and a rule for one takes it")
        continue
      }
      // No rule can read a path that is not UTF-8; the URL is rejected if a rule could match it.
      guard let match else {
        #expect(throws: RouteTableError.self, "\(url)") { try table.match(url) }
        continue
      }
      guard case .path(let own)? = FileURL.place(of: match.url) else {
        Issue.record("\(url) became \(match.url)")
        continue
      }
      #expect(Self.normalized(own) == Self.normalized(path), "\(url) became \(match.url)")
      #expect(match.url.hasPrefix("file:///"))
      #expect(try table.match(match.url)?.url == match.url)
      compared += 1
    }
    #expect(compared > 8_000)
  }
}
