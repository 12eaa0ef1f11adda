// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// The start and the exit of `usherd`.
@Suite struct `The broker's life` {
  private static let introspect = BusMethod<Arguments<>, Arguments<String>>(
    "Introspect", of: "org.freedesktop.DBus.Introspectable", returns: ["data"])
  private static let handler = RemoteObject(
    ApplicationInterface.handlerBusName, ApplicationInterface.handlerPath)

  /// Two activation files name one program, so that the bus starts it twice; the second process must exit without an error.
  @Test func `calls on both names at once leave one process`() async throws {
    try await InstalledDesktop.with { desk in
      let caller = try await desk.connect()
      async let version = caller.get(BrokerInterface.version, at: BrokerInterface.broker)
      async let activated: Void = caller.call(ApplicationInterface.activate, at: Self.handler, [:])
      #expect(try await version == UsherVersion.text)
      try await activated
      let owner = try await caller.owner(of: BrokerInterface.busName)
      #expect(owner != nil)
      #expect(try await caller.owner(of: ApplicationInterface.handlerBusName) == owner)
      try await desk.expectOneBroker()
    }
  }

  @Test func `does not end with the program that reads its log`() async throws {
    try await InstalledDesktop.with { desk in
      let program = "\(desk.desktop.bin)/usherd"
      let script = "mkfifo \"$0\"; '\(program)' 2>\"$0\" & head -n 1 <\"$0\"; echo closed; wait"
      let shell = try await RunningProgram.start(
        "sh", ["-c", script, "\(desk.desktop.root)/log"], environment: desk.desktop.environment)
      defer { shell.kill() }
      _ = try await shell.line { $0 == "closed" }
      let brokers = desk.processes(of: program)
      #expect(brokers.count == 1)
      for number in 1...2 { #expect(try await desk.usher("open", "no-such:\(number)").status != 0) }
      #expect(desk.processes(of: program) == brokers)
    }
  }

  @Test func `the served interfaces are the documented ones`() async throws {
    try await InstalledDesktop.with { desk in
      let caller = try await desk.connect()
      let doors = [
        ("org.usher.Broker1", BrokerInterface.broker), ("org.freedesktop.Application", Self.handler),
      ]
      for (name, object) in doors {
        let data = try await caller.call(Self.introspect, at: object)
        #expect(InterfaceDocument(name, in: data) == (try InterfaceDocument.documented(name)))
      }
    }
  }

  /// After SIGTERM the broker exits with 0 and releases its names; the next call starts another, which finds the running application.
  @Test func `stopped and started again, it signals the application that kept running`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.scenes, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.scenes])
      let byHand = try await RunningProgram.start("usherd", environment: desk.desktop.environment)
      let caller = try await desk.connect()
      for await owner in try await caller.owners(of: ApplicationInterface.handlerBusName) where owner != nil {
        break
      }
      try await desk.usher("open", target.url(1)).orThrow()
      #expect(try await target.next().delivery == "launch")
      let running = target.processes(on: desk)

      byHand.terminate()
      #expect(await byHand.waitUntilExit().status == 0)
      #expect(try await caller.owner(of: BrokerInterface.busName) == nil)
      #expect(target.processes(on: desk) == running)

      try await desk.usher("open", target.url(2)).orThrow()
      #expect(try await target.next().delivery == "running")
      #expect(target.processes(on: desk) == running)
    }
  }

  /// Any other thread would belong to a thread pool that wakes up every second.
  @Test func `all work runs on the threads of its event loops`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.scenes, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.scenes])
      let broker = try await desk.startBroker()
      for number in 1...2 { try await desk.usher("open", "--wait", "handled", target.url(number)).orThrow() }
      try await desk.usher("history").orThrow()
      let tasks = "/proc/\(broker.pid)/task"
      let names = try FileManager.default.contentsOfDirectory(atPath: tasks).map {
        try String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8)
      }
      #expect(names.count >= 2 && Set(names) == ["usherd\n"])
      _ = try await broker.stop()
    }
  }

  @Test func `a second instance exits with 0 without affecting the first`() async throws {
    try await InstalledDesktop.with { desk in
      let caller = try await desk.connect()
      _ = try await caller.get(BrokerInterface.version, at: BrokerInterface.broker)
      let first = try await caller.owner(of: BrokerInterface.busName)
      let second = try await desk.run("usherd")
      #expect(second.status == 0, "\(second)")
      #expect(try await caller.owner(of: BrokerInterface.busName) == first)
    }
  }

  @Test func `without a bus it prints an error and exits with 69`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    let result = try await Command.run("usherd", environment: desktop.environment)
    #expect(result.status == 69, "\(result)")
    #expect(result.errorOutput.contains("bus"), "\(result)")
  }

  @Test func `without a descriptor for its event loop it prints an error and exits with 71`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    let result = try await Command.run(
      "sh", ["-c", "ulimit -n 4; exec usherd"], environment: desktop.environment)
    #expect(result.status == 71, "\(result)")
    #expect(
      result.errorOutput.hasSuffix("; allow more open files (ulimit -n, or LimitNOFILE= of the unit)\n"),
      "\(result)")
    #expect(result.errorOutput.contains("usherd: cannot start an event loop: "), "\(result)")
  }

  /// Callers can use many descriptors of the broker, but a program that uses select(2) fails with as many.
  @Test func `its limit on open files is raised, and that of the programs that it starts is not`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      let output = "\(desk.desktop.home)/limit"
      let program = try desk.desktop.installScript("limit", "#!/bin/sh\nulimit -S -n > '\(output)'\n")
      try desk.desktop.installDesktopEntry("org.example.Limit", exec: "\(program) %u", schemes: ["limit"])
      try desk.desktop.setDefaults(["limit": ["org.usher.Handler", "org.example.Limit"]])
      let broker = Broker(
        program: try await RunningProgram.start(
          "sh", ["-c", "ulimit -S -n 256; exec usherd"], environment: desk.desktop.environment))
      let caller = try await desk.connect()
      for await owner in try await caller.owners(of: ApplicationInterface.handlerBusName) where owner != nil {
        break
      }
      try await desk.usher("open", "--wait", "handled", "limit:1").orThrow()
      #expect(try String(contentsOfFile: output, encoding: .utf8) == "256\n")
      let limits = try String(contentsOfFile: "/proc/\(broker.pid)/limits", encoding: .utf8)
      let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max open files") })
      // The soft limit and the hard one.
      let words = line.split(separator: " ")
      #expect(words[3] == words[4] && words[3] != "256", "\(line)")
      _ = try await broker.stop()
    }
  }

  /// A real user manager starts the unit of `desktop/usherd.service.in`, which notifies it when the broker is ready.
  @Test func `systemd starts it by its unit and learns when it is ready`() async throws {
    if let reason = await UserManagerRig.unavailableReason() { try Test.cancel("\(reason)") }
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    let result = try await UserManagerRig.run(
      "sh",
      [
        "-c",
        """
        systemctl --user start usherd.service &&
        systemctl --user show -P ActiveState -P SubState usherd.service &&
        busctl --user get-property org.usher.Broker1 /org/usher/Broker1 org.usher.Broker1 Version &&
        systemctl --user stop usherd.service && systemctl --user show -P Result usherd.service
        """,
      ], environment: desktop.environment)
    #expect(result.lines == ["active", "running", "s \"\(UsherVersion.text)\"", "success"], "\(result)")
  }

  /// On a bus with systemd activation the activation files lead to the unit, so that two names start one service.
  @Test func `activation by the bus uses the unit if systemd runs`() async throws {
    if let reason = await UserManagerRig.unavailableReason() { try Test.cancel("\(reason)") }
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    let result = try await UserManagerRig.run(
      "sh",
      [
        "-c",
        """
        busctl --user call org.usher.Handler /org/usher/Handler org.freedesktop.Application Activate 'a{sv}' 0 &&
        systemctl --user show -P ActiveState usherd.service
        """,
      ], environment: desktop.environment)
    // The broker answers as soon as it owns its names, and notifies systemd after that.
    #expect(result.lines == ["active"] || result.lines == ["activating"], "\(result)")
  }
}

extension InstalledDesktop {
  /// Waits until exactly one broker runs; a second one exits as soon as it has failed to acquire the names.
  fileprivate func expectOneBroker() async throws {
    let caller = try await connect()
    let owner = try #require(try await caller.owner(of: BrokerInterface.busName))
    let pid = try await caller.credentials(of: owner).processID
    for other in processes(of: "\(desktop.bin)/usherd") where other != pid { try await waitForEnd(of: other) }
    #expect(processes(of: "\(desktop.bin)/usherd") == [pid].compactMap { $0 })
  }
}
