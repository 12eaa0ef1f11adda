// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Systemd

/// A change below a directory with `etc/list`, `apps/one`, the link `link` to `etc`, and the directory `deep`.
private struct Change: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let make: @Sendable (TemporaryDirectory) throws -> Void

  init(_ description: String, _ make: @escaping @Sendable (TemporaryDirectory) throws -> Void) {
    (testDescription, self.make) = (description, make)
  }

  static let reported: [Change] = [
    .init("a file is written where it is") { directory in
      let file = try #require(FileHandle(forWritingAtPath: "\(directory.path)/etc/list"))
      try file.write(contentsOf: Data("x".utf8))
    },
    .init("another file takes its place") { directory in
      try directory.write("x", to: "etc/new")
      #expect(rename("\(directory.path)/etc/new", "\(directory.path)/etc/list") == 0)
    },
    .init("a file goes") { #expect(unlink("\($0.path)/etc/list") == 0) },
    .init("a file may not be read any more") { #expect(chmod("\($0.path)/etc/list", 0) == 0) },
    .init("a file comes") { try $0.write("x", to: "etc/absent") },
    .init("the folder of a file comes") { try $0.makeDirectory("deep/none") },
    .init("an entry of a folder comes") { try $0.write("x", to: "apps/two") },
    .init("an entry of a folder goes") { #expect(unlink("\($0.path)/apps/one") == 0) },
    .init("a folder on the way moves away") { directory in
      #expect(rename("\(directory.path)/deep", "\(directory.path)/away") == 0)
    },
    .init("a folder on the way may not be entered any more") {
      #expect(chmod("\($0.path)/apps", 0o600) == 0)
    },
    .init("what a link leads to is written") { try $0.write("y", to: "etc/linked") },
    .init("a link leads elsewhere") { directory in
      #expect(unlink("\(directory.path)/link") == 0)
      #expect(symlink("deep", "\(directory.path)/link") == 0)
    },
  ]

  static let untold: [Change] = [
    .init("nothing") { _ in },
    .init("a file beside is written, and goes") { directory in
      try directory.write("x", to: "etc/other")
      #expect(unlink("\(directory.path)/etc/other") == 0)
    },
    .init("what an entry of a folder holds") { directory in
      let file = try #require(FileHandle(forWritingAtPath: "\(directory.path)/apps/one"))
      try file.write(contentsOf: Data("x".utf8))
    },
    .init("a folder beside the way comes") { try $0.makeDirectory("beside/that") },
  ]
}

@Suite(.enabled(if: PathMonitor(of: ["/tmp"]) != nil, "the kernel tells of no changes in /tmp"))
struct `Watched paths` {
  private let directory: TemporaryDirectory
  private let paths: [String]

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write("x", to: "etc/list")
    try directory.write("x", to: "etc/linked")
    try directory.write("x", to: "apps/one")
    try directory.makeDirectory("deep")
    #expect(symlink("etc", "\(directory.path)/link") == 0)
    paths = ["etc/list", "etc/absent", "deep/none/list", "apps", "link/../etc/./list", "link/linked"]
      .map { [path = directory.path] in "\(path)/\($0)" }
  }

  @Test(arguments: Change.reported) private func `Report every change once`(_ change: Change)
    throws
  {
    let watch = try #require(PathMonitor(of: paths))
    #expect(watch.hasNoChanges())
    try change.make(directory)
    #expect(!watch.hasNoChanges())
    #expect(!watch.hasNoChanges())
  }

  @Test(arguments: Change.untold) private func `Are quiet while nothing of theirs changes`(_ change: Change)
    throws
  {
    let watch = try #require(PathMonitor(of: paths))
    try change.make(directory)
    #expect(watch.hasNoChanges())
  }

  @Test func `Grow, and report the new one from then on`() throws {
    let watch = try #require(PathMonitor(of: paths))
    let entry = "\(directory.path)/apps/one"
    #expect(!watch.covers(entry) && watch.add(entry) && watch.covers(entry))
    #expect(watch.hasNoChanges())
    let file = try #require(FileHandle(forWritingAtPath: entry))
    try file.write(contentsOf: Data("x".utf8))
    #expect(!watch.hasNoChanges())
    #expect(!watch.add("/proc/self/status") && !watch.covers("/proc/self/status"))
  }

  /// inotify has one watch for both paths, as for a directory of a container that has two names.
  @Test func `Report a file whose directory is watched under another path, too`() async throws {
    let root = directory.path
    let isReported: Bool? = try await BlockingWork.runAtOnce {
      guard Self.bindInOwnNamespace("\(root)/etc", at: "\(root)/deep"),
        let watch = PathMonitor(of: ["\(root)/etc/list", "\(root)/deep"]), watch.hasNoChanges(),
        let file = FileHandle(forWritingAtPath: "\(root)/etc/list")
      else { return nil }
      try file.write(contentsOf: Data("x".utf8))
      return !watch.hasNoChanges()
    }
    guard let isReported else { try Test.cancel("this thread may make no mount namespace") }
    #expect(isReported)
  }

  /// Mounts a directory at another one, in a mount namespace of the current thread; returns `false` if that is not permitted.
  private static func bindInOwnNamespace(_ directory: String, at place: String) -> Bool {
    typealias Unshare = @convention(c) (Int32) -> Int32
    typealias Mount =
      @convention(c) (
        UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UInt, UnsafeRawPointer?
      ) -> Int32
    // Swift's Glibc module has neither function.
    guard let unshare = dlsym(nil, "unshare"), let mount = dlsym(nil, "mount") else { return false }
    let (newNamespace, bind, privately) = (Int32(0x2_0000), UInt(0x1000), UInt(0x4_4000))
    let mounts = unsafeBitCast(mount, to: Mount.self)
    return unsafeBitCast(unshare, to: Unshare.self)(newNamespace) == 0
      && mounts("none", "/", nil, privately, nil) == 0 && mounts(directory, place, nil, bind, nil) == 0
  }

  @Test func `Are not watched if the kernel does not report all changes`() {
    #expect(PathMonitor(of: paths + ["/proc/self/status"]) == nil)
  }
}
