import Foundation
import RouteFiles
import RouteTables
import Testing

@Suite struct RouteFolderTests {
  /// Every file that the repository ships is right, and so are the tests in it.
  @Test func theRoutesOfThisRepositoryHold() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let set = RouteFileSet(loading: [root.appending(path: "Routes").path])
    #expect(set.complaints.map(\.description) == [])
    #expect(set.tests.count >= 10)
    #expect(set.runTests().map(\.description) == [])
  }

  @Test func theNotesExampleOpensTheIssuesURL() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let table = RouteFileSet(loading: [root.appending(path: "Routes/notes.toml").path]).table
    let match = try #require(try table.match("notes://note/7?tab=edit"))
    #expect(match.action == .handler("show-note"))
    #expect(match[int: "id"] == 7)
    #expect(match["tab"] == "edit")
  }

  @Test func aFolderGivesItsFilesAndWhatCannotBeReadIsNamed() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ name: String, _ data: Data) throws { try data.write(to: folder.appending(path: name)) }
    let good = Data("format = 1\nowner = \"o\"\nroute.a = { match = \"/a\", allow = true }".utf8)
    try write("good.toml", good)
    try write("ignored.txt", Data("nonsense".utf8))
    try write(".hidden.toml", Data("nonsense".utf8))
    try write("latin.toml", Data([0xE9]))
    try write("large.toml", Data(repeating: 0x23, count: (1 << 20) + 1))
    #expect(mkfifo(folder.appending(path: "pipe.toml").path, 0o600) == 0)
    let set = RouteFileSet(loading: [folder.path, folder.appending(path: "none.toml").path])
    #expect(set.table.routes.map(\.id) == ["a"])
    #expect(set.complaints.map(\.kind) == [.unreadable, .syntax, .missing, .unreadable])
    #expect(
      set.complaints.map(\.location.file).map { $0.split(separator: "/").last }
        == ["large.toml", "latin.toml", "none.toml", "pipe.toml"])
  }
}
