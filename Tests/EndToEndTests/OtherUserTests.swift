// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A session bus whose policy admits other users, whom the broker rejects.
@Suite struct `Another user` {
  private static let otherUser: UInt32 = 65_534
  /// An argument of busctl(1) for each type in the interfaces.
  private static let values = ["s": ["play:1"], "as": ["1", "play:1"], "a{sv}": ["0"], "av": ["0"]]

  /// Runs `body` on a desktop whose bus admits other users, with a player for `play:`.
  private func with(_ body: (ThrowAwayDesktop, PrivateBus, Recorder) async throws -> Void) async throws {
    guard getuid() == 0 else { try Test.cancel("only root can be two users") }
    let desktop = try ThrowAwayDesktop()
    for directory in [desktop.root, desktop.runtimeDirectory] {
      try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: directory)
    }
    try desktop.installUsher()
    let player = try Recorder("player", in: desktop)
    try desktop.installDesktopEntry("org.example.Player", exec: "\(player.path) %u", schemes: ["play"])
    try desktop.setDefaults(["play": ["org.usher.Handler", "org.example.Player"]])
    let bus = try await PrivateBus.start(in: desktop, letsOthersIn: true)
    try await body(desktop, bus, player)
    await bus.stop()
    desktop.endProcesses()
  }

  @Test func `that owns an application's bus name receives none of its links`() async throws {
    try await with { desktop, bus, player in
      let squatter = try await RunningProgram.start(
        "setpriv",
        [
          "--reuid=\(Self.otherUser)", "--clear-groups", "/usr/bin/python3", "-c",
          """
          import dbus.bus, sys
          bus = dbus.bus.BusConnection("\(bus.address)")
          assert bus.request_name("org.example.Player") == 1
          assert bus.request_name("org.example.Called") == 1
          print("taken", flush=True)
          sys.stdin.read()
          """,
        ], environment: desktop.environment)
      _ = try await squatter.line { $0 == "taken" }
      // A program that expects no calls on the bus is started as if its name had no owner.
      try await Command.run("usher", ["open", "play:1"], environment: desktop.environment).orThrow()
      #expect(try await player.nextStart().arguments == ["play:1"])
      try desktop.installDesktopEntry(
        "org.example.Called", exec: "/bin/true", schemes: ["called"],
        lines: ["Implements=org.usher.Application1;"])
      let result = try await Command.run(
        "usher", ["open", "--app", "org.example.Called", "called:1"], environment: desktop.environment)
      #expect(result.status == 4 && result.errorOutput.contains("owned by another user"), "\(result)")
      squatter.closeInput()
      _ = await squatter.waitUntilExit()
      try await Command.run("usher", ["open", "play:2"], environment: desktop.environment).orThrow()
      #expect(try await player.nextStart().arguments == ["play:2"])
    }
  }

  @Test func `is rejected for every method, and nothing is opened`() async throws {
    try await with { desktop, bus, player in
      @Sendable func call(as user: UInt32, _ place: [String], _ words: [String]) async throws -> CommandResult
      {
        try await Command.run(
          "setpriv",
          ["--reuid=\(user)", "--clear-groups", "busctl", "--address=\(bus.address)", "call"] + place + words,
          environment: desktop.environment)
      }
      for place in [InstalledDesktop.broker, InstalledDesktop.handler] {
        let methods = try InterfaceDocument.documented(place[2]).methods
        #expect(methods["Open"] != nil)
        for (method, types) in methods {
          let values = try types.flatMap { try #require(Self.values[$0], "a value of the type \($0)") }
          let words = [method] + (types.isEmpty ? [] : [types.joined()]) + values
          let refused = try await call(as: Self.otherUser, place, words)
          #expect(refused.errorOutput.contains("Access denied"), "\(words): \(refused)")
        }
      }
      // An earlier request would precede this one in the queue.
      try await call(as: 0, InstalledDesktop.broker, ["Open", "asa{sv}", "1", "play:2", "0"]).orThrow()
      #expect(try await player.nextStart().arguments == ["play:2"])
    }
  }
  /// Permissive modes of the directory and the socket admit no other user.
  @Test func `is disconnected from the socket, and nothing is opened`() async throws {
    try await with { desktop, _, player in
      try await Command.run("usher", ["open", "play:1"], environment: desktop.environment).orThrow()
      #expect(try await player.nextStart().arguments == ["play:1"])
      let socket = "\(desktop.runtimeDirectory)/usher/open"
      for (path, rights) in [("\(desktop.runtimeDirectory)/usher", 0o711), (socket, 0o666)] {
        try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: path)
      }
      let refused = try await Command.run(
        "setpriv",
        [
          "--reuid=\(Self.otherUser)", "--clear-groups", "/usr/bin/python3", "-c",
          """
          import socket, sys
          peer = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
          peer.connect(sys.argv[1])
          peer.send(b"usher-open-1\\0url\\0play:2\\0request-id\\0mine\\0")
          print(peer.recv(9))
          """, socket,
        ], environment: desktop.environment
      ).orThrow()
      #expect(refused.output == "b''\n")
      try await Command.run("usher", ["open", "play:3"], environment: desktop.environment).orThrow()
      #expect(try await player.nextStart().arguments == ["play:3"])
    }
  }
}
