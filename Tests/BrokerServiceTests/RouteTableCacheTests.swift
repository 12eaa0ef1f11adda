// SPDX-License-Identifier: Apache-2.0
import Foundation
import RouteFiles
import RouteTables
import TestSupport
import Testing

@testable import BrokerService

@Suite struct `Cached route tables` {
  private let directory: TemporaryDirectory
  private var directories: [String] { ["\(directory.path)/routes", "\(directory.path)/absent"] }

  init() throws {
    directory = try TemporaryDirectory()
    try directory.makeDirectory("routes")
  }

  private func write(_ file: String, _ routes: String...) throws {
    try directory.write("format = 1\nowner = \"user\"\n" + routes.joined(), to: "routes/\(file)")
  }

  private func route(_ id: String, _ pattern: String) -> String {
    "[route.\(id)]\nmatch = \"\(pattern)\"\nallow = true\n"
  }

  private var store: RouteVersionStore {
    RouteVersionStore(directory: "\(directory.path)/state/usher/routes")
  }

  private func ids(
    _ kept: inout RouteTableCache, _ diagnostics: inout [RouteFileDiagnostic], _ rank: PolicyLayer = .user
  ) -> [String] {
    kept.routes(of: RouteTableCache.LayerKey(directories: directories, rank: rank), from: store) {
      diagnostics.append($0)
    }.table.routes.map(\.id).sorted()
  }

  @Test func `A new, changed or removed file takes effect`() throws {
    var (kept, diagnostics) = (RouteTableCache(), [RouteFileDiagnostic]())
    #expect(ids(&kept, &diagnostics) == [])
    try write("a.toml", route("one", "x:/1"))
    #expect(ids(&kept, &diagnostics) == ["one"])
    try write("a.toml", route("two", "x:/1"))
    #expect(ids(&kept, &diagnostics) == ["two"])
    try write("b.toml", route("three", "x:/3"))
    #expect(ids(&kept, &diagnostics) == ["three", "two"])
    try FileManager.default.removeItem(atPath: "\(directory.path)/routes/a.toml")
    #expect(ids(&kept, &diagnostics) == ["three"])
    #expect(diagnostics.isEmpty)
  }

  @Test func `A changed owner or mode of a directory above the files takes effect`() throws {
    try write("a.toml", "[route.one]\nmatch = \"x:/1\"\nallow = true\nfinal = true\n")
    let path = "\(directory.path)/routes"
    var kept = RouteTableCache(system: path)
    let layer = RouteTableCache.LayerKey(directories: [path], rank: .administrator)
    func ranks(_ isRoots: Bool) -> [PolicyLayer] {
      kept.routes(
        of: RouteTableCache.LayerKey(directories: [path], rank: .administrator),
        isWritableByRootOnly: { _ in isRoots }
      ) { _ in }
      .table.routes.map(\.rank)
    }
    #expect(ranks(true) == [.finalAdministrator])
    #expect(kept.isUnchanged(layer) { _ in true } && !kept.isUnchanged(layer) { _ in false })
    #expect(ranks(false) == [])
    #expect(kept.isUnchanged(layer) { _ in false } && !kept.isUnchanged(layer) { _ in true })
    #expect(ranks(true) == [.finalAdministrator])
  }

  @Test func `A symbolic link that leads nowhere takes effect in place of a directory or file`() throws {
    let path = "\(directory.path)/usher/routes"
    try directory.makeDirectory("usher")
    var kept = RouteTableCache(system: path)
    func gaps() -> Int {
      kept.routes(of: RouteTableCache.LayerKey(directories: [path], rank: .administrator)) { _ in }.gaps.count
    }
    #expect(gaps() == 0)
    #expect(symlink("\(directory.path)/nothing", path) == 0)
    #expect(gaps() == 1)
    #expect(unlink(path) == 0)
    #expect(gaps() == 0)
    try directory.makeDirectory("usher/routes")
    #expect(symlink("\(directory.path)/nothing", "\(path)/a.toml") == 0)
    #expect(gaps() == 1)
  }

  @Test func `A directory of two layers has the routes of each`() throws {
    try write("a.toml", "[route.one]\nmatch = \"x:/1\"\ndeny = \"no\"\nfinal = true\n")
    var kept = RouteTableCache()
    let path = "\(directory.path)/routes"
    let user = kept.routes(of: RouteTableCache.LayerKey(directories: [path], rank: .user)) { _ in }
    let administrator = kept.routes(of: RouteTableCache.LayerKey(directories: [path], rank: .administrator)) {
      _ in
    }
    #expect(user.table.routes.map(\.rank).contains(.finalAdministrator) == false)
    #expect(administrator.table.routes.map(\.rank) == [.finalAdministrator])
  }

  @Test func `The last version without errors is used for a broken file, which is reported once`() throws {
    var (kept, diagnostics) = (RouteTableCache(), [RouteFileDiagnostic]())
    try write("a.toml", route("one", "x:/1"))
    #expect(ids(&kept, &diagnostics) == ["one"])
    try write("a.toml", route("one", "x:/1"), "[route.two\n")
    #expect(ids(&kept, &diagnostics) == ["one"])
    #expect(ids(&kept, &diagnostics) == ["one"])
    #expect(diagnostics.count == 1 && diagnostics.first?.kind == .syntax)
    let path = "\(directory.path)/routes/a.toml"
    #expect(diagnostics.first?.description.hasPrefix("\(path):6:") == true, "\(diagnostics)")
    #expect(
      diagnostics.first?.message.contains("the broker uses the version of \(path) from 20") == true,
      "\(diagnostics)")
    #expect(kept.diagnostics == diagnostics)
    try write("a.toml", route("two", "x:/2"))
    #expect(ids(&kept, &diagnostics) == ["two"])
    #expect(kept.diagnostics.isEmpty)
  }

  @Test func `A version that differs in its normal form alone is stored`() throws {
    var sound = SoundVersions()
    for letter in ["\u{E9}", "e\u{301}"] {
      try write("a.toml", "# \(letter)\n", route("one", "x:/1"))
      let read = RouteFileSet(loading: ["\(directory.path)/routes"]).soundVersions
      sound.record(read)
      let unstored = sound.takeUnstored()
      #expect(unstored.count == 1)
      #expect(unstored.first?.text.unicodeScalars.contains("\u{301}") == (letter.unicodeScalars.count == 2))
      sound.record(read)
      #expect(sound.takeUnstored().isEmpty)
    }
  }

  @Test func `A correct file takes effect beside a broken one`() throws {
    var (kept, diagnostics) = (RouteTableCache(), [RouteFileDiagnostic]())
    try write("a.toml", route("one", "x:/1"))
    #expect(ids(&kept, &diagnostics) == ["one"])
    try write("a.toml", "[route.one\n")
    try write("b.toml", route("two", "x:/2"))
    #expect(ids(&kept, &diagnostics) == ["one", "two"])
    try write("b.toml", route("three", "x:/3"))
    #expect(ids(&kept, &diagnostics) == ["one", "three"])
  }

  @Test func `The last version without errors is used after a restart`() throws {
    var (kept, diagnostics) = (RouteTableCache(), [RouteFileDiagnostic]())
    try write("a.toml", route("one", "x:/1"))
    #expect(ids(&kept, &diagnostics, .administrator) == ["one"])
    let versions = kept.takeUnstored()
    #expect(versions.map(\.file.path) == ["\(directory.path)/routes/a.toml"] && kept.takeUnstored().isEmpty)
    for version in versions { #expect(store.keep(version)) }
    try write("a.toml", route("one", "x:/1"), "[route.two\n")
    kept = RouteTableCache()
    #expect(ids(&kept, &diagnostics, .administrator) == ["one"])
    #expect(kept.takeUnstored().isEmpty)
    // Versions are stored for each policy layer, because the layer decides what a file may contain.
    kept = RouteTableCache()
    #expect(ids(&kept, &diagnostics, .user) == [])
  }

  @Test func `Without such a version, URLs that the administrator's file may deny are rejected`() throws {
    try write("a.toml", route("one", "x:/1"), "[route.no]\nmatch = \"play:{x...}\"\ndeny = 5\n")
    var kept = RouteTableCache()
    let mine = kept.routes(of: RouteTableCache.LayerKey(directories: directories, rank: .user), from: store) {
      _ in
    }
    #expect(mine.gaps.isEmpty && mine.table.routes.map(\.id) == ["one"])
    kept = RouteTableCache()
    let (table, gaps) = kept.routes(
      of: RouteTableCache.LayerKey(directories: directories, rank: .administrator), from: store
    ) { _ in }
    #expect(table.routes.map(\.id) == ["one"])
    let gap = try #require(gaps.first)
    #expect(gaps.count == 1 && !gap.isFinal && gap.reason.contains("routes/a.toml:8:8: "), "\(gaps)")
    #expect(gap.mayCover("play:1", try URLAuthority("play:1")))
    #expect(!gap.mayCover("x:/1", try URLAuthority("x:/1")))
  }

  @Test func `A conflict excludes the two routes, not the layer`() throws {
    var (kept, diagnostics) = (RouteTableCache(), [RouteFileDiagnostic]())
    try write("a.toml", route("one", "x:/1"))
    #expect(ids(&kept, &diagnostics) == ["one"])
    try write("a.toml", route("one", "x:/1"), route("two", "x:/2"), route("again", "x:/2"))
    #expect(ids(&kept, &diagnostics) == ["one"])
    #expect(diagnostics.map(\.kind) == [.conflict])
    try write("a.toml", route("two", "x:/2"))
    #expect(ids(&kept, &diagnostics) == ["two"])
  }

  @Test func `Without an earlier version, the routes without errors are used`() throws {
    var (kept, diagnostics) = (RouteTableCache(), [RouteFileDiagnostic]())
    try write("a.toml", "[route.two\n")
    try write("b.toml", route("one", "x:/1"))
    #expect(ids(&kept, &diagnostics) == ["one"])
    #expect(diagnostics.map(\.kind) == [.syntax])
  }
}
