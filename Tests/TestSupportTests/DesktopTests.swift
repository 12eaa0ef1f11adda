// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `A throw-away desktop` {
  @Test func `gio open starts the program of an entry, with a space in its name`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, _ in
      let player = try Recorder("My Player", in: desktop)
      try desktop.installDesktopEntry("org.example.Player", exec: "\(player.execWord) %u", schemes: ["play"])
      try desktop.setDefaults(["play": ["org.example.Player"]])
      try await desktop.updateDesktopDatabase()
      try await Command.run("gio", ["open", "play:$HOME;a%20b"], environment: desktop.environment).orThrow()
      let start = try await player.nextStart()
      #expect(start.arguments == ["play:$HOME;a%20b"])
      #expect(start.environment["HOME"] == desktop.home)
    }
  }

  @Test(arguments: [nil, "GNOME"])
  func `xdg-open starts it too`(currentDesktop: String?) async throws {
    try await ThrowAwayDesktop.withBus(currentDesktop: currentDesktop) { desktop, _ in
      let player = try Recorder("player", in: desktop, .exits(0))
      try desktop.installDesktopEntry("player", exec: "\(player.execWord) %u", schemes: ["play"])
      try desktop.setDefaults(["play": ["player"]])
      try await Command.run("xdg-open", ["play:1"], environment: desktop.environment).orThrow()
      #expect(try await player.nextStart().arguments == ["play:1"])
    }
  }

  @Test func `A held recorder ends when it is released, with the status given`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let held = try Recorder("held", in: desktop, .held)
    async let result = Command.run(held.path, ["x"], environment: desktop.environment)
    let start = try await held.nextStart()
    #expect(desktop.processes.contains { $0.processIdentifier == start.processIdentifier })
    start.release(exit: 9)
    #expect(try await result.status == 9)
    try await desktop.waitUntilNoProcess()
    #expect(desktop.environment["DBUS_SESSION_BUS_ADDRESS"] == nil)
  }

  @Test func `Concurrent starts are all recorded`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let recorder = try Recorder("recorder", in: desktop)
    try await withThrowingTaskGroup { group in
      for index in 0..<50 {
        group.addTask {
          _ = try await Command.run(recorder.path, ["\(index)"], environment: desktop.environment).orThrow()
        }
      }
      try await group.waitForAll()
    }
    var seen: Set<String> = []
    for _ in 0..<50 { seen.formUnion(try await recorder.nextStart().arguments) }
    #expect(seen.count == 50)
  }

  @Test func `Starts are reported in the order of arrival, even if several wait to be read`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let recorder = try Recorder("recorder", in: desktop)
    let script = """
      import json, socket, sys
      connections = [socket.socket(socket.AF_UNIX) for _ in range(200)]
      for connection in connections: connection.connect(sys.argv[1])
      start = {"pid": 1, "directory": "/", "environment": {}}
      for index, connection in enumerate(connections):
        connection.sendall(json.dumps(start | {"arguments": [str(index)]}).encode() + b"\\n")
      """
    try await Command.run("/usr/bin/python3", ["-IS", "-c", script, recorder.address]).orThrow()
    for index in 0..<200 { #expect(try await recorder.nextStart().arguments == ["\(index)"]) }
  }

  @Test func `It leaves no files and processes`() async throws {
    var desktop: ThrowAwayDesktop? = try ThrowAwayDesktop(hasBus: false)
    let root = try #require(desktop).root
    #expect(FileManager.default.fileExists(atPath: root))
    desktop = nil
    #expect(!FileManager.default.fileExists(atPath: root))
  }
}

@Suite struct `A private bus` {
  @Test func `It activates a service with the desktop's environment`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let service = try Recorder("service", in: desktop, .exits(1))
      try desktop.installActivation("org.example.Service", exec: service.execWord)
      let call = ["--user", "call", "org.example.Service", "/", "org.freedesktop.DBus.Peer", "Ping"]
      let result = try await Command.run("busctl", call, environment: desktop.environment)
      #expect(!result.succeeded)
      let start = try await service.nextStart()
      #expect(start.environment["XDG_DATA_HOME"] == desktop.dataHome)
      #expect(start.environment["DBUS_SESSION_BUS_ADDRESS"]?.hasPrefix(desktop.busAddress) == true)
      #expect(bus.address.hasPrefix(desktop.busAddress))
    }
  }

  @Test func `It can be killed and replaced`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let listNames = ["--user", "list", "--no-pager"]
      try await Command.run("busctl", listNames, environment: desktop.environment).orThrow()
      await bus.kill()
      #expect(try await !Command.run("busctl", listNames, environment: desktop.environment).succeeded)
      let second = try await PrivateBus.start(in: desktop)
      try await Command.run("busctl", listNames, environment: desktop.environment).orThrow()
      await second.stop()
    }
  }

  @Test func `The user-manager rig runs a command as a unit, or reports why it cannot`() async throws {
    if let reason = await UserManagerRig.unavailableReason() { try Test.cancel("\(reason)") }
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let result = try await UserManagerRig.run(
      "systemd-run", ["--user", "--wait", "--pipe", "--quiet", "cat", "/proc/self/cgroup"],
      environment: desktop.environment)
    #expect(result.succeeded, "\(result)")
    #expect(result.output.contains("app.slice/run-"))
  }
}
