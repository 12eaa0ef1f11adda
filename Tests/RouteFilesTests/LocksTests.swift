// SPDX-License-Identifier: Apache-2.0
import Foundation
import RouteTables
import TestSupport
import Testing

@testable import RouteFiles

@Suite struct `Lock files` {
  private let root: TemporaryDirectory
  /// The directory in place of /etc/xdg.
  private var system: String { "\(root.path)/xdg" }
  private var first: String { "\(root.path)/first" }

  init() throws { root = try TemporaryDirectory() }

  @discardableResult
  private func write(_ text: String, in directory: String) throws -> String {
    try root.write("format = 1\n" + text, to: "\((directory as NSString).lastPathComponent)/usher/locks.toml")
  }

  /// Returns the effective locks, each with its directory.
  private func locks(
    in directories: [String]? = nil, isWritableByRootOnly: (String) -> Bool = { _ in true },
    lastSound: ((RouteDirectory) -> RouteFileVersion?)? = nil
  ) -> Locks {
    Locks(
      in: directories ?? [first, system], system: system, isWritableByRootOnly: isWritableByRootOnly,
      lastSound: lastSound)
  }

  private func inForce(_ locks: Locks) -> [String] { locks.inForce.map(\.lock.rawValue) }

  @Test func `lock exactly the keys that they set to false`() throws {
    #expect(inForce(locks()).isEmpty)
    for lock in Lock.allCases {
      let path = try write("\(lock.rawValue) = false\n", in: system)
      #expect(inForce(locks()) == [lock.rawValue] && locks().file(of: lock) == path)
      try write("\(lock.rawValue) = true\n", in: system)
      #expect(inForce(locks()).isEmpty && locks().diagnostics.isEmpty)
    }
    try write("user_routes = false\ngrants = false\ndirect_registration = false\n", in: system)
    #expect(inForce(locks()) == ["user_routes", "grants", "direct_registration"])
  }

  @Test func `of the first file that contains a key decide it`() throws {
    let path = try write("grants = false\nuser_routes = true\n", in: first)
    try write("direct_registration = false\n", in: system)
    #expect(inForce(locks()) == ["grants", "direct_registration"] && locks().file(of: .grants) == path)
    // Without a file in /etc/xdg, the first of the other directories decides.
    let second = "\(root.path)/second"
    try write("grants = true\nuser_routes = false\n", in: second)
    #expect(inForce(locks(in: [second, first])) == ["user_routes"])
  }

  @Test func `in the administrator's directory cannot be removed by others`() throws {
    let path = try write("user_routes = false\ngrants = false\n", in: system)
    try write("user_routes = true\ngrants = false\ndirect_registration = false\n", in: first)
    #expect(locks().file(of: .userRoutes) == path)
    #expect(inForce(locks()) == ["user_routes", "grants", "direct_registration"])
  }

  @Test func `in a directory that others can write are ignored if the administrator's directory exists`()
    throws
  {
    let path = try write("grants = false\n", in: first)
    #expect(inForce(locks { _ in false }) == ["grants"])
    try write("", in: system)
    let refused = locks { !$0.hasPrefix(first) }
    #expect(inForce(refused).isEmpty && inForce(locks { $0 == path }) == ["grants"])
    #expect(
      refused.diagnostics.map(\.description) == [
        "\(path):1:1: locks are valid only in /etc/xdg/usher and in directories that only root can write: move the file there"
      ])
  }

  @Test func `of the administrator that others can write still lock, but unlock nothing`() throws {
    let path = try write("grants = true\nuser_routes = false\n", in: system)
    try write("grants = false\n", in: first)
    let loose = locks(in: [system, first]) { $0 != path }
    #expect(inForce(loose) == ["user_routes", "grants"])
    #expect(loose.diagnostics.map(\.location.file) == [path])
    #expect(loose.diagnostics.first?.message.contains("chmod go-w \(path)") == true)
    #expect(inForce(locks(in: [system, first])) == ["user_routes"], "root's own file decides first")
  }

  @Test(arguments: [
    ("user_rotes = false", "2:1: unknown key `user_rotes`; the nearest is `user_routes`"),
    ("grants = \"no\"", "2:10: `grants` is a string: write `false` to disable it"),
    ("[grants]", "2:1: `grants` is a table: write `false` to disable it"),
    ("grants = false\ngrants = true", "3:"),
    ("grants = ", "2:"),
    ("format = 2", "2:"),
  ])
  func `with an error lock everything, and the diagnostic has the position`(text: String, place: String)
    throws
  {
    let path = try write(text, in: system)
    let broken = locks()
    #expect(inForce(broken) == Lock.allCases.map(\.rawValue))
    let diagnostic = try #require(broken.diagnostics.first)
    #expect(diagnostic.description.hasPrefix("\(path):\(place)"), "\(diagnostic)")
    #expect(
      diagnostic.message.hasSuffix(
        "no earlier version without errors is stored, so `user_routes`, `grants`, `direct_registration` are disabled until this is corrected"
      ), "\(diagnostic)")
  }

  @Test func `that cannot be read, or have another format, switch everything off`() throws {
    let path = try write("grants = false", in: system)
    for text in ["grants = false", "format = 2", "format = 1\n\u{0}"] {
      try Data(text.utf8).write(to: URL(filePath: path))
      #expect(inForce(locks()).count == 3, "\(text)")
    }
    try FileManager.default.removeItem(atPath: path)
    #expect(inForce(locks()).isEmpty)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(inForce(locks()).count == 3 && locks().diagnostics.first?.kind == .unreadable)
  }

  @Test func `with an error are used in their last version without errors`() throws {
    let path = try write("grants = false\n", in: system)
    let version = try #require(locks().soundVersions.first)
    #expect(version.file == RouteDirectory(path: path, rank: .administrator))
    try write("grants = flase\n", in: system)
    let earlier = locks(lastSound: { $0 == version.file ? version : nil })
    #expect(inForce(earlier) == ["grants"] && earlier.soundVersions.isEmpty)
    #expect(
      earlier.diagnostics.first?.message.contains("the broker uses the version of \(path) from 20") == true)
    // A version that this program cannot read is ignored.
    let newer = RouteFileVersion(file: version.file, text: "format = 2\n", changed: 0)
    #expect(inForce(locks(lastSound: { _ in newer })).count == 3)
  }

  @Test func `disable the routes of directories that a user can write`() throws {
    let own = ["\(root.path)/config/usher/routes", "\(root.path)/data/usher/routes"]
    let shared = "\(first)/usher/routes"
    try root.makeDirectory("first/usher/routes")
    #expect(locks().admitsRoutes(in: own[0], usersDirectories: own) { _ in true })
    try write("user_routes = false\n", in: first)
    let elsewhere = locks()
    #expect(
      own.allSatisfy {
        !elsewhere.admitsRoutes(in: $0, usersDirectories: own, isWritableByRootOnly: { _ in true })
      })
    #expect(elsewhere.admitsRoutes(in: shared, usersDirectories: own) { _ in false })
    try write("user_routes = false\n", in: system)
    let systems = locks()
    #expect(!systems.admitsRoutes(in: shared, usersDirectories: own) { _ in false })
    #expect(systems.admitsRoutes(in: shared, usersDirectories: own) { _ in true })
    #expect(systems.admitsRoutes(in: "\(root.path)/none", usersDirectories: own) { _ in false })
  }
}
