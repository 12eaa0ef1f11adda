// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Foundation
import TestSupport
import Testing

@testable import WebLinks

@Suite struct `The profiles of Firefox` {
  /// The list of a real Firefox 153 with two profiles.
  private static let real = """
    [Profile1]
    Name=default-esr
    IsRelative=1
    Path=a85e0laf.default-esr

    [Profile0]
    Name=Work
    IsRelative=1
    Path=gj0du35k.Work
    Default=1

    [General]
    StartWithLastProfile=1
    Version=2

    [Install3B6073811A6ABF12]
    Default=a85e0laf.default-esr
    Locked=1

    """

  private func home(_ list: String, in directory: String = ".config/mozilla/firefox") throws -> BrowserHome {
    let home = try BrowserHome()
    try home.installPlain("firefox")
    try home.write(list, to: "\(directory)/profiles.ini")
    return home
  }

  @Test func `are in the order of their numbers, and the default is that of the installation`() throws {
    let home = try home(Self.real)
    #expect(try home.profiles("firefox") == ["Work|Work", "default-esr|default-esr*"])
    #expect(
      try home.browser("firefox").knownProfiles.map(\.arguments) == [["-P", "Work"], ["-P", "default-esr"]])
  }

  @Test func `of the directory of earlier versions take precedence, as in Firefox`() throws {
    let home = try home(Self.real)
    try home.write("[Profile0]\nName=old\nPath=x.old\n", to: ".mozilla/firefox/profiles.ini")
    #expect(try home.profiles("firefox") == ["old|old*"])
  }

  @Test func `are in the directory of earlier versions only, if MOZ_LEGACY_HOME says so`() throws {
    let home = try home(Self.real)
    #expect(try home.profiles("firefox", extra: ["MOZ_LEGACY_HOME": "1"]) == [])
    #expect(try home.profiles("firefox", extra: ["MOZ_LEGACY_HOME": "0"]).count == 2)
    #expect(try home.profiles("firefox", extra: ["XDG_CONFIG_HOME": "\(home.home)/elsewhere"]) == [])
  }

  @Test func `have the default of installs.ini if an older version has rewritten profiles.ini`() throws {
    let list = "[Profile0]\nName=a\nPath=x.a\nDefault=1\n\n[Profile1]\nName=b\nPath=x.b\n"
    let home = try home(list)
    #expect(try home.profiles("firefox") == ["a|a*", "b|b"])
    try home.write("[ABC]\nDefault=x.b\nLocked=1\n", to: ".config/mozilla/firefox/installs.ini")
    #expect(try home.profiles("firefox") == ["a|a", "b|b*"])
    // A default that was removed is none.
    try home.write("[ABC]\nDefault=x.c\n", to: ".config/mozilla/firefox/installs.ini")
    #expect(try home.profiles("firefox") == ["a|a*", "b|b"])
  }

  @Test func `of several installations have the default of the one that the entry starts`() throws {
    let list =
      "[Profile0]\nName=a\nPath=x.a\n[Profile1]\nName=b\nPath=x.b\n[InstallA]\nDefault=x.a\n[InstallB]\nDefault=x.b\n"
    let home = try home(list)
    #expect(try home.profiles("firefox") == ["a|a", "b|b"])
    let root = ".config/mozilla/firefox"
    try home.write("[Compatibility]\nLastPlatformDir=/opt/other\n", to: "\(root)/x.a/compatibility.ini")
    try home.write(
      "[Compatibility]\nLastPlatformDir=\(URL(filePath: home.desktop.bin).resolvingSymlinksInPath().path)\n",
      to: "\(root)/x.b/compatibility.ini")
    #expect(try home.profiles("firefox") == ["a|a", "b|b*"])
  }

  @Test func `have no default if Firefox asks the user`() throws {
    let home = try home("[General]\nStartWithLastProfile=0\n[Profile0]\nName=a\nPath=x.a\nDefault=1\n")
    #expect(try home.profiles("firefox") == ["a|a"])
  }

  @Test func `are those of the group, by their directories, for a profile that stands for one`() async throws
  {
    let list = """
      [Profile0]
      Name=default-release
      IsRelative=1
      Path=b2.Private
      StoreID=889cd373
      ShowSelector=1

      [Profile1]
      Name=plain
      IsRelative=1
      Path=c3.plain

      [Install1]
      Default=b2.Private

      """
    let home = try home(list)
    let root = ".config/mozilla/firefox"
    // Without a database, the profile stands for itself.
    #expect(try home.profiles("firefox") == ["default-release|default-release*", "plain|plain"])
    try await home.database(
      at: "\(root)/Profile Groups/889cd373.sqlite",
      BrowserHome.group([("Original profile", "a1.default-release"), ("Privat ✨", "b2.Private")]))
    let expected = [
      "Original profile|a1.default-release", "Privat ✨|b2.Private*", "plain|plain",
    ]
    #expect(try home.profiles("firefox") == expected)
    #expect(
      try home.browser("firefox").knownProfiles.map(\.arguments) == [
        ["--profile", "\(home.home)/\(root)/a1.default-release"],
        ["--profile", "\(home.home)/\(root)/b2.Private"], ["-P", "plain"],
      ])
  }

  @Test func `of a group include the last changes of a running browser, whose directory stays as it is`()
    async throws
  {
    let home = try home("[Profile0]\nName=x\nPath=a1.x\nStoreID=s\n")
    let group = ".config/mozilla/firefox/Profile Groups"
    try await home.database(
      at: "\(group)/s.sqlite", BrowserHome.group([("One", "a1.x"), ("Two", "b2.y")]), keepsLog: true)
    func content() throws -> [String: Data] {
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(home.home)/\(group)")
      return try Dictionary(
        uniqueKeysWithValues: names.map { name in
          (name, try Data(contentsOf: URL(filePath: "\(home.home)/\(group)/\(name)")))
        })
    }
    let before = try content()
    #expect(try #require(before["s.sqlite-wal"]).count > 0, "the log has the changes")
    #expect(try home.profiles("firefox") == ["One|a1.x*", "Two|b2.y"])
    #expect(try content() == before)
    let left = try FileManager.default.contentsOfDirectory(atPath: home.desktop.runtimeDirectory)
    #expect(left.allSatisfy { !$0.contains("usher-profiles") })
  }

  @Test func `of a locked group can be read`() async throws {
    let home = try home("[Profile0]\nName=x\nPath=a1.x\nStoreID=s\n")
    let file = ".config/mozilla/firefox/Profile Groups/s.sqlite"
    try await home.database(at: file, BrowserHome.group([("One", "a1.x")]))
    let program = """
      import sqlite3, sys
      file = sqlite3.connect(sys.argv[1], isolation_level=None)
      file.execute("PRAGMA locking_mode = EXCLUSIVE")
      file.execute("BEGIN EXCLUSIVE")
      print("locked", flush=True)
      sys.stdin.read()
      """
    let other = try await RunningProgram.start("/usr/bin/python3", ["-c", program, "\(home.home)/\(file)"])
    #expect(try await other.line() == "locked")
    #expect(try home.profiles("firefox") == ["One|a1.x*"])
    other.closeInput()
    _ = await other.waitUntilExit()
  }

  @Test func `never become an option or a second application`() throws {
    let list = """
      [Profile0]
      Name=--headless
      IsRelative=1
      Path=a.x
      [Profile1]
      Name=same
      Path=b.x
      [Profile2]
      Name=same
      Path=c.x
      [Profile3]
      Name=
      Path=d.x
      [Profile4]
      Name=away
      IsRelative=0
      Path=/elsewhere/-e
      [Profile5]
      Path=no.name
      [Profile6]
      Name=no path
      [Profilex]
      Name=no number
      Path=f
      [Profile7]
      Name=back\\slash ; "quote" % ü
      Path=g/../h.x
      """
    let profiles = try home(list).browser("firefox").knownProfiles
    #expect(profiles.map(\.key) == ["a.x", "same", "d.x", "away", #"back\slash ; "quote" % ü"#])
    #expect(profiles.allSatisfy { $0.arguments.count == 2 && !$0.arguments[1].hasPrefix("-") }, "\(profiles)")
    #expect(profiles.first?.name == "--headless" && profiles.first?.arguments.first == "--profile")
    let long = try home("[Profile0]\nName=\(String(repeating: "x", count: 5_000))\nPath=a.x\n")
      .browser("firefox").knownProfiles
    #expect(long.map(\.key) == ["a.x"] && long.allSatisfy { $0.name.count == 100 })
  }
}
