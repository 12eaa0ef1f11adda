// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Glibc
import TestSupport
import Testing

/// Tests of programs that run `usher listen --replies` as their child, and handle requests while they read.
@Suite struct `A program with usher listen as its child` {
  @Test func `that exits loses no request that it has not read`() async throws {
    try await InstalledDesktop.with { desk in
      let parent = try await Parent.install(on: desk)
      let monitor = try await RunningProgram.start(
        "usher", ["monitor", "--json"], environment: desk.desktop.environment)
      _ = try await monitor.line { $0.contains("watching") }
      async let first = parent.open("die")
      #expect(try await parent.next().urls == ["child:die"])
      async let second = parent.open("b")
      async let third = parent.open("c")
      // The two commands may be sent in any order.
      for _ in 1...2 {
        _ = try await monitor.line { line in
          line.contains("\"sent\"") && ["child:b", "child:c"].contains { line.contains($0) }
        }
      }
      try await parent.goOn()
      let report = try await first
      #expect(report.error == "TargetFailed" && report.message.contains("closed its end"), "\(report)")
      for report in try await [second, third] { #expect(report.outcome == "handled", "\(report)") }
      monitor.terminate()
    }
  }

  /// The unread line of the cancellation counted as that of the request, which the program had read.
  @Test func `that exits before it reads a cancellation leaves the outcome of the request unknown`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      let parent = try await Parent.install("--concurrent", "2", on: desk)
      let monitor = try await RunningProgram.start(
        "usher", ["monitor", "--json"], environment: desk.desktop.environment)
      _ = try await monitor.line { $0.contains("watching") }
      let caller = try await RunningProgram.start(
        "usher", ["open", "--json", "--wait", "handled", "child:leave"],
        environment: desk.desktop.environment)
      #expect(try await parent.next().urls == ["child:leave"])
      caller.send(SIGINT)
      let ended = try PropertyList(
        json: try await monitor.line { $0.contains("child:leave") && $0.contains("\"ended\"") })
      #expect(ended["outcome"] == "unknown", "\(ended)")
      _ = await caller.waitUntilExit()
      monitor.terminate()
    }
  }

  /// The socket, which Node makes in place of a pipe, counted as read.
  @Test(arguments: [false, true])
  func `with a socket as its input loses no request that it has not read`(isForReplies: Bool) async throws {
    try await InstalledDesktop.with { desk in
      let parent = try await Parent.install(
        "--concurrent", "2", input: isForReplies ? .socketOfReplies : .socket, on: desk)
      async let first = parent.open("leave")
      #expect(try await parent.next().urls == ["child:leave"])
      // The program exits when it could read this one.
      let second = try await parent.open("b")
      #expect(second.first?["value"]?["name"] == "b", "\(second)")
      let report = try await first
      #expect(report.error == "TargetFailed" && report.outcome == "unknown", "\(report)")
    }
  }

  @Test func `loses no request around its exit`() async throws {
    try await InstalledDesktop.with { desk in
      let parent = try await Parent.install(on: desk)
      for number in 1...20 {
        // The program exits after it has replied, while the next request is on its way.
        let last = try await parent.open("last")
        #expect(last.outcome == "handled", "\(last)")
        let report = try await parent.open("\(number)")
        #expect(report.outcome == "handled", "\(report)")
      }
    }
  }

  @Test func `leaves one request unanswered, and answers the others`() async throws {
    try await InstalledDesktop.with { desk in
      let parent = try await Parent.install("--timeout", Listening.limit, on: desk)
      let report = try await parent.open("silent")
      #expect(
        report.error == "TargetFailed" && report.message.contains("within \(Listening.limit) s"), "\(report)")
      for name in ["a", "b", "c"] {
        #expect(try await parent.open(name).first?["value"]?["name"] == .string(name))
      }
    }
  }

  /// The requests in the queue ended as unknown, and were written to the program later.
  @Test func `has no request that is not written when it writes a line that names none`() async throws {
    try await InstalledDesktop.with { desk in
      let parent = try await Parent.install("--concurrent", "3", "--timeout", timeLimit(120), on: desk)
      let monitor = try await RunningProgram.start(
        "usher", ["monitor", "--json"], environment: desk.desktop.environment)
      _ = try await monitor.line { $0.contains("watching") }
      async let first = parent.open("anonymous")
      #expect(try await parent.next().urls == ["child:anonymous"])
      _ = try await monitor.line { $0.contains("\"sent\"") }
      // Longer than the pipe, so that a part of it is written.
      async let second = parent.open("b:" + String(repeating: "x", count: 100_000))
      // The monitor shows only the scheme of a link of this length.
      _ = try await monitor.line { $0.contains("\"sent\"") }
      async let third = parent.open("c")
      _ = try await monitor.line { $0.contains("\"sent\"") }
      try await parent.goOn()
      let report = try await first
      #expect(report.error == "TargetFailed" && report.outcome == "unknown", "\(report)")
      try await parent.goOn()
      let (partial, unwritten) = try await (second, third)
      #expect(partial.first?["value"]?["name"] == "b", "\(partial)")
      #expect(unwritten.first?["value"]?["name"] == "c", "\(unwritten)")
      monitor.terminate()
    }
  }

  @Test func `handles several requests at a time, and learns of withdrawals`() async throws {
    try await InstalledDesktop.with { desk in
      let parent = try await Parent.install("--concurrent", "3", on: desk)
      async let first = parent.open("wait")
      #expect(try await parent.next().urls == ["child:wait"])
      // The second request is answered before the first.
      #expect(try await parent.open("b").first?["value"]?["name"] == "b")
      _ = try await parent.next()

      let caller = try await RunningProgram.start(
        "usher", ["open", "--json", "--wait", "handled", "child:silent"],
        environment: desk.desktop.environment)
      let id = try await parent.next().requestID
      caller.send(SIGINT)
      #expect(try await parent.nextLine() == ["request-id": .string(id), "withdrawn": true])
      _ = await caller.waitUntilExit()

      try await parent.goOn()
      #expect(try await first.first?["value"]?["name"] == "wait")
    }
  }
}

/// Tests of `usher listen --concurrent` with a command.
@Suite struct `A command with several requests at a time` {
  @Test func `that a request kills handles the others alone`() async throws {
    try await InstalledDesktop.with { desk in
      let parent = try await Parent.install(behind: "--concurrent 4", on: desk)
      async let innocent = parent.open("wait")
      #expect(try await parent.next().urls == ["child:wait"])
      async let guilty = parent.open("kill")
      #expect(try await parent.next().urls == ["child:kill"])
      // Each is passed once more, alone, in order.
      let again = try await parent.next()
      #expect(again.urls == ["child:wait"] && again.isRedelivered)
      try await parent.goOn()
      let handled = try await innocent
      #expect(handled.outcome == "handled" && handled.first?["redelivered"] == true, "\(handled)")
      #expect(try await parent.next().urls == ["child:kill"])
      let report = try await guilty
      #expect(report.error == "TargetFailed" && report.message.contains("signal 9"), "\(report)")
      #expect(report.outcome == "unknown", "\(report)")
    }
  }

  /// It was passed once more, although its caller had withdrawn it.
  @Test func `does not get a withdrawn request again`() async throws {
    try await InstalledDesktop.with { desk in
      let parent = try await Parent.install(behind: "--concurrent 4", on: desk)
      let caller = try await RunningProgram.start(
        "usher", ["open", "--json", "--wait", "handled", "child:silent"],
        environment: desk.desktop.environment)
      let id = try await parent.next().requestID
      caller.send(SIGINT)
      #expect(try await parent.nextLine() == ["request-id": .string(id), "withdrawn": true])
      let result = await caller.waitUntilExit()
      #expect(try PropertyList(json: result.output)["outcome"] == "unknown", "\(result)")
      // The program crashes while it has both requests; only the other one is passed again.
      async let guilty = parent.open("kill")
      for _ in 1...2 { #expect(try await parent.next().urls == ["child:kill"]) }
      #expect(try await guilty.outcome == "unknown")
      #expect(try await parent.open("next").outcome == "handled")
      #expect(try await parent.next().urls == ["child:next"])
    }
  }

  /// The next listener passed it a third time.
  @Test func `passes no request a third time if its listener is killed, too`() async throws {
    try await InstalledDesktop.with { desk in
      let parent = try await Parent.install(behind: "--concurrent 4", on: desk)
      async let first = parent.open("wait")
      #expect(try await parent.next().urls == ["child:wait"])
      async let second = parent.open("kill")
      #expect(try await parent.next().urls == ["child:kill"])
      // The program has crashed, and a new one has the request alone.
      #expect(try await parent.next().urls == ["child:wait"])
      for pid in desk.processes(of: Parent.id) { try await desk.end(pid, SIGKILL) }
      let report = try await first
      #expect(report.error == "TargetFailed" && report.outcome == "unknown", "\(report)")
      #expect(report.message.contains("exited 2 times while it handled the request"), "\(report)")
      // The second time for the other request, whose turn had not come.
      #expect(try await parent.next().urls == ["child:kill"])
      let other = try await second
      #expect(other.error == "TargetFailed" && other.message.contains("signal 9"), "\(other)")
      #expect(other.outcome == "unknown", "\(other)")
      #expect(try await parent.open("next").outcome == "handled")
      #expect(try await parent.next().urls == ["child:next"])
    }
  }

  /// The program of the documentation reported the requests of its neighbour as withdrawn, and they failed.
  @Test func `in asyncio loses no other request when its main function fails`() async throws {
    try await InstalledDesktop.with { desk in
      let mark = "\(desk.desktop.home)/failed"
      let example = try BuiltProducts.template("Examples/asyncio/handle-links")
      // It fails at its second request, while the first is being handled.
      let program = try desk.desktop.installScript(
        "fails-once",
        example.replacing(
          "asyncio.sleep(0.1)", with: "asyncio.sleep(0 if os.path.exists('\(mark)') else 600)"
        )
        .replacing("import asyncio, json, sys", with: "import asyncio, json, os, sys")
        .replacing(
          "        request = json.loads(line)",
          with: """
                    if tasks and not os.path.exists('\(mark)'): open('\(mark)', 'w').close(); raise ValueError
                    request = json.loads(line)
            """))
      try desk.desktop.installDesktopEntry(
        "org.example.Fails",
        exec: "usher listen org.example.Fails %U --concurrent 2 --timeout 500 -- \(program)",
        schemes: ["fails"], lines: ["Implements=org.usher.Application1;"])
      try desk.desktop.setDefaults(["fails": ["org.usher.Handler", "org.example.Fails"]])
      async let first = desk.open("--wait", "handled", "--timeout", timeLimit(120), "fails:1")
      async let second = desk.open("--wait", "handled", "--timeout", timeLimit(120), "fails:2")
      for report in try await [first, second] {
        #expect(report.first?["value"]?["opened"] == 1, "\(report)")
      }
    }
  }

  /// The listener started no other program then, and never answered again.
  @Test func `that exits with more waiting requests than it has is started again`() async throws {
    try await InstalledDesktop.with { desk in
      let gate = "\(desk.desktop.home)/gate"
      try await desk.run("mkfifo", [gate]).orThrow()
      let program = try desk.desktop.installScript(
        "twice",
        """
        #!/usr/bin/python3
        import json, os, sys
        count = 0
        for line in sys.stdin:
          count += 1
          if not os.path.exists("\(gate).passed") and count == 2:
            open("\(gate)").read()
            open("\(gate).passed", "w")
            os._exit(3)
          if os.path.exists("\(gate).passed"):
            print(json.dumps({"request-id": json.loads(line)["request-id"], "handled": True}), flush=True)

        """)
      try desk.desktop.installDesktopEntry(
        "org.example.Twice", exec: "usher listen org.example.Twice %U --concurrent 2 -- \(program)",
        schemes: ["twice"], lines: ["Implements=org.usher.Application1;"])
      try desk.desktop.setDefaults(["twice": ["org.usher.Handler", "org.example.Twice"]])
      let monitor = try await RunningProgram.start(
        "usher", ["monitor", "--json"], environment: desk.desktop.environment)
      _ = try await monitor.line { $0.contains("watching") }
      try await withThrowingTaskGroup(of: OpenReport.self) { group in
        for number in 1...6 {
          group.addTask { try await desk.open("--wait", "handled", "twice:\(number)") }
        }
        var sent = Set<Int>()
        while sent.count < 6 {
          let line = try await monitor.line { $0.contains("\"sent\"") }
          sent.formUnion((1...6).filter { line.contains("twice:\($0)") })
        }
        try await desk.run("/bin/sh", ["-c", "echo >\(gate)"]).orThrow()
        for try await report in group { #expect(report.outcome == "handled", "\(report)") }
      }
      #expect(try await desk.open("--wait", "handled", "twice:7").outcome == "handled")
      monitor.terminate()
    }
  }
}

/// A Python program that reads requests and replies to each as the end of its URL says.
private struct Parent: Sendable {
  /// The file from which the program reads the requests.
  enum Input { case pipe, socket, socketOfReplies }

  static let id = "org.example.Child"
  let desk: InstalledDesktop
  private let tap: ReportPipe

  /// Installs it as a program that runs `usher listen --replies` with `options` as its child.
  ///
  static func install(
    _ options: String..., input: Input = .pipe, on desk: InstalledDesktop
  ) async throws -> Parent {
    let call = (["usher", "listen", id, "--replies"] + options).map { "\"\($0)\"" }.joined(separator: ",")
    let ends =
      input == .pipe
      ? "[open(end, mode) for end, mode in zip(os.pipe(), ['rb', 'wb'])]" : "socket.socketpair()"
    let (standardInput, replies) =
      input == .socketOfReplies ? ("its", "ours.makefile('wb')") : ("subprocess.PIPE", "child.stdin")
    return try await install(
      on: desk, exec: { "\($0) %U" },
      """
      import socket
      ours, its = \(ends)
      child = subprocess.Popen([\(call)] + sys.argv[1:], stdin=\(standardInput), stdout=its)
      its.close()
      requests, replies = \(input == .pipe ? "ours" : "ours.makefile('rb')"), \(replies)
      """)
  }

  /// Installs it as a command of `usher listen` with `options`.
  static func install(behind options: String, on desk: InstalledDesktop) async throws -> Parent {
    try await install(
      on: desk, exec: { "usher listen \(id) %U \(options) -- \($0)" },
      "requests, replies = sys.stdin.buffer, sys.stdout.buffer")
  }

  private static func install(
    on desk: InstalledDesktop, exec: (String) -> String, _ setUp: String
  ) async throws -> Parent {
    let tap = try await ReportPipe("child", in: desk.desktop)
    try await desk.run("mkfifo", ["\(tap.path).go"]).orThrow()
    let program = try desk.desktop.installScript(
      "parent",
      """
      #!/usr/bin/python3
      import json, os, select, subprocess, sys, threading
      \(setUp)
      def answer(**keys):
        replies.write(json.dumps({"request-id": request["request-id"], **keys}).encode() + b"\\n"); replies.flush()
      def wait(request):
        open("\(tap.path).go").read()
        replies.write(json.dumps({"request-id": request["request-id"], "handled": True, "value": {"name": "wait"}}).encode() + b"\\n")
        replies.flush()
      for line in requests:
        with open("\(tap.path)", "wb") as tap: tap.write(line)
        request = json.loads(line)
        if "withdrawn" in request: continue
        name = (request.get("urls") or ["x:activate"])[-1].split(":")[1]
        if name == "die": open("\(tap.path).go").read(); os._exit(1)
        elif name == "anonymous":
          open("\(tap.path).go").read()
          replies.write(b'{"handled": true}\\n'); replies.flush()
          open("\(tap.path).go").read()
        elif name == "leave": select.select([requests], [], []); os._exit(1)
        elif name == "kill": os.kill(os.getpid(), 9)
        elif name == "wait": threading.Thread(target=wait, args=[request], daemon=True).start()
        elif name == "last": answer(handled=True); os._exit(0)
        elif name != "silent": answer(handled=True, value={"name": name})

      """)
    try desk.desktop.installDesktopEntry(
      id, exec: exec(program), schemes: ["child"], lines: ["Implements=org.usher.Application1;"])
    try desk.desktop.setDefaults(["child": ["org.usher.Handler", id]])
    return Parent(desk: desk, tap: tap)
  }

  func next() async throws -> Envelope { try Envelope(json: try await tap.nextText()) }
  func nextLine() async throws -> PropertyList { try await tap.next() }

  /// Lets a program that waits go on.
  func goOn() async throws { try await desk.run("sh", ["-c", ": >'\(tap.path).go'"]).orThrow() }

  func open(_ name: String) async throws -> OpenReport {
    try OpenReport(
      try await desk.run(
        "usher", ["open", "--json", "--wait", "handled", "--timeout", timeLimit(120), "child:\(name)"]))
  }
}
