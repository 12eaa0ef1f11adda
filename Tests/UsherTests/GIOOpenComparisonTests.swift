// SPDX-License-Identifier: Apache-2.0
import Foundation
import Freedesktop
import TestSupport
import Testing

/// A comparison of the started program and its arguments with the real `gio open --`, on thousands of random trees.
///
/// `USHER_RANDOM_TREES` sets the number or the seeds, as for the comparison with `gio mime`.
@Suite(
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gio"), "libglib2.0-bin is not installed"))
struct GIOOpenComparisonTests {
  static let batch: UInt64 = 50
  static let seeds = RandomTree.seeds(otherwise: 2_000)

  @Test(arguments: Array(stride(from: seeds.lowerBound, to: seeds.upperBound, by: Int(batch))))
  func `Every tree runs what gio open runs`(first: UInt64) async throws {
    #expect(try await BlockingWork.run { try Self.differences(from: first) } == [])
  }

  /// Returns the unexpected differences in the trees of a batch.
  private static func differences(from first: UInt64) throws -> [String] {
    var differences: [String] = []
    let root = RandomTree.directory
    defer { try? FileManager.default.removeItem(atPath: root) }
    let viewer = try RecordingViewer()
    for seed in first..<min(first + batch, seeds.upperBound) {
      let tree = try RandomTree(seed: seed, root: "\(root)/\(seed)", viewer: viewer.path)
      let url = urls[Int(seed) % urls.count]
      let ours = try Opening(of: url, in: tree)
      var gio = try viewer.start(byGIO: url, tree.environment)
      // If the entry has no working directory, GIO passes on its own, and Usher uses HOME.
      if ours.entry?.workingDirectory == nil { gio?.directory = nil }
      if gio != ours.start {
        let isListed = !GIODifference.of(ours.exec).isEmpty
        let hasLost = ours.start.map { ViewerStart.hasLost(url, gio, of: $0) } ?? false
        if !isListed || !hasLost { differences.append("\(reported(seed, url, ours, gio))\n\(tree.texts)") }
      }
      // The command itself is slower than all of the above, so that only some trees are tried with it.
      if seed.isMultiple(of: 25) {
        var command = try viewer.start(byUsher: url, tree.environment)
        command?.entry = ours.start?.entry ?? ""
        if ours.entry?.workingDirectory == nil { command?.directory = nil }
        if command != ours.start { differences.append("usher open: \(reported(seed, url, ours, command))") }
      }
    }
    return differences
  }

  /// An Exec line, with the arguments for `t:x` from `gio open` and from Usher.
  static let listed: [(exec: String, gio: [String], ours: [String])] = [
    ("viewer", [], ["t:x"]), ("viewer %c", ["Viewer"], ["Viewer", "t:x"]),
    ("viewer --file=%f", ["--file="], ["--file=t:x"]), ("viewer %f %u", [], ["t:x"]),
    ("viewer %d %u", [], ["t:x"]), ("viewer \"%u\"", ["'t:x'"], ["t:x"]),
    ("viewer \"--x=%u y\"", ["--x='t:x' y"], ["--x=t:x y"]), ("viewer #x %u", [], ["#x", "t:x"]),
    ("viewer %u #x", ["t:x"], ["t:x", "#x"]), ("viewer %i %u", ["--icon", "", "t:x"], ["t:x"]),
    // Both behave alike here, although no specification defines it.
    ("viewer %x %u", ["t:x"], ["t:x"]), ("viewer %u %u", ["t:x"], ["t:x"]),
    ("viewer %u 5%", ["t:x", "5%"], ["t:x", "5%"]),
  ]

  @Test(arguments: listed)
  func `The differences from gio open equal those in the page on resolution`(
    exec: String, gio: [String], ours: [String]
  ) async throws {
    let viewer = try RecordingViewer()
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installDesktopEntry(
      "a",
      text: "[Desktop Entry]\nType=Application\nName=Viewer\nIcon=\nExec=\(viewer.path)\(exec.dropFirst(6))\n"
    )
    try desktop.setDefaults(["t": ["a"]])
    let byGIO = try await BlockingWork.run { try viewer.start(byGIO: "t:x", desktop.environment) }
    #expect(byGIO?.arguments == gio.map { Array($0.utf8) })
    let byUsher = try await BlockingWork.run { try viewer.start(byUsher: "t:x", desktop.environment) }
    #expect(byUsher?.arguments == ours.map { Array($0.utf8) })
  }

  @Test func `The path of a local file ends before the fragment`() async throws {
    let viewer = try RecordingViewer()
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let lines = ["[Desktop Entry]", "Type=Application", "Name=Viewer", "MimeType=text/plain;"]
    try desktop.installDesktopEntry(
      "a", text: (lines + ["Exec=\(viewer.path) %f"]).joined(separator: "\n") + "\n")
    try desktop.write("[Default Applications]\ntext/plain=a.desktop\n", to: "home/.config/mimeapps.list")
    symlink("/usr/share/mime", "\(desktop.systemData)/mime")
    try desktop.write("words", to: "home/a#b.txt")
    let (url, path) = ("file://\(desktop.home)/a%23b.txt#page=7", Array("\(desktop.home)/a#b.txt".utf8))
    let byGIO = try await BlockingWork.run { try viewer.start(byGIO: url, desktop.environment) }
    #expect(byGIO?.arguments == [path])
    let byUsher = try await BlockingWork.run { try viewer.start(byUsher: url, desktop.environment) }
    #expect(byUsher?.arguments == [path])
  }

  private static func reported(_ seed: UInt64, _ url: String, _ ours: Opening, _ other: ViewerStart?)
    -> String
  {
    "seed \(seed), \(url): Exec=\(ours.exec ?? "")\n  ours:  \(ours.start.map { "\($0)" } ?? "nothing")\n  other: "
      + "\(other.map { "\($0)" } ?? "nothing")"
  }

  /// Links that a shell, a quote or a percent sign could change.
  private static let urls = [
    "t:x", "u:x", "T://Host/a%20b?c=d&e=(f)#g", "t:a'b\"c`d`$HOME;*~|&<>", "t:%zz%u%U%%",
    "u:\u{E9}\u{1F600}//./../x",
    "t:", "t:--help", "t://[::1]:80/{a,b}?^",
  ]
}
