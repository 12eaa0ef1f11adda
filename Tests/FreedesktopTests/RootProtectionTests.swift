// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Freedesktop

/// Files of which only the ownership is simulated; a path without an ownership is missing.
private struct OwnedFiles: FileReading {
  var owned: [String: FileOwnership] = [:]
  var mounts = "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"

  func read(_ path: String) -> FileOutcome {
    path == "/proc/self/mountinfo" ? .bytes(Array(mounts.utf8)) : .missing
  }
  func list(_ directory: String) -> DirectoryOutcome { .missing }
  func isExecutable(_ path: String) -> Bool { false }
  func ownership(of path: String) -> FileOwnership? { owned[path] }
}

@Suite struct `Files that only root can change` {
  private static let disk = RootProtection.device(major: 8, minor: 1)

  private static func file(_ user: UInt32 = 0, _ permissions: UInt32 = 0o755) -> FileOwnership {
    FileOwnership(.file, userID: user, permissions: permissions, device: disk)
  }

  private static func directory(
    _ user: UInt32 = 0, _ permissions: UInt32 = 0o755, device: UInt64 = disk
  ) -> FileOwnership {
    FileOwnership(.directory, userID: user, permissions: permissions, device: device)
  }

  private static func link(_ target: String, _ user: UInt32 = 0) -> FileOwnership {
    FileOwnership(.link(to: target), userID: user, permissions: 0o777, device: disk)
  }

  private static let usual = OwnedFiles(owned: [
    "/": directory(), "/usr": directory(), "/usr/bin": directory(), "/usr/bin/app": file(),
    "/bin": link("usr/bin"),
    "/home": directory(), "/home/me": directory(1_000), "/home/me/app": file(),
  ])

  private static func weakness(
    of path: String, _ change: (inout OwnedFiles) -> Void = { _ in }
  ) -> String? {
    var files = usual
    change(&files)
    return RootProtection(files).weakness(of: path)
  }

  @Test func `belong to root, as do the directories above`() {
    for path in ["/usr/bin/app", "/bin/app", "/usr/bin/../bin/./app", "/../usr//bin/app", "/usr/bin"] {
      #expect(Self.weakness(of: path) == nil, "\(path)")
    }
  }

  @Test func `do not belong to another owner, nor do directories above`() {
    #expect(Self.weakness(of: "/home/me/app") == "/home/me belongs to user 1000")
    #expect(Self.weakness(of: "/usr/bin/app") { $0.owned["/usr/bin/app"] = Self.file(7) } != nil)
    #expect(Self.weakness(of: "/usr/bin/app") { $0.owned["/"] = Self.directory(7) } == "/ belongs to user 7")
  }

  @Test(arguments: [UInt32(0o775), 0o757, 0o777, 0o2775])
  func `are not writable by a group or all users`(permissions: UInt32) {
    let reason = "can be written by users other than root"
    #expect(
      Self.weakness(of: "/usr/bin/app") { $0.owned["/usr/bin"] = Self.directory(0, permissions) }
        == "/usr/bin \(reason)")
    #expect(
      Self.weakness(of: "/usr/bin/app") { $0.owned["/usr/bin/app"] = Self.file(0, permissions) }
        == "/usr/bin/app \(reason)")
  }

  @Test func `in a sticky directory are root's, unless a file system is mounted there`() {
    func weakness(_ bin: FileOwnership, _ app: FileOwnership = Self.file()) -> String? {
      Self.weakness(of: "/usr/bin/app") {
        $0.owned["/usr"] = Self.directory(0, 0o1777)
        $0.owned["/usr/bin"] = bin
        $0.owned["/usr/bin/app"] = app
      }
    }
    #expect(weakness(Self.directory()) == nil)
    #expect(weakness(Self.directory(7)) != nil)
    #expect(weakness(Self.directory(0, 0o755, device: 99))?.hasPrefix("/usr/bin is mounted") == true)
    // The sticky bit of a file has no effect.
    #expect(weakness(Self.directory(), Self.file(0, 0o1777)) != nil)
  }

  @Test func `are found through symbolic links of root, and every directory on the path is checked`() {
    func weakness(_ link: FileOwnership) -> String? {
      Self.weakness(of: "/usr/bin/link") { $0.owned["/usr/bin/link"] = link }
    }
    #expect(weakness(Self.link("app")) == nil)
    #expect(weakness(Self.link("/bin/../../usr/bin/app")) == nil)
    #expect(weakness(Self.link("app", 1_000)) == "/usr/bin/link belongs to user 1000")
    #expect(weakness(Self.link("/home/me/app")) == "/home/me belongs to user 1000")
    #expect(weakness(Self.link("../../home/me/../../usr/bin/app")) == "/home/me belongs to user 1000")
    #expect(weakness(Self.link("link"))?.hasSuffix("too many symbolic links") == true)
    #expect(weakness(Self.link("app/x")) == "/usr/bin/app is not a directory")
  }

  @Test(arguments: ["loop", "-"])
  func `are never on a file system that a program serves, whatever owner it reports`(source: String) {
    let weakness = Self.weakness(of: "/home/me/app") {
      $0.owned["/home/me"] = Self.directory(0, 0o755, device: RootProtection.device(major: 0, minor: 300))
      $0.mounts += "90 22 0:300 / /home/me rw,nosuid - fuse.loopback \(source) rw\n"
    }
    #expect(weakness?.contains("FUSE") == true)
  }

  @Test func `include no files that cannot be inspected`() {
    #expect(Self.weakness(of: "/usr/bin/none") == "/usr/bin/none cannot be examined")
    #expect(Self.weakness(of: "bin/app") == "bin/app is not an absolute path")
    #expect(Self.weakness(of: "/usr/bin/app") { $0.owned["/"] = nil } != nil)
    #expect(Self.weakness(of: "/usr/bin/app") { $0.mounts = "22 1 x / / rw - fuse.y z rw\n" } != nil)
    #expect(RootProtection(NoFiles()).weakness(of: "/usr/bin/app") != nil)
  }

  @Test func `is no directory in which others can create files, although root's files in it are`() {
    var files = Self.usual
    files.owned["/usr/bin"] = Self.directory(0, 0o1777)
    let protection = RootProtection(files)
    #expect(protection.weakness(of: "/usr/bin") == nil)
    #expect(!protection.onlyRootCanWrite("/usr/bin") && !protection.onlyRootCanWrite("/bin"))
    #expect(protection.onlyRootCanWrite("/usr/bin/app") && protection.onlyRootCanWrite("/usr"))
    #expect(!protection.onlyRootCanWrite("/home/me/app") && !protection.onlyRootCanWrite("/usr/bin/none"))
    #expect(protection.correction(of: "/usr/bin/app", in: "/usr") == nil)
    let open = protection.correction(of: "/usr/bin", in: "/usr")
    #expect(
      open?.reason == "users other than root can create files in /usr/bin"
        && open?.command == "chmod go-w /usr/bin")
    #expect(protection.correction(of: "/home/me/app", in: "/home/me")?.command == "chown root /home/me")
    let home = protection.correction(of: "/home/me/app", in: "/home/me/app")
    #expect(home?.reason == "/home/me belongs to user 1000" && home?.command == nil)
    #expect(RootProtection().onlyRootCanWrite("/etc") && !RootProtection().onlyRootCanWrite("/tmp"))
  }

  @Test func `are determined on this machine's files`() throws {
    #expect(FileOwnership(at: "/")?.kind == .directory)
    #expect(
      FileOwnership(at: "/proc/self/cwd").map { if case .link = $0.kind { true } else { false } } == true)
    #expect(FileOwnership(at: "/nothing/there") == nil)
    let shell = try #require(FileOwnership(at: "/usr/bin/env"))
    #expect(shell.userID == 0 && shell.permissions & 0o022 == 0)
    var status = stat()
    #expect(stat("/", &status) == 0)
    #expect(FileOwnership(at: "/")?.device == UInt64(status.st_dev))
  }
}

/// Files whose reads all fail.
private struct NoFiles: FileReading {
  func read(_ path: String) -> FileOutcome { .unreadable(reason: "no") }
  func list(_ directory: String) -> DirectoryOutcome { .missing }
  func isExecutable(_ path: String) -> Bool { false }
}
