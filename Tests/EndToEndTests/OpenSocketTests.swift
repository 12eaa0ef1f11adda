// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of `usher open` without the bus: one packet to the broker's socket.
@Suite struct `A link that is sent to the socket` {
  /// Copies the front beside a stand-in for the complete command, so that a call fails if the front cannot perform it itself.
  private static func front(_ name: String = "usher", on desk: InstalledDesktop) async throws -> String {
    let directory = "\(desk.desktop.root)/front"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    // Copied by another process, because a child that this process forks meanwhile would inherit the file open for writing.
    try await Command.run("cp", [BuiltProducts.usher, "\(directory)/\(name)"]).orThrow()
    try desk.desktop.write("#!/bin/sh\nexit 9\n", to: "\(directory)/usher-command", permissions: 0o755)
    return "\(directory)/\(name)"
  }

  private static func socket(on desk: InstalledDesktop) -> String {
    "\(desk.desktop.runtimeDirectory)/usher/open"
  }

  /// Runs a caller in Python that has `path`, the socket's, and `connect()`.
  private static func call(_ script: String, on desk: InstalledDesktop) async throws -> String {
    let head = """
      import socket, sys
      path = sys.argv[1]
      def connect():
          peer = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
          peer.connect(path)
          return peer

      """
    return try await desk.run("/usr/bin/python3", ["-c", head + script, socket(on: desk)]).orThrow().output
  }

  @Test(arguments: TargetKind.allCases)
  func `arrives byte for byte, without usher-command`(kind: TargetKind) async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(kind, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [kind])
      let broker = try await desk.startBroker()
      let front = try await Self.front(on: desk)
      // Notes answers with a value, which the complete command prints.
      let silent = kind == .scenes ? [] : [[], ["--wait=delivered"]]
      for (number, words) in (silent + [["--wait=accepted"], ["--from-desktop"]]).enumerated() {
        let url = "\(target.url(number))?a=b%20c&d='$(e)'#f"
        let result = try await desk.run(front, ["open"] + words + [url])
        #expect(result.status == 0 && result.output.isEmpty && result.errorOutput.isEmpty, "\(result)")
        #expect(try await target.next().urls == [url])
      }
      _ = try await broker.stop()
    }
  }

  @Test func `can be sent under the name xdg-open`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      let broker = try await desk.startBroker()
      try await desk.run(Self.front("xdg-open", on: desk), [target.url(1)]).orThrow()
      #expect(try await target.next().urls == [target.url(1)])
      _ = try await broker.stop()
    }
  }

  @Test func `includes the launcher's activation token`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let broker = try await desk.startBroker()
      try await desk.run(
        Self.front(on: desk), ["open", "served:1"], adding: ["XDG_ACTIVATION_TOKEN": "t1"]
      ).orThrow()
      let envelope = try await application.nextEnvelope()
      #expect(envelope.urls == ["served:1"] && envelope.activationToken == "t1")
      _ = try await broker.stop()
    }
  }

  /// The front alone cannot print a message.
  @Test func `has the same exit status as one over the bus, for every outcome`() async throws {
    try await InstalledDesktop.with { desk in
      _ = try await Target.install(.scenes, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.scenes])
      try desk.desktop.installDesktopEntry("org.example.Gone", exec: "/no/such %u", schemes: ["gone"])
      let broker = try await desk.startBroker()
      for url in ["notes://note/7?tab=edit", "nobody:home", "gone:1", "notes:%zz", "http:// /"] {
        let (socket, bus) = (
          try await desk.usher("open", url), try await desk.usher("open", "--timeout=20", url)
        )
        #expect(socket.status == bus.status && socket.output == bus.output, "\(socket) \(bus)")
        #expect(socket.errorOutput == bus.errorOutput, "\(url)")
      }
      _ = try await broker.stop()
    }
  }

  @Test func `is tried once if it fails`() async throws {
    try await InstalledDesktop.with { desk in
      let broker = try await desk.startBroker()
      #expect(try await desk.usher("open", "nobody:home").status == 2)
      let history = try await desk.usher("history", "--json").orThrow().output
      #expect(history.split(separator: "\n").count == 1, "\(history)")
      _ = try await broker.stop()
    }
  }

  /// Kills the broker at every commit point in turn, as over the bus; no link arrives twice.
  @Test(arguments: [TargetKind.scenes, .gApplication, .plain])
  func `survives the broker, or its outcome is unknown`(kind: TargetKind) async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(kind, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [kind])
      var (statuses, arrived): ([Int32?], [String]) = ([], [])
      var wasKilled = true
      while wasKilled {
        let point = statuses.count + 1
        try #require(point < 30)
        // A plain program exits by itself, and one that has not reported yet must not be terminated.
        if kind != .plain { try await target.end(on: desk) }
        try await desk.killBroker(ifAny: true)
        let broker = try await desk.startBroker(adding: ["USHER_TEST_KILL_AT": "\(point)"])
        statuses.append(try await desk.usher("open", target.url(point)).status)
        wasKilled = desk.isGone(broker)
        let goal = kind == .plain ? "handled" : "delivered"
        try await desk.usher("open", "--wait", goal, target.url(2_000 + point)).orThrow()
        while !arrived.contains(target.url(2_000 + point)) { arrived += try await target.next().urls }
      }
      let certain = statuses.indices.filter { statuses[$0] == 0 }.map { target.url($0 + 1) }
      while !Set(certain).isSubset(of: arrived) { arrived += try await target.next().urls }
      for (index, status) in statuses.enumerated() {
        let count = arrived.filter { $0 == target.url(index + 1) }.count
        #expect(status == 0 ? count == 1 : status == 5 && count <= 1, "point \(index + 1): \(arrived)")
      }
      #expect(statuses.count > 2 && (kind != .scenes || statuses.allSatisfy { $0 == 0 }), "\(statuses)")
    }
  }

  @Test func `with an uncertain outcome is not sent again`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.silent, .standard, on: desk)
      let broker = try await desk.startBroker()
      async let waiting = desk.usher("open", "mimic:1")
      #expect(try await application.nextCall()["urls"] == ["mimic:1"])
      try await desk.end(broker.pid, SIGKILL)
      let result = try await waiting
      #expect(result.status == 5 && !result.errorOutput.isEmpty, "\(result)")
      _ = try await desk.open("--timeout", timeLimit(5), "mimic:2")
      #expect(try await application.nextCall()["urls"] == ["mimic:2"])
    }
  }

  @Test func `that is queried again is reported, and not opened by another application`() async throws {
    try await InstalledDesktop.with { desk in
      _ = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      let caller = try await desk.connect()
      var options = OpenOptions()
      (options.requestID, options.isAgain) = ("mine", true)
      do {
        _ = try await caller.call(
          BrokerInterface.open, at: BrokerInterface.broker, ["play:1"], options.entries)
        Issue.record("it was opened")
      } catch let error as BusError {
        #expect(error.name == BrokerErrorName.timeout.errorName, "\(error)")
      }
      options.isAgain = false
      let first = try await caller.call(
        BrokerInterface.open, at: BrokerInterface.broker, ["play:1"], options.entries)
      options.isAgain = true
      let second = try await caller.call(
        BrokerInterface.open, at: BrokerInterface.broker, ["play:1"], options.entries)
      #expect(first == second)
    }
  }

  @Test func `uses the bus if no broker listens at the socket, or never has`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      try await desk.usher("open", target.url(1)).orThrow()
      #expect(try await target.next().urls == [target.url(1)])
      try await desk.killBroker()
      #expect(FileManager.default.fileExists(atPath: Self.socket(on: desk)))
      try await desk.usher("open", target.url(2)).orThrow()
      #expect(try await target.next().urls == [target.url(2)])
      try await desk.killBroker(SIGTERM)
      #expect(!FileManager.default.fileExists(atPath: Self.socket(on: desk)))
    }
  }

  @Test func `uses the bus if another bus is selected`() async throws {
    try await InstalledDesktop.with { desk in
      let broker = try await desk.startBroker()
      let front = try await Self.front(on: desk)
      // The stand-in for the complete command is executed.
      let result = try await desk.run(
        front, ["open", "play:1"],
        adding: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(desk.desktop.root)/other"])
      #expect(result.status == 9, "\(result)")
      _ = try await broker.stop()
    }
  }

  /// The broker closes each of the connections, and other callers are not blocked.
  @Test func `arrives despite malformed packets of all kinds`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      let broker = try await desk.startBroker()
      let answers = try await Self.call(
        """
        import random
        good = b"usher-open-1\\0url\\0play:1\\0request-id\\0mine\\0"
        packets = [b"x", b"\\0", good[:-1], b"usher-open-1\\0url\\0play:1\\0", b"usher-open-1\\0request-id\\0mine\\0", good + b"more\\0", good + b"url\\0", good + b"url\\0play:1\\0", good + b"hops\\0" + b"1\\0",
                   good + b"request-id\\0other\\0", b"usher-open-2" + good[12:], good.replace(b"mine", b"no id"),
                   good.replace(b"play:1", b"play:\\xff"), good.replace(b"play:1", b"no link"), good + b"wait\\0soon\\0",
                   good.replace(b"play:1", b"play:" + b"1" * 20000), b"usher-open-1\\0" + b"url\\0play:1\\0" * 900]
        packets += [bytes(random.Random(seed).choices(good, k=60)) for seed in range(200)]
        for packet in packets:
            peer = connect()
            peer.send(packet)
            print(peer.recv(9))
        """, on: desk)
      #expect(Set(answers.split(separator: "\n")) == ["b''"], "\(answers)")
      try await desk.run(Self.front(on: desk), ["open", target.url(7)]).orThrow()
      #expect(try await target.next().urls == [target.url(7)])
      #expect(!(try await broker.stop()).contains("play:1"))
    }
  }

  /// A later version of the command may send options that this broker does not know.
  @Test func `keeps options that the broker does not know, for the application`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      let broker = try await desk.startBroker()
      let answer = try await Self.call(
        """
        peer = connect()
        peer.send(b"usher-open-1\\0url\\0play:1\\0request-id\\0mine\\0org.example.later\\0two words\\0"
                  b"later\\x2fDISPLAY\\0:7\\0later\\x2fLANG\\0C\\0")
        print(peer.recv(1))
        """, on: desk)
      #expect(answer == "b'd'\n")
      let arrival = try await target.next()
      #expect(arrival.urls == ["play:1"])
      #expect(arrival.envelope["org.example.later"]?.string == "two words", "\(arrival)")
      #expect(
        arrival.envelope["later"]?["DISPLAY"]?.string == ":7"
          && arrival.envelope["later"]?["LANG"]?.string == "C")
      _ = try await broker.stop()
    }
  }

  /// The front has no complete command here, which would use the bus.
  @Test func `arrives although silent connections occupy the socket`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      let broker = try await desk.startBroker()
      let holder = try await RunningProgram.start(
        "/usr/bin/python3",
        [
          "-c",
          """
          import select, socket, sys
          held = {}
          for _ in range(300):
              peer = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
              peer.connect(sys.argv[1])
              held[peer.fileno()] = peer
          waiting = select.poll()
          for descriptor in held: waiting.register(descriptor, select.POLLIN)
          while len(held) > 256:
              for descriptor, _ in waiting.poll():
                  waiting.unregister(descriptor)
                  held.pop(descriptor).close()
          print(len(held), flush=True)
          sys.stdin.read()
          """, Self.socket(on: desk),
        ], environment: desk.desktop.environment)
      #expect(try await holder.line { !$0.isEmpty } == "256")
      for number in 1...2 {
        try await desk.run(Self.front(on: desk), ["open", target.url(number)]).orThrow()
        #expect(try await target.next().urls == [target.url(number)])
      }
      holder.closeInput()
      _ = await holder.waitUntilExit()
      _ = try await broker.stop()
    }
  }

  /// A broker that received the link may have opened it, so that no command opens it instead.
  @Test func `is not opened by the command when broker and bus are lost`() async throws {
    let desktop = try ThrowAwayDesktop()
    try desktop.installUsher()
    let player = try Recorder("player", in: desktop)
    try desktop.installDesktopEntry("org.example.Player", exec: "\(player.path) %u", schemes: ["play"])
    try desktop.setDefaults(["play": ["org.usher.Handler", "org.example.Player"]])
    let broker = try await RunningProgram.start(
      "/usr/bin/python3",
      [
        "-c",
        """
        import os, socket, sys
        os.makedirs(os.path.dirname(sys.argv[1]), 0o700, True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
            listener.bind(sys.argv[1])
            listener.listen()
            print("listens", flush=True)
            with listener.accept()[0] as peer: peer.recv(999)
        os.unlink(sys.argv[1])
        """, "\(desktop.runtimeDirectory)/usher/open",
      ], environment: desktop.environment)
    _ = try await broker.line { $0 == "listens" }
    let lost = try await Command.run("usher", ["open", "play:1"], environment: desktop.environment)
    #expect(
      lost.status == 5 && lost.errorOutput.contains("it is unknown whether the link was opened"), "\(lost)")
    // Without a socket and a bus a command opens the link; an earlier start would be reported first.
    try await Command.run("usher", ["open", "play:2"], environment: desktop.environment).orThrow()
    #expect(try await player.nextStart().arguments == ["play:2"])
    desktop.endProcesses()
  }

  @Test func `is rejected while the bus is lost, and accepted again afterwards`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      let broker = try await desk.startBroker()
      let socket = Self.socket(on: desk)
      await desk.bus.kill()
      try await withDeadline(Command.defaultDeadline, "the broker to leave its socket") {
        while FileManager.default.fileExists(atPath: socket) { try await Task.sleep(for: .milliseconds(10)) }
      }
      try await desk.usher("open", target.url(1)).orThrow()
      #expect(try await target.next().urls == [target.url(1)])
      let bus = try await PrivateBus.start(in: desk.desktop)
      try await withDeadline(Command.defaultDeadline, "the broker at its socket") {
        while !FileManager.default.fileExists(atPath: socket) { try await Task.sleep(for: .milliseconds(10)) }
      }
      try await desk.run(Self.front(on: desk), ["open", target.url(2)]).orThrow()
      #expect(try await target.next().urls == [target.url(2)])
      _ = try await broker.stop()
      await bus.stop()
    }
  }

  /// An argument is a request only in the position that the front uses.
  @Test func `cannot be marked as sent by an argument`() async throws {
    try await InstalledDesktop.with { desk in
      for words in [["explain", "play:1"], ["open", "play:1"], ["open", "--timeout", "5", "play:1"]] {
        #expect(try await desk.run("usher", ["--sent=1"] + words).status == 64, "\(words)")
      }
      let opener = try desk.desktop.link("xdg-open", to: BuiltProducts.usher)
      #expect(try await desk.run(opener, ["--resume-uncertain=1", "play:1"]).status == 1)
    }
  }
}
