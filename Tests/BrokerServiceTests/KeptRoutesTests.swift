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

  private func ids(_ kept: inout KeptRoutes, _ complaints: inout [RouteFileComplaint]) -> [String] {
    kept.table(of: folders) { complaints.append($0) }.routes.map(\.id).sorted()
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

  @Test func `A broken file is reported once, and the last sound table stays`() throws {
    var (kept, complaints) = (KeptRoutes(), [RouteFileComplaint]())
    try write("a.toml", route("one", "x:/1"))
    #expect(ids(&kept, &complaints) == ["one"])
    try write("a.toml", route("one", "x:/1"), "[route.two\n")
    #expect(ids(&kept, &complaints) == ["one"])
    #expect(ids(&kept, &complaints) == ["one"])
    #expect(complaints.count == 1 && complaints.first?.kind == .syntax)
    #expect(kept.complaints == complaints)
    try write("a.toml", route("two", "x:/2"))
    #expect(ids(&kept, &complaints) == ["two"])
    #expect(kept.complaints.isEmpty)
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

  @Test func `Where there was no sound table yet, what can be read counts`() throws {
    var (kept, complaints) = (KeptRoutes(), [RouteFileComplaint]())
    try write("a.toml", "[route.two\n")
    try write("b.toml", route("one", "x:/1"))
    #expect(ids(&kept, &complaints) == ["one"])
    #expect(complaints.map(\.kind) == [.syntax])
  }
}
