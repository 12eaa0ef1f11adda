// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import RouteFiles
import RouteTables
import TestSupport
import Testing

/// Whatever stands in place of an administrator's file or directory and cannot be read.
@Suite struct `What cannot be read in place of an administrator's file` {
  enum Obstacle: String, CaseIterable {
    case link, loop, directory, pipe, socket
  }

  private let root: TemporaryDirectory
  private var system: String { "\(root.path)/xdg" }
  private var routes: String { "\(system)/usher/routes" }

  init() throws { root = try TemporaryDirectory() }

  private func put(_ obstacle: Obstacle, at path: String) throws {
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    switch obstacle {
    case .link: #expect(symlink("\(root.path)/nothing", path) == 0)
    case .loop: #expect(symlink(path, path) == 0)
    case .directory: #expect(mkdir(path, 0o755) == 0)
    case .pipe: #expect(mkfifo(path, 0o644) == 0)
    case .socket: #expect(mknod(path, S_IFSOCK | 0o644, 0) == 0)
    }
  }

  private var set: RouteFileSet {
    RouteFileSet(
      loading: RouteDirectory.layer([routes], rank: .administrator, system: routes) { _ in true })
  }

  private func expectRefused(_ path: String) throws {
    let set = set
    #expect(
      set.diagnostics.map(\.kind) == [.unreadable] && set.diagnostics.first?.location.file == path)
    let gap = try #require(set.gaps.first)
    #expect(set.gaps.count == 1 && gap.isFinal)
    #expect(gap.mayCover("play:1", try URLAuthority("play:1")))
    #expect(set.files.map(\.version) == [.none])
  }

  @Test(arguments: Obstacle.allCases) func `is refused like an unreadable route file`(obstacle: Obstacle)
    throws
  {
    try put(obstacle, at: "\(routes)/a.toml")
    try expectRefused("\(routes)/a.toml")
  }

  @Test(arguments: Obstacle.allCases.filter { $0 != .directory })
  func `is refused like an unreadable directory of routes`(obstacle: Obstacle) throws {
    #expect(set.gaps.isEmpty && set.diagnostics.map(\.kind) == [.missing], "nothing at all is no error")
    try put(obstacle, at: routes)
    try expectRefused(routes)
  }

  @Test(arguments: Obstacle.allCases.filter { $0 != .directory })
  func `is refused above the directory of routes, and locks everything`(obstacle: Obstacle) throws {
    try put(obstacle, at: "\(system)/usher")
    try expectRefused(routes)
    let locks = Locks(in: [system], system: system) { _ in true }
    #expect(locks.inForce.count == Lock.allCases.count && locks.diagnostics.map(\.kind) == [.unreadable])
  }

  @Test(arguments: Obstacle.allCases) func `locks everything in place of the lock file`(obstacle: Obstacle)
    throws
  {
    try put(obstacle, at: "\(system)/usher/locks.toml")
    // The target of a link cannot be examined, so that others may be able to write it.
    for isRoots in [true, false] {
      let locks = Locks(in: [system], system: system) { _ in isRoots }
      #expect(locks.inForce.count == Lock.allCases.count, "\(locks.diagnostics)")
      #expect(locks.diagnostics.first?.kind == .unreadable)
    }
  }

  @Test func `is refused if the name of the file is not UTF-8`() throws {
    try root.write("format = 1\nowner = \"it\"\n", to: "xdg/usher/routes/a.toml")
    // Two names with the same repaired text.
    for byte in [0xFC, 0xFD] as [UInt8] { makeFile(with: byte, in: routes) }
    let set = set
    #expect(set.diagnostics.map(\.kind) == [.unreadable] && set.diagnostics.first?.location.file == routes)
    #expect(set.diagnostics.first?.message.contains("`b\u{FFFD}ro.toml` is not UTF-8") == true)
    // An editor cannot open the directory.
    #expect(set.diagnostics.first?.command == "ls -b \(routes)")
    let gap = try #require(set.gaps.first)
    #expect(set.gaps.count == 1 && gap.isFinal)
    #expect(gap.mayCover("play:1", try URLAuthority("play:1")))
    #expect(set.files.map(\.version) == [.none, .current])
  }

  /// Creates a file whose name has a byte that is not UTF-8.
  private func makeFile(with byte: UInt8, in directory: String) {
    let path = Array("\(directory)/b".utf8) + [byte] + Array("ro.toml".utf8) + [0]
    let file = open(path.map { CChar(bitPattern: $0) }, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    #expect(file >= 0 && close(file) == 0)
  }

  @Test func `has its path as one word in the command`() throws {
    let directory = "\(root.path)/my routes; id"
    try root.write("format = 1\nowner = \"it\"\n", to: "my routes; id/a.toml")
    makeFile(with: 0xFC, in: directory)
    let set = RouteFileSet(
      loading: RouteDirectory.layer([directory], rank: .administrator, system: directory) { _ in true })
    #expect(set.diagnostics.first?.command == "ls -b '\(directory)'", "\(set.diagnostics)")
    let gap = try #require(set.gaps.first)
    #expect(gap.reason.contains("`usher routes check '\(directory)'`"), "\(gap)")
  }

  @Test func `is read if its name has a mark beside the full stop`() throws {
    let text = "format = 1\nowner = \"it\"\n[route.no]\nmatch = \"play:{x}\"\ndeny = \"no\"\n"
    try root.write(text, to: "xdg/usher/routes/a\u{600}.toml")
    #expect(try set.table.match("play:1")?.action == .deny(reason: "no"))
  }

  @Test func `names the link and what to do`() throws {
    try put(.link, at: "\(routes)/a.toml")
    #expect(
      set.diagnostics.first?.message.hasPrefix(
        "\(routes)/a.toml is a symbolic link that leads nowhere: create its target, or remove the link")
        == true)
  }

  @Test func `is not an error in another layer, whose rules forbid nothing for others`() throws {
    try put(.link, at: "\(routes)/a.toml")
    let set = RouteFileSet(loading: [RouteDirectory(path: routes, rank: .user)])
    #expect(set.gaps.isEmpty && set.diagnostics.map(\.kind) == [.unreadable])
  }

  @Test func `does not remove the administrator's own routes while user routes are locked`() throws {
    try root.write("format = 1\nuser_routes = false\n", to: "xdg/usher/locks.toml")
    try put(.link, at: routes)
    let locks = Locks(in: [system], system: system) { $0.hasSuffix("locks.toml") }
    #expect(locks.inForce.map(\.lock) == [.userRoutes])
    #expect(locks.admitsRoutes(in: routes, usersDirectories: []) { _ in false })
    #expect(!locks.admitsRoutes(in: "\(root.path)/xdg", usersDirectories: []) { _ in false })
  }
}
