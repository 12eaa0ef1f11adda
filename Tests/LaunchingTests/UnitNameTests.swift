// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import TestSupport
import Testing

@testable import Launching

@Suite struct `Unit names` {
  static let ids = [
    "org.example.Notes", "org.example.Notes-2", "a", ".hidden", "..", "a.b", "_x", "a b", "é", "ü-ö", "a/b",
    "a\\x2db",
    "a@b", "a:b", "a%b", "a$b", "0", "-", "--x", "A~'\"*?[]{}()<>|&;#!^`+=,", "kde4-konsole", "\u{1}\n",
  ]

  @Test func `Names are escaped as systemd-escape does it`() async throws {
    // The tool systemd-escape replaces a slash by a dash, which the portal's rules would read as the end of a launcher's name.
    for id in Self.ids where !id.contains("/") {
      let escaped = try await Command.run("systemd-escape", ["--", id]).orThrow().lines.joined(
        separator: "\n")
      #expect(UnitName.service(for: id, random: 255) == "app-usher-\(escaped)@ff.service")
    }
  }

  @Test(arguments: ids + [String(repeating: "-", count: 300), String(repeating: "é", count: 300)])
  func `Each is a valid unit name of at most 255 bytes`(id: String) {
    let name = UnitName.service(for: id, random: .max)
    #expect(name.utf8.count <= 255)
    #expect(name.hasPrefix("app-usher-") && name.hasSuffix("@ffffffffffffffff.service"))
    #expect(
      name.utf8.allSatisfy {
        ("a"..."z").contains(Character(Unicode.Scalar($0)))
          || ("A"..."Z").contains(Character(Unicode.Scalar($0)))
          || ("0"..."9").contains(Character(Unicode.Scalar($0))) || ":-_.\\@".utf8.contains($0)
      }, "\(name)")
    // No escape is truncated.
    for part in name.split(separator: "\\").dropFirst() {
      #expect(
        part.first == "x" && part.dropFirst().prefix(2).count == 2
          && part.dropFirst().prefix(2).allSatisfy(\.isHexDigit))
    }
  }

  @Test func `A scope is named so that its application is known by it`() {
    #expect(UnitName.scope(for: "org.example.Notes", random: 255) == "app-usher-org.example.Notes-ff.scope")
    #expect(UnitName.scope(for: String(repeating: "-", count: 300), random: .max).utf8.count <= 255)
  }

  @Test(arguments: [
    ("0::/user.slice/user-0.slice/user@0.service/app.slice/run-u1.service\n", true),
    ("0::/user.slice/user-0.slice/user@0.service/app.slice/run-u1.service/below\n", true),
    ("0::/user.slice/user-0.slice/user@0.service/app.slice/run-u1.service/\u{301}y\n", true),
    ("0::/system.slice/cups.service\n", true), ("1:name=systemd:/system.slice/cups.service\n0::/\n", true),
    ("0::/user.slice/user-0.slice/user@0.service/app.slice/app-org.example.A-1.scope\n", false),
    ("0::/user.slice/user-0.slice/session-1.scope\n", false),
    ("0::/user.slice/user-0.slice/user@0.service/init.scope\n", false), ("0::/\n", false), ("", false),
  ])
  func `A process that would end with a service is recognized by its cgroup`(group: String, isOfService: Bool)
  {
    #expect(LaunchScope.isOfService(group: group) == isOfService)
  }
}
