import Foundation
import RouteFiles
import RouteTables
import TestSupport
import Testing

@testable import BrokerService

@Suite struct `Kept routes` {
  private let folder: TemporaryDirectory
  private var folders: [String] { ["\(folder.path)/routes", "\(folder.path)/absent"] }

  init() throws {
    folder = try TemporaryDirectory()
    try folder.makeDirectory("routes")
  }

  private func write(_ file: String, _ routes: String...) throws {
    try folder.write("format = 1\nowner = \"user\"\n" + routes.joined(), to: "routes/\(file)")
  }

  private func route(_ id: String, _ pattern: String) -> String {
    "[route.\(id)]\nmatch = \"\(pattern)\"\nallow = true\n"
  }

  private var store: RouteVersionStore { RouteVersionStore(folder: "\(folder.path)/state/usher/routes") }

  private func ids(
    _ kept: inout KeptRoutes, _ complaints: inout [RouteFileComplaint], _ rank: RouteRank = .user
  ) -> [String] {
    kept.routes(of: folders, rank, from: store) { complaints.append($0) }.table.routes.map(\.id).sorted()
  }

  @Test func `A file that comes, changes or goes takes effect`() throws {
    var (kept, complaints) = (KeptRoutes(), [RouteFileComplaint]())
    #expect(ids(&kept, &complaints) == [])
    try write("a.toml", route("one", "x:/1"))
    #expect(ids(&kept, &complaints) == ["one"])
    try write("a.toml", route("two", "x:/1"))
    #expect(ids(&kept, &complaints) == ["two"])
    try write("b.toml", route("three", "x:/3"))
    #expect(ids(&kept, &complaints) == ["three", "two"])
    try FileManager.default.removeItem(atPath: "\(folder.path)/routes/a.toml")
    #expect(ids(&kept, &complaints) == ["three"])
    #expect(complaints.isEmpty)
  }

  @Test func `Of a broken file the last sound version is used, and the file is reported once`() throws {
    var (kept, complaints) = (KeptRoutes(), [RouteFileComplaint]())
    try write("a.toml", route("one", "x:/1"))
    #expect(ids(&kept, &complaints) == ["one"])
    try write("a.toml", route("one", "x:/1"), "[route.two\n")
    #expect(ids(&kept, &complaints) == ["one"])
    #expect(ids(&kept, &complaints) == ["one"])
    #expect(complaints.count == 1 && complaints.first?.kind == .syntax)
    let path = "\(folder.path)/routes/a.toml"
    #expect(complaints.first?.description.hasPrefix("\(path):6:") == true, "\(complaints)")
    #expect(complaints.first?.message.contains("using the version of \(path) of 20") == true, "\(complaints)")
    #expect(kept.complaints == complaints)
    try write("a.toml", route("two", "x:/2"))
    #expect(ids(&kept, &complaints) == ["two"])
    #expect(kept.complaints.isEmpty)
  }

  @Test func `A sound new file takes effect beside a broken one, and a sound file changes beside it`() throws
  {
    var (kept, complaints) = (KeptRoutes(), [RouteFileComplaint]())
    try write("a.toml", route("one", "x:/1"))
    #expect(ids(&kept, &complaints) == ["one"])
    try write("a.toml", "[route.one\n")
    try write("b.toml", route("two", "x:/2"))
    #expect(ids(&kept, &complaints) == ["one", "two"])
    try write("b.toml", route("three", "x:/3"))
    #expect(ids(&kept, &complaints) == ["one", "three"])
  }

  @Test func `The last sound version is there after a restart`() throws {
    var (kept, complaints) = (KeptRoutes(), [RouteFileComplaint]())
    try write("a.toml", route("one", "x:/1"))
    #expect(ids(&kept, &complaints, .administrator) == ["one"])
    let versions = kept.takeUnkept()
    #expect(versions.map(\.file.path) == ["\(folder.path)/routes/a.toml"] && kept.takeUnkept().isEmpty)
    for version in versions { #expect(store.keep(version)) }
    try write("a.toml", route("one", "x:/1"), "[route.two\n")
    kept = KeptRoutes()
    #expect(ids(&kept, &complaints, .administrator) == ["one"])
    #expect(kept.takeUnkept().isEmpty)
    // Kept for whose word it is, which decides what a file may say.
    kept = KeptRoutes()
    #expect(ids(&kept, &complaints, .user) == [])
  }

  @Test func `Without any sound version what the administrator's file may forbid is a gap`() throws {
    try write("a.toml", route("one", "x:/1"), "[route.no]\nmatch = \"play:{x...}\"\ndeny = 5\n")
    var kept = KeptRoutes()
    let mine = kept.routes(of: folders, .user, from: store) { _ in }
    #expect(mine.gaps.isEmpty && mine.table.routes.map(\.id) == ["one"])
    kept = KeptRoutes()
    let (table, gaps) = kept.routes(of: folders, .administrator, from: store) { _ in }
    #expect(table.routes.map(\.id) == ["one"])
    let gap = try #require(gaps.first)
    #expect(gaps.count == 1 && !gap.isFinal && gap.reason.contains("routes/a.toml:8:8: "), "\(gaps)")
    #expect(gap.mayCover("play:1", try URLAuthority("play:1")))
    #expect(!gap.mayCover("x:/1", try URLAuthority("x:/1")))
  }

  @Test func `A conflict sets the two routes aside, and never the layer`() throws {
    var (kept, complaints) = (KeptRoutes(), [RouteFileComplaint]())
    try write("a.toml", route("one", "x:/1"))
    #expect(ids(&kept, &complaints) == ["one"])
    try write("a.toml", route("one", "x:/1"), route("two", "x:/2"), route("again", "x:/2"))
    #expect(ids(&kept, &complaints) == ["one"])
    #expect(complaints.map(\.kind) == [.conflict])
    try write("a.toml", route("two", "x:/2"))
    #expect(ids(&kept, &complaints) == ["two"])
  }

  @Test func `Where there was no sound version yet, what can be read counts`() throws {
    var (kept, complaints) = (KeptRoutes(), [RouteFileComplaint]())
    try write("a.toml", "[route.two\n")
    try write("b.toml", route("one", "x:/1"))
    #expect(ids(&kept, &complaints) == ["one"])
    #expect(complaints.map(\.kind) == [.syntax])
  }
}
