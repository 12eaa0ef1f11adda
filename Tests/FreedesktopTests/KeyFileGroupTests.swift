// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Freedesktop

/// Comparisons of a group that is stored by its keys with the whole file.
@Suite struct KeyFileGroupTests {
  private static let lines = [
    "[A]", "[B]", "[A] ", "[", "[]", "a=1", "a=2", " a = 3", "b=", "aa=4", "a.b=5", "ab=6;7", "b=\u{FFFD}",
    "# a=8", "", "junk", "=9",
    "b\u{301}=10", "ba=11\r",
  ]

  @Test(arguments: 0..<400 as Range<UInt64>)
  func `A group has the values of the file`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var bytes: [UInt8] = seed % 5 == 0 ? [0xEF, 0xBB, 0xBF] : []
    for _ in 0..<Int.random(in: 0..<30, using: &generator) {
      bytes += Array((Self.lines.randomElement(using: &generator) ?? "").utf8)
      if seed % 7 == 0, Bool.random(using: &generator) { bytes.append(0xFF) }
      bytes.append(UInt8(ascii: "\n"))
    }
    if seed % 3 == 0 { bytes = bytes.dropLast() }
    let file = KeyFile(bytes: bytes)
    let (groups, fatalDiagnostics) = KeyFileGroup.read(["A", "B", "C"], in: bytes)
    #expect(fatalDiagnostics == file.fatalDiagnostics)
    for (name, group) in zip(["A", "B", "C"], groups) {
      let keys = file.keys(in: name)
      #expect(group.name == name)
      #expect(group.isEmpty == keys.isEmpty)
      for prefix in ["", "a", "b", "c"] {
        let expected = keys.filter { $0.utf8.starts(with: prefix.utf8) }
        let found = group.keys(behind: prefix).map { Array((prefix + $0).utf8) }
        #expect(found == expected.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
      }
      for key in keys + ["c", ""] {
        #expect(group.value(of: key) == file.value(of: key, in: name))
        #expect(group.pairs(of: [key]).map(\.line) == (file.line(of: key, in: name).map { [$0] } ?? []))
      }
      #expect(group.pairs(of: keys.reversed()).map(\.text) == keys.map { file.value(of: $0, in: name) })
    }
  }
}
