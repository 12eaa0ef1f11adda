// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Freedesktop

@Suite struct RegistrationLockTests {
  @Test func `Concurrent registrations keep each other's lines`() async throws {
    let desktop = try TestDesktop()
    let path = desktop.path("home/.config/list")
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask {
          let lock = RegistrationLock(directories: desktop.directories)
          try? lock.held { () throws(FreedesktopError) in
            var bytes: [UInt8] = []
            if case .bytes(let found) = LocalFiles().read(path) { bytes = found }
            let edit = FileEdit(
              path: path, before: bytes.isEmpty ? nil : bytes, after: bytes + [UInt8(number)])
            try FileEdits([edit]).apply()
          }
        }
      }
    }
    let found = FileManager.default.contents(atPath: path).map { $0.sorted() }
    #expect(found == (0..<16).map { UInt8($0) })
  }

  @Test func `Waiting for another user's lock of a system directory has a time limit`() throws {
    let desktop = try TestDesktop()
    try desktop.write("home/.config/list", "")
    let other = open(desktop.path("home/.config"), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(other) }
    #expect(flock(other, LOCK_EX) == 0)
    let lock = RegistrationLock(
      directories: desktop.directories, isForAllUsers: true, timeout: .milliseconds(50))
    var hasWaited = false
    let error = #expect(throws: FreedesktopError.self) { try lock.held(willWait: { hasWaited = true }) {} }
    #expect(hasWaited && error?.description.contains("fuser -v") == true, "\(String(describing: error))")
    #expect(flock(other, LOCK_UN) == 0)
    try lock.held {}
  }

  @Test func `A registration for all users uses the system's directories`() {
    let all = BaseDirectories(environment: [
      "HOME": "/home/ada", "XDG_DATA_DIRS": "/opt/share:/usr/local/share",
    ])
    #expect(all.forAllUsers.userApplicationDirectory == "/usr/local/share/applications")
    #expect(all.forAllUsers.dataDirectories == ["/opt/share"])
    #expect(all.forAllUsers.userAssociationList == "/etc/xdg/mimeapps.list")
    #expect(all.forAllUsers.configDirectories.isEmpty)
    #expect(all.withoutUsersFiles.dataDirectories == all.dataDirectories)
    #expect(!FileManager.default.fileExists(atPath: all.withoutUsersFiles.configHome))
    let set = BaseDirectories(environment: ["XDG_DATA_DIRS": "/a:/b", "XDG_CONFIG_DIRS": "/c:/d"]).forAllUsers
    #expect((set.dataHome, set.configHome) == ("/a", "/c"))
  }

  @Test func `A lock leaves no file where nothing was written`() throws {
    let desktop = try TestDesktop()
    let before = try desktop.snapshot()
    try RegistrationLock(directories: desktop.directories).held {
      #expect(FileManager.default.fileExists(atPath: desktop.path("home/.config")))
    }
    #expect(try desktop.snapshot() == before)
  }

  @Test func `Files of a killed registration are found and removed`() throws {
    let desktop = try TestDesktop()
    try desktop.write("dotfiles/mimeapps.list", "")
    try desktop.link("home/.config/mimeapps.list", to: desktop.path("dotfiles/mimeapps.list"))
    let left = [
      "dotfiles/mimeapps.list.usher-01234def.new",
      TestDesktop.userApplications + "/a.desktop.usher-01234def.new",
      TestDesktop.userApplications + "/kde/b.desktop.usher-01234def.new",
    ]
    let others = [
      "dotfiles/mimeapps.list.usher-20261128", "dotfiles/mimeapps.list.usher-01234de.new",
      "dotfiles/mimeapps.list.usher-01234deg.new", "dotfiles/mimeapps.list.usher-1a",
      "dotfiles/.usher-",
      TestDesktop.userApplications + "/usher-12.desktop",
    ]
    for file in left + others { try desktop.write(file, "x") }
    try desktop.link(TestDesktop.userApplications + "/loop", to: ".")
    #expect(desktop.registration.leftOvers == left.map(desktop.path).sorted())
    desktop.registration.removeLeftOvers()
    #expect(desktop.registration.leftOvers.isEmpty)
    for file in others { #expect(desktop.text(file) == "x") }
  }

  @Test func `An entry whose file name has 230 bytes is written`() throws {
    let desktop = try TestDesktop()
    let path = desktop.path(String(repeating: "a", count: 222) + ".desktop")
    try FileEdits([FileEdit(path: path, before: nil, after: [1])]).apply()
    #expect(FileManager.default.contents(atPath: path) == Data([1]))
  }

  @Test func `A missing home directory is not created`() throws {
    let desktop = try TestDesktop()
    let home = desktop.path("away")
    let directories = BaseDirectories(environment: ["HOME": home, "XDG_CONFIG_HOME": desktop.path("config")])
    #expect(directories.homeRequired(by: directories.configHome) == nil)
    #expect(directories.homeRequired(by: directories.dataHome) == home)
    #expect(directories.homeRequired(by: home + "less/.config") == nil)
    let expected = FreedesktopError.cannotWrite(
      path: home, reason: "this home directory does not exist; create it, or correct HOME")
    #expect(throws: expected) {
      try RegistrationLock(directories: BaseDirectories(environment: ["HOME": home])).held {}
    }
    // If the configuration directory is elsewhere, the edits would create the home directory.
    let edit = FileEdit(path: directories.userApplicationDirectory + "/a.desktop", before: nil, after: [1])
    #expect(throws: expected) { try FileEdits([edit], home: home).apply() }
    #expect(throws: expected) { try FileEdits([edit], home: home).reversed.reversed.apply() }
    #expect(!FileManager.default.fileExists(atPath: home))
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    try FileEdits([edit], home: home).apply()
    #expect(FileManager.default.fileExists(atPath: edit.path))
  }

  @Test func `A configuration directory that is a dangling symbolic link is an error`() throws {
    let desktop = try TestDesktop()
    try desktop.link(TestDesktop.userLists, to: desktop.path("disk/config"))
    let lists = desktop.path(TestDesktop.userLists)
    let expected = FreedesktopError.cannotWrite(
      path: lists, reason: "it is a symbolic link that leads nowhere; create its target, or remove the link")
    for path in ["\(lists)/a/list", "\(lists)/list"] {
      try #require(throws: expected) {
        try FileEdits([FileEdit(path: path, before: nil, after: [1])]).apply()
      }
    }
    #expect(throws: expected) { try RegistrationLock(directories: desktop.directories).held {} }
    try FileManager.default.createDirectory(
      atPath: desktop.path("disk/config"), withIntermediateDirectories: true)
    try RegistrationLock(directories: desktop.directories).held {}
  }
}
