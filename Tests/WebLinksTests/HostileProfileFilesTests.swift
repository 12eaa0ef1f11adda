// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Foundation
import Glibc
import TestSupport
import Testing

@testable import WebLinks

/// Files that other programs, or an attacker who can write into the directory of a browser, may leave there.
@Suite struct `A hostile list of profiles is an error of its browser` {
  /// A file, with a part of the message about it.
  struct Case: CustomTestStringConvertible {
    let what: String
    let reason: String
    let make: @Sendable (BrowserHome, String) throws -> Void
    var testDescription: String { what }
  }

  private static let kinds: [Case] = [
    Case(what: "a pipe", reason: "not a regular file") { home, path in mkfifo("\(home.home)/\(path)", 0o600)
    },
    Case(what: "a directory", reason: "not a regular file") { home, path in
      mkdir("\(home.home)/\(path)", 0o700)
    },
    Case(what: "a device", reason: "not a regular file") { home, path in
      symlink("/dev/zero", "\(home.home)/\(path)")
    },
    Case(what: "a loop of links", reason: "Too many levels of symbolic links") { home, path in
      symlink("\(home.home)/\(path)", "\(home.home)/\(path)")
    },
    Case(what: "a huge file", reason: "larger than") { home, path in
      try home.write("", to: path)
      truncate("\(home.home)/\(path)", 1 << 40)
    },
    Case(what: "text that is not UTF-8", reason: "not ") { home, path in
      try home.write(Array("[Profile0]\nName=\u{41}".utf8) + [0xFF, 0xFE, 0x0A], to: path)
    },
  ]

  private func reason(_ browser: InstalledBrowser) -> String {
    if case .unreadable(let reason) = browser.profiles { reason } else { "\(browser.profiles)" }
  }

  @Test(arguments: kinds)
  func `for any kind of file`(kind: Case) throws {
    for (program, directory, name) in [
      ("firefox", ".mozilla/firefox", "profiles.ini"), ("chromium", ".config/chromium", "Local State"),
    ] {
      let home = try BrowserHome()
      try home.installPlain(program)
      try home.installPlain("google-chrome")
      try home.write(
        #"{"profile":{"info_cache":{"Default":{"name":"a"}}}}"#, to: ".config/google-chrome/Local State")
      try home.write("", to: "\(directory)/other")
      try kind.make(home, "\(directory)/\(name)")
      let reason = reason(try home.browser(program))
      #expect(
        reason.contains("\(home.home)/\(directory)/\(name)") && reason.contains(kind.reason), "\(reason)")
      // Other browsers are not affected.
      #expect(try home.profiles("google-chrome") == ["a|Default*"])
    }
  }

  @Test(arguments: kinds)
  func `for any kind of database`(kind: Case) throws {
    let home = try BrowserHome()
    try home.installPlain("firefox")
    try home.write("[Profile0]\nName=x\nPath=a1.x\nStoreID=s\n", to: ".mozilla/firefox/profiles.ini")
    try home.write("", to: ".mozilla/firefox/Profile Groups/other")
    try kind.make(home, ".mozilla/firefox/Profile Groups/s.sqlite")
    let reason = reason(try home.browser("firefox"))
    #expect(reason.contains("s.sqlite") && reason.contains(kind.reason), "\(reason)")
  }

  @Test(arguments: [
    "", "{", "null", "[]x", #"{"profile": {"info_cache": {"a": {"name": "\ud800"}}}}"#,
    String(repeating: "[", count: 100_000), #"{"a": 1"#, "\u{FEFF}{}",
  ])
  func `for text that is not the JSON of Chromium`(text: String) throws {
    let home = try BrowserHome()
    try home.installPlain("chromium")
    try home.write(text, to: ".config/chromium/Local State")
    #expect(reason(try home.browser("chromium")).contains("is not valid JSON"))
  }

  @Test func `for a database that is corrupt, has no table, or never ends`() async throws {
    let group = ".mozilla/firefox/Profile Groups/s.sqlite"
    for (statements, expected) in [
      (["CREATE TABLE Other (id)"], "no such table"),
      (["CREATE TABLE Profiles (id, name)"], "no such column"),
      (
        [
          """
          CREATE VIEW Profiles AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) \
          SELECT id, 'a' AS name, 'b' AS path FROM n WHERE id < 0
          """
        ], "interrupted"
      ),
      (
        [
          """
          CREATE VIEW Profiles AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n LIMIT 5000) \
          SELECT id, 'a' || id AS name, 'b' || id AS path FROM n
          """
        ], "more than 1000 profiles"
      ),
    ] {
      let home = try BrowserHome()
      try home.installPlain("firefox")
      try home.write("[Profile0]\nName=x\nPath=a1.x\nStoreID=s\n", to: ".mozilla/firefox/profiles.ini")
      try await home.database(at: group, statements)
      let reason = reason(try home.browser("firefox"))
      #expect(reason.contains(expected), "\(reason)")
    }
    let home = try BrowserHome()
    try home.installPlain("firefox")
    try home.write("[Profile0]\nName=x\nPath=a1.x\nStoreID=s\n", to: ".mozilla/firefox/profiles.ini")
    try await home.database(at: group, BrowserHome.group((0..<500).map { ("n\($0)", "p\($0)") }))
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(home.home)/\(group)")))
    for index in 4_096..<bytes.count { bytes[index] = 0x5A }
    try home.write(bytes, to: group)
    #expect(reason(try home.browser("firefox")).contains("malformed"))
  }

  @Test func `but a store ID never leads out of its directory`() async throws {
    let home = try BrowserHome()
    try home.installPlain("firefox")
    try await home.database(at: "elsewhere.sqlite", BrowserHome.group([("One", "a1.x")]))
    try home.write(
      "[Profile0]\nName=x\nPath=a1.x\nStoreID=../../../elsewhere\n", to: ".mozilla/firefox/profiles.ini")
    try home.write("", to: ".mozilla/firefox/Profile Groups/other")
    #expect(try home.profiles("firefox") == ["x|x*"])
  }

  /// A combining mark after the slash makes another character of it, and the same byte for the kernel.
  @Test func `and neither does one with a combining mark`() async throws {
    let home = try BrowserHome()
    try home.installPlain("firefox")
    try await home.database(at: ".mozilla/firefox/b.sqlite", BrowserHome.group([("One", "a1.x")]))
    let directory = "\(home.home)/.mozilla/firefox"
    #expect(rename("\(directory)/b.sqlite", "\(directory)/\u{301}b.sqlite") == 0)
    try home.write(
      "[Profile0]\nName=x\nPath=a1.x\nStoreID=../\u{301}b\n", to: ".mozilla/firefox/profiles.ini")
    try home.write("", to: ".mozilla/firefox/Profile Groups/other")
    #expect(try home.profiles("firefox") == ["x|x*"])
  }

  @Test func `for more profiles than a prompt can show`() throws {
    let home = try BrowserHome()
    try home.installPlain("firefox")
    try home.installPlain("chromium")
    try home.write(
      (0..<1_001).map { "[Profile\($0)]\nName=p\($0)\nPath=x.\($0)\n" }.joined(),
      to: ".mozilla/firefox/profiles.ini")
    let members = (0..<1_001).map { #""P\#($0)":{"name":"a"}"# }.joined(separator: ",")
    try home.write(#"{"profile":{"info_cache":{\#(members)}}}"#, to: ".config/chromium/Local State")
    for program in ["firefox", "chromium"] {
      #expect(reason(try home.browser(program)).contains("more than 1000 profiles"))
    }
  }
}
