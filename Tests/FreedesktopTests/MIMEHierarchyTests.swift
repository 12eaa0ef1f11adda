// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Freedesktop

@Suite struct `The hierarchy of MIME types` {
  private func hierarchy(aliases: String, subclasses: String) throws -> MIMEHierarchy {
    let desktop = try TestDesktop()
    try desktop.write("sys1/mime/aliases", aliases)
    try desktop.write("sys1/mime/subclasses", subclasses)
    return withExtendedLifetime(desktop) {
      MIMEHierarchy(directories: desktop.directories, files: LocalFiles())
    }
  }

  @Test func `has each supertype once, nearest first, under all of its names`() throws {
    let hierarchy = try hierarchy(
      aliases: "b/old b/new\nb/older b/new\n",
      subclasses: "a/x b/old\na/x c/y\na/x b/old\nb/new d/z\nc/y d/z\nd/z a/x\n")
    #expect(hierarchy.lineage(of: "a/x") == ["a/x", "b/old", "c/y", "b/new", "d/z"])
    #expect(hierarchy.names(of: "b/new") == ["b/new", "b/old", "b/older"])
    #expect(hierarchy.names(of: "b/old").isEmpty && hierarchy.names(of: "c/y") == ["c/y"])
  }

  /// Tests that the time does not grow with the square of the size; if it did, this test would take minutes, and not fail.
  @Test func `may be deep`() throws {
    let count = 50_000
    let hierarchy = try hierarchy(
      aliases: (0..<count).map { "b/\($0) a/\($0)\n" }.joined(),
      subclasses: (0..<count).map { "a/\($0) a/\($0 + 1)\n" }.joined())
    let lineage = hierarchy.lineage(of: "b/0")
    #expect(lineage.count == count + 1 && lineage.last == "a/\(count)")
    #expect(lineage.flatMap(hierarchy.names).count == 2 * count + 1)
  }
}
