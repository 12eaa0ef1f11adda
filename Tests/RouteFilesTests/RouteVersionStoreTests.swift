// SPDX-License-Identifier: Apache-2.0
import Foundation
import RouteTables
import TestSupport
import Testing

@testable import RouteFiles

@Suite struct `Stored versions of route files` {
  private let directory: TemporaryDirectory
  private var store: RouteVersionStore {
    RouteVersionStore(directory: "\(directory.path)/state/usher/routes")
  }
  private var stored: [String] {
    let path = "\(directory.path)/state/usher/routes"
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).map { "\(path)/\($0)" }
  }

  init() throws { directory = try TemporaryDirectory() }

  private func version(_ name: String, _ text: String, _ rank: PolicyLayer = .administrator)
    -> RouteFileVersion
  {
    RouteFileVersion(file: RouteDirectory(path: name, rank: rank), text: text, changed: 1_000_000_000)
  }

  @Test func `are returned unchanged for their file and layer`() throws {
    let version = version("/etc/a.toml", "a = \"é\"\n\nb = 1")
    #expect(store.version(of: version.file) == nil)
    #expect(store.keep(version) && store.keep(version))
    #expect(store.version(of: version.file) == version)
    #expect(store.version(of: RouteDirectory(path: "/etc/b.toml", rank: .administrator)) == nil)
    #expect(store.version(of: RouteDirectory(path: "/etc/a.toml", rank: .user)) == nil)
    let attributes = try FileManager.default.attributesOfItem(atPath: try #require(stored.first))
    #expect(stored.count == 1 && attributes[.posixPermissions] as? Int == 0o600)
    let next = self.version("/etc/a.toml", "")
    #expect(store.keep(next) && store.version(of: next.file) == next && stored.count == 1)
  }

  /// The second text denies another URL, although both texts are equal as Strings.
  @Test func `are replaced by a text that only has another normal form`() throws {
    let version = version("/etc/a.toml", "match = \"zork:caf\u{E9}\"")
    store.keep(version)
    let next = self.version("/etc/a.toml", "match = \"zork:cafe\u{301}\"")
    #expect(store.keep(next))
    let kept = try #require(store.version(of: next.file))
    #expect(Array(kept.text.utf8) == Array(next.text.utf8))
  }

  @Test func `that are incomplete are ignored`() throws {
    let version = version("/etc/a.toml", "deny = 1")
    store.keep(version)
    let path = try #require(stored.first)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for length in 0..<text.count {
      try Data(text.prefix(length).utf8).write(to: URL(filePath: path))
      #expect(store.version(of: version.file) == nil, "\(length)")
    }
  }

  @Test func `that cannot be written are not an error`() throws {
    try directory.write("a file", to: "state")
    let version = version("/etc/a.toml", "")
    #expect(!store.keep(version) && store.version(of: version.file) == nil)
    let away = "\(directory.path)/away"
    #expect(!RouteVersionStore(directory: "\(away)/routes", existing: away).keep(version))
    #expect(!FileManager.default.fileExists(atPath: away), "a home directory is the system's to make")
  }

  @Test func `are bounded for each rank`() {
    let first = version("/etc/a.toml", "")
    store.keep(first)
    for number in 0..<RouteVersionStore.mostFiles + 3 { store.keep(version("/u/\(number)", "", .user)) }
    #expect(stored.count == RouteVersionStore.mostFiles + 1)
    #expect(store.version(of: first.file) == first, "the user's do not push out the administrator's")
  }
}

@Suite struct `The directories of a layer` {
  private let directory: TemporaryDirectory
  private var system: String { "\(directory.path)/system" }
  private var other: String { "\(directory.path)/other" }

  init() throws {
    directory = try TemporaryDirectory()
    try directory.makeDirectory("system")
    try directory.makeDirectory("other")
  }

  private func write(_ place: String, _ route: String) throws {
    try directory.write(
      "format = 1\nowner = \"corp\"\n[route.a]\nmatch = \"play:{x}\"\n\(route)\n", to: "\(place)/a.toml")
  }

  private func set(otherIsRoots: Bool) -> RouteFileSet {
    RouteFileSet(
      loading: RouteDirectory.layer([other, system], rank: .administrator, system: system) {
        otherIsRoots || !$0.hasPrefix(other)
      })
  }

  @Test func `use a route from the first directory that has its owner and name`() throws {
    try write("system", "deny = \"system\"")
    try write("other", "deny = \"other\"")
    for otherIsRoots in [true, false] {
      let set = set(otherIsRoots: otherIsRoots)
      #expect(set.diagnostics.isEmpty)
      #expect(set.table.routes.map(\.action) == [.deny(reason: "other")])
    }
  }

  @Test
  func
    `that others can write have no final routes once the system's parent directory exists, with or without routes`()
    throws
  {
    try write("other", "deny = \"other\"\nfinal = true")
    func final(_ system: String) -> [PolicyLayer] {
      let directories = RouteDirectory.layer([other, system], rank: .administrator, system: system) { _ in
        false
      }
      return RouteFileSet(loading: directories).table.routes.map(\.rank)
    }
    #expect(final("\(directory.path)/nothing/routes") == [.finalAdministrator])
    try directory.makeDirectory("nothing")
    #expect(final("\(directory.path)/nothing/routes") == [])
  }

  @Test func `do not replace final routes of the system's directory`() throws {
    try write("system", "deny = \"system\"\nfinal = true")
    for route in ["allow = true", "allow = true\nfinal = true"] {
      try write("other", route)
      for otherIsRoots in [true, false] {
        let set = set(otherIsRoots: otherIsRoots)
        #expect(set.table.routes.map(\.action) == [.deny(reason: "system")], "\(set.diagnostics)")
      }
    }
  }

  @Test func `that others can write have no final routes beside the system's`() throws {
    try directory.write(
      "format = 1\nowner = \"u\"\n[route.b]\nmatch = \"play:1\"\nallow = true\nfinal = true\n",
      to: "other/b.toml")
    #expect(set(otherIsRoots: true).table.routes.map(\.rank) == [.finalAdministrator])
    let refused = set(otherIsRoots: false)
    #expect(refused.table.routes.isEmpty && refused.diagnostics.count == 1)
    // The parent of the directory decides, whether or not that exists.
    try FileManager.default.removeItem(atPath: system)
    #expect(set(otherIsRoots: false).table.routes.isEmpty)
  }

  @Test func `say nothing final in a file that others can write, the system's own directory included`() throws
  {
    try write("system", "deny = \"system\"\nfinal = true")
    try directory.write(
      "format = 1\nowner = \"u\"\n[route.b]\nmatch = \"play:1\"\nallow = true\nfinal = true\n",
      to: "other/b.toml")
    func set(_ others: String...) -> RouteFileSet {
      RouteFileSet(
        loading: RouteDirectory.layer([other, system], rank: .administrator, system: system) {
          !others.contains($0)
        })
    }
    #expect(set().table.routes.map(\.rank) == [.finalAdministrator, .finalAdministrator])
    let loose = set("\(other)/b.toml")
    #expect(loose.table.routes.map(\.id) == ["a"])
    #expect(loose.diagnostics.map(\.location.file) == ["\(other)/b.toml"])
    #expect(loose.diagnostics.first?.message.contains("chmod go-w") == true)
    // What others can write may have been final, so the links that it may deny stay refused.
    let open = set("\(system)/a.toml")
    #expect(open.table.routes.map(\.id) == ["b"])
    #expect(open.gaps.map(\.isFinal) == [true])
  }

  @Test func `have no route before a final one of the system's, whatever its wins_over says`() throws {
    try write("system", "deny = \"system\"\nfinal = true")
    try directory.write(
      "format = 1\nowner = \"vendor\"\n[route.b]\nmatch = \"play:1\"\nallow = true\nfinal = true\nwins_over = \"corp/a\"\n",
      to: "other/b.toml")
    let set = set(otherIsRoots: true)
    #expect(try set.table.match("play:1")?.route.id == "a")
    #expect(set.diagnostics.count == 1)
    #expect(set.diagnostics.first?.description.contains("b.toml:7:13: `corp/a` is a final route of") == true)
    // Within the system's own directory it is an exception.
    try FileManager.default.moveItem(atPath: "\(other)/b.toml", toPath: "\(system)/b.toml")
    let own = self.set(otherIsRoots: true)
    #expect(try own.table.match("play:1")?.route.id == "b", "\(own.diagnostics)")
  }
}
