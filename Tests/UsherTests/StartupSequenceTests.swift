// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import UsherCommand

/// Startup notification on a real X server.
@Suite struct `A startup sequence` {
  /// Opens links in sequence like a launcher that began a startup sequence, and returns the messages on the display.
  private func reported(
    _ links: [(url: String, id: String)], adding variables: [String: String] = [:], hasBus: Bool
  ) async throws -> [String] {
    let server = try await X11Server.start()
    let messages = try await server.messages()
    @Sendable func open(on desktop: ThrowAwayDesktop) async throws {
      for (id, lines) in [
        ("plain", []), ("silent", ["StartupNotify=false"]), ("own", ["StartupNotify=true"]),
      ] {
        try desktop.installDesktopEntry("org.example.\(id)", exec: "true %u", schemes: [id], lines: lines)
      }
      try desktop.setDefaults([
        "plain": ["org.example.plain"], "silent": ["org.example.silent"], "own": ["org.example.own"],
      ])
      for link in links {
        let environment = desktop.environment.merging(server.variables) { $1 }.merging(variables) { $1 }
          .merging([
            "DESKTOP_STARTUP_ID": link.id
          ]) { $1 }
        let result = try await Command.run(
          BuiltProducts.usher, ["open", "--from-desktop", link.url], environment: environment)
        #expect(result.output.isEmpty, "\(result)")
      }
    }
    if hasBus {
      try await ThrowAwayDesktop.withBus { desktop, _ in
        try desktop.installUsher()
        try await open(on: desktop)
      }
    } else {
      try await open(on: ThrowAwayDesktop(hasBus: false))
    }
    // The last message, which follows all earlier ones.
    let last = try #require(X11Connection(server.variable))
    #expect(last.broadcast("end", begin: "_NET_STARTUP_INFO_BEGIN", more: "_NET_STARTUP_INFO"))
    var reported: [String] = []
    for await message in messages {
      guard message != "end" else { break }
      reported.append(message)
    }
    return reported
  }

  private static let links = [
    ("plain:1", "launcher/usher/1-0-host_TIME1"), ("own:1", "launcher/usher/1-1-host_TIME2"),
    ("silent:1", "a \"long\" one\\ " + String(repeating: "x", count: 60) + "_TIME3"),
    ("nobody:1", "fails_TIME4"),
  ]

  @Test(arguments: [true, false])
  func `is ended by the command where the application does not`(hasBus: Bool) async throws {
    let reported = try await reported(Self.links.map { (url: $0.0, id: $0.1) }, hasBus: hasBus)
    #expect(
      reported == [
        "remove: ID=launcher/usher/1-0-host_TIME1",
        "remove: ID=a\\ \\\"long\\\"\\ one\\\\\\ " + String(repeating: "x", count: 60) + "_TIME3",
        "remove: ID=fails_TIME4",
      ])
  }

  /// The token belongs to the compositor, and the started program still needs it.
  @Test func `of Wayland is left alone`() async throws {
    let reported = try await reported(
      [("plain:1", "token_TIME1")], adding: ["WAYLAND_DISPLAY": "wayland-1"], hasBus: false)
    #expect(reported == [])
  }

  @Test(arguments: [
    [:], ["DISPLAY": ""], ["DISPLAY": "nonsense"], ["DISPLAY": ":64999"], ["XAUTHORITY": "/no/such/file"],
    ["XAUTHORITY": "/dev/zero"],
  ])
  func `that cannot be ended takes nothing from the link`(variables: [String: String]) async throws {
    let server = try await X11Server.start()
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let player = try Recorder("player", in: desktop)
    try desktop.installDesktopEntry("org.example.Player", exec: "\(player.path) %u", schemes: ["play"])
    try desktop.setDefaults(["play": ["org.example.Player"]])
    var environment = desktop.environment.merging(server.variables) { $1 }.merging(variables) { $1 }
    environment["DESKTOP_STARTUP_ID"] = "id_TIME1"
    if variables.isEmpty { environment["DISPLAY"] = nil }
    let result = try await Command.run(BuiltProducts.usher, ["open", "play:1"], environment: environment)
    try #require(result.succeeded, "\(result)")
    #expect(try await player.nextStart().arguments == ["play:1"])
  }

  @Test(
    arguments: [
      (":0", nil, 0), (":12.1", nil, 12), ("unix:3", nil, 3), ("localhost:10.0", "localhost", 10),
      ("::1:2", "::1", 2), (":", "-", 0), ("", "-", 0), (":x", "-", 0), (":70000", "-", 0), (":1x", "-", 0),
    ] as [(String, String?, UInt16)])
  func `is ended on the display that is named`(name: String, host: String?, number: UInt16) {
    let display = X11Display(name)
    guard host != "-" else {
      #expect(display == nil)
      return
    }
    #expect(display?.host == host && display?.number == number)
  }

  @Test func `shows the server the cookie of its display`() throws {
    let display = try #require(X11Display(":7"))
    func cookie(_ entries: [[UInt8]]) -> [UInt8]? {
      X11Authority(for: display, in: entries.flatMap(\.self), hostName: "here")?.cookie
    }
    let entry = X11Server.authority
    #expect(cookie([]) == nil && cookie([entry(256, "here", "8", [1])]) == nil)
    #expect(cookie([entry(256, "there", "7", [1]), entry(256, "here", "7", [2])]) == [2])
    #expect(cookie([entry(256, "there", "7", [1]), entry(0, "x", "", [2])]) == [1])
    #expect(cookie([entry(0xFFFF, "", "", [3])]) == [3])
    // An incomplete entry is ignored.
    #expect(cookie([Array(entry(0xFFFF, "", "", [3]).dropLast())]) == nil)
  }
}
