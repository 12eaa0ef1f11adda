// SPDX-License-Identifier: Apache-2.0
import Foundation
import RouteFiles
import RouteTables
import TestSupport
import Testing

@Suite struct RouteDirectoryTests {
  static let routes = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Routes").path

  static let shipped = ((try? FileManager.default.contentsOfDirectory(atPath: routes)) ?? [])
    .filter { $0.hasSuffix(".toml") }.sorted()

  /// Tests that every file of the repository is valid, that its tests pass, and that each route has a test.
  @Test(arguments: shipped) func `The tests of this repository's routes pass`(file: String) throws {
    let set = RouteFileSet(loading: ["\(Self.routes)/\(file)"], rank: .administrator)
    #expect(set.diagnostics.map(\.description) == [])
    #expect(set.runTests().map(\.description) == [])
    #expect(Set(set.tests.filter(\.mustMatch).map(\.route)) == Set(set.table.routes.map(\.id)))
  }

  static let catalog = ((try? FileManager.default.contentsOfDirectory(atPath: "\(routes)/catalog")) ?? [])
    .filter { $0.hasSuffix(".toml") }.sorted()

  @Test(arguments: catalog)
  func `The tests of the catalogue pass, and it opens nothing that is not installed`(
    file: String
  ) throws {
    let path = "\(Self.routes)/catalog/\(file)"
    let set = RouteFileSet(loading: [path], rank: .vendor)
    #expect(set.diagnostics.map(\.description) == [])
    #expect(set.runTests().map(\.description) == [])
    #expect(Set(set.tests.filter(\.mustMatch).map(\.route)) == Set(set.table.routes.map(\.id)))
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasPrefix("# ") && text.contains("https://"), "its documentation is named")
    for route in set.table.routes where !file.hasPrefix("clean-") {
      #expect(
        route.conditions.contains { InstalledTarget(conditionName: $0.name) != nil }, "\(route.id)")
    }
  }

  @Test func `The catalogue has no conflicts and no denials, also beside each other`() throws {
    #expect(Self.catalog.count == 14)
    let set = RouteFileSet(loading: ["\(Self.routes)/catalog"], rank: .vendor)
    #expect(set.diagnostics.map(\.description) == [])
    #expect(set.runTests().map(\.description) == [])
    #expect(
      set.table.routes.allSatisfy { route in
        switch route.action {
        case .rewrite, .exec, .open: true
        default: false
        }
      })
  }

  @Test func `There are routes of every kind`() throws {
    #expect(
      Self.shipped == ["forge.toml", "notes.toml", "oauth-callbacks.toml", "policy.toml", "web-links.toml"])
    let set = RouteFileSet(loading: [Self.routes], rank: .administrator)
    #expect(set.diagnostics.map(\.description) == [], "they stand beside each other")
    #expect(set.table.routes.count > 25)
  }

  @Test func `The shipped rules decide as documented`() throws {
    let set = RouteFileSet(loading: ["\(Self.routes)/web-links.toml"])
    #expect(
      try set.argv("https://youtu.be/-Qw4w9WgXcQ?t=42")
        == ["mpv", "--start=42", "--", "https://www.youtube.com/watch?v=-Qw4w9WgXcQ"])
    #expect(
      try set.rewritten("https://zoom.us/j/1234567890?pwd=a%2Bb")
        == "zoommtg://zoom.us/join?action=join&confno=1234567890&pwd=a%2Bb")
    #expect(try set.rewritten("https://youtu.be/dQw4w9WgXcQ?utm_source=x") == "https://youtu.be/dQw4w9WgXcQ")
  }

  @Test func `The Notes example opens the URL of the first issue`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let table = RouteFileSet(loading: [root.appending(path: "Routes/notes.toml").path]).table
    let match = try #require(try table.match("notes://note/7?tab=edit"))
    #expect(match.action == .handler("show-note"))
    #expect(match[int: "id"] == 7)
    #expect(match["tab"] == "edit")
  }

  @Test func `A directory returns its files and names unreadable ones`() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    func write(_ name: String, _ data: Data) throws { try data.write(to: directory.appending(path: name)) }
    let good = Data("format = 1\nowner = \"o\"\nroute.a = { match = \"/a\", allow = true }".utf8)
    try write("good.toml", good)
    try write("ignored.txt", Data("nonsense".utf8))
    try write(".hidden.toml", Data("nonsense".utf8))
    try write("latin.toml", Data("a = 1\nb = \"ä".utf8) + Data([0xE9]))
    try write("large.toml", Data(repeating: 0x23, count: (1 << 20) + 1))
    #expect(mkfifo(directory.appending(path: "pipe.toml").path, 0o600) == 0)
    let set = RouteFileSet(loading: [directory.path, directory.appending(path: "none.toml").path])
    #expect(set.table.routes.map(\.id) == ["a"])
    #expect(set.diagnostics.map(\.kind) == [.unreadable, .syntax, .missing, .unreadable])
    #expect(
      set.diagnostics.map(\.location.file).map { $0.split(separator: "/").last }
        == ["large.toml", "latin.toml", "none.toml", "pipe.toml"])
    #expect(
      set.diagnostics[1].description.hasSuffix(
        "latin.toml:2:7: it is not UTF-8, because of the byte 0xE9: save it as UTF-8"), "\(set.diagnostics)")
  }

  @Test
  func `A directory of root has a diagnostic for each file that others can write, and for the directory`()
    throws
  {
    let directory = try TemporaryDirectory()
    let system = "\(directory.path)/usher/routes"
    let text = "format = 1\nowner = \"administrator\"\n[route.a]\nmatch = \"a:{x}\"\ndeny = \"no\"\n"
    try directory.write(text, to: "usher/routes/a.toml")
    try directory.write(
      text.replacing("a:", with: "b:").replacing("route.a", with: "route.b"), to: "usher/routes/b.toml")
    func layer(_ open: [String: String]) -> [RouteDirectory] {
      RouteDirectory.layer(
        [system], rank: .administrator, system: system, isWritableByRootOnly: { open[$0] == nil },
        correction: { path, _ in open[path].map { ($0, "chmod go-w \(path)") } })
    }
    #expect(layer([:])[0].isProtected && RouteFileSet(loading: layer([:])).permissionWarnings.isEmpty)
    let file = layer(["\(system)/b.toml": "b.toml is open"])
    let set = RouteFileSet(loading: file)
    #expect(!file[0].isProtected && set.diagnostics.isEmpty && set.table.routes.count == 2)
    #expect(
      set.permissionWarnings.map(\.description) == [
        "\(system)/b.toml:1:1: users other than root can change the routes of the administrator here: b.toml is open: "
          + "run: chmod go-w \(system)/b.toml"
      ])
    // One cause is reported once.
    let all = ["", "/a.toml", "/b.toml"].map { (system + $0, "the directory is open") }
    #expect(RouteFileSet(loading: layer(Dictionary(uniqueKeysWithValues: all))).permissionWarnings.count == 1)
    #expect(
      RouteFileSet(loading: layer([system: "others can add files"])).permissionWarnings.map(\.location.file)
        == [system])
    #expect(!RouteDirectory(path: system, rank: .administrator).isProtected, "its modes were not examined")
  }

  @Test func `Files that look like route files and are not read are named`() throws {
    let directory = try TemporaryDirectory()
    for path in ["r/a.toml", "r/b.TOML", "r/c.toml~", "r/.d.Toml", "r/sub/e.toml", "r/other/f.txt"] {
      try directory.write("", to: path)
    }
    #expect(
      RouteFileSource.skippedPaths(in: ["\(directory.path)/r", "\(directory.path)/none"])
        == ["b.TOML", "sub"].map { "\(directory.path)/r/\($0)" })
  }
}
