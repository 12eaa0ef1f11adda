import Foundation
import TestSupport
import Testing

@testable import Systemd

/// A change of something below a folder that holds `etc/list`, `apps/one`, the link `link` to `etc` and the folder `deep`.
private struct Change: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let make: @Sendable (TemporaryDirectory) throws -> Void

  init(_ description: String, _ make: @escaping @Sendable (TemporaryDirectory) throws -> Void) {
    (testDescription, self.make) = (description, make)
  }

  static let told: [Change] = [
    .init("a file is written where it is") { folder in
      let file = try #require(FileHandle(forWritingAtPath: "\(folder.path)/etc/list"))
      try file.write(contentsOf: Data("x".utf8))
    },
    .init("another file takes its place") { folder in
      try folder.write("x", to: "etc/new")
      #expect(rename("\(folder.path)/etc/new", "\(folder.path)/etc/list") == 0)
    },
    .init("a file goes") { #expect(unlink("\($0.path)/etc/list") == 0) },
    .init("a file may not be read any more") { #expect(chmod("\($0.path)/etc/list", 0) == 0) },
    .init("a file comes") { try $0.write("x", to: "etc/absent") },
    .init("the folder of a file comes") { try $0.makeDirectory("deep/none") },
    .init("an entry of a folder comes") { try $0.write("x", to: "apps/two") },
    .init("an entry of a folder goes") { #expect(unlink("\($0.path)/apps/one") == 0) },
    .init("a folder on the way moves away") { folder in
      #expect(rename("\(folder.path)/deep", "\(folder.path)/away") == 0)
    },
    .init("a folder on the way may not be entered any more") {
      #expect(chmod("\($0.path)/apps", 0o600) == 0)
    },
    .init("what a link leads to is written") { try $0.write("y", to: "etc/linked") },
    .init("a link leads elsewhere") { folder in
      #expect(unlink("\(folder.path)/link") == 0)
      #expect(symlink("deep", "\(folder.path)/link") == 0)
    },
  ]

  static let untold: [Change] = [
    .init("nothing") { _ in },
    .init("a file beside is written, and goes") { folder in
      try folder.write("x", to: "etc/other")
      #expect(unlink("\(folder.path)/etc/other") == 0)
    },
    .init("what an entry of a folder holds") { folder in
      let file = try #require(FileHandle(forWritingAtPath: "\(folder.path)/apps/one"))
      try file.write(contentsOf: Data("x".utf8))
    },
    .init("a folder beside the way comes") { try $0.makeDirectory("beside/that") },
  ]
}

@Suite(.enabled(if: PathWatch(of: ["/tmp"]) != nil, "the kernel tells of no changes in /tmp"))
struct `Watched paths` {
  private let folder: TemporaryDirectory
  private let paths: [String]

  init() throws {
    folder = try TemporaryDirectory()
    try folder.write("x", to: "etc/list")
    try folder.write("x", to: "etc/linked")
    try folder.write("x", to: "apps/one")
    try folder.makeDirectory("deep")
    #expect(symlink("etc", "\(folder.path)/link") == 0)
    paths = ["etc/list", "etc/absent", "deep/none/list", "apps", "link/../etc/./list", "link/linked"]
      .map { [path = folder.path] in "\(path)/\($0)" }
  }

  @Test(arguments: Change.told) private func `Tell of every change, once and for all`(_ change: Change) throws
  {
    let watch = try #require(PathWatch(of: paths))
    #expect(watch.isQuiet())
    try change.make(folder)
    #expect(!watch.isQuiet())
    #expect(!watch.isQuiet())
  }

  @Test(arguments: Change.untold) private func `Are quiet while nothing of theirs changes`(_ change: Change)
    throws
  {
    let watch = try #require(PathWatch(of: paths))
    try change.make(folder)
    #expect(watch.isQuiet())
  }

  @Test func `Grow, and tell of the new one from then on`() throws {
    let watch = try #require(PathWatch(of: paths))
    let entry = "\(folder.path)/apps/one"
    #expect(!watch.covers(entry) && watch.add(entry) && watch.covers(entry))
    #expect(watch.isQuiet())
    let file = try #require(FileHandle(forWritingAtPath: entry))
    try file.write(contentsOf: Data("x".utf8))
    #expect(!watch.isQuiet())
    #expect(!watch.add("/proc/self/status") && !watch.covers("/proc/self/status"))
  }

  @Test func `Are not watched where the kernel does not tell of all changes`() {
    #expect(PathWatch(of: paths + ["/proc/self/status"]) == nil)
  }
}
