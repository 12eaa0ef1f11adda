// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Glibc
import TestSupport
import Testing

@Suite struct `usher monitor` {
  private static func start(_ desk: InstalledDesktop, _ arguments: String...) async throws -> RunningProgram {
    let monitor = try await RunningProgram.start(
      "usher", ["monitor"] + arguments, environment: desk.desktop.environment)
    _ = try await monitor.line { $0.contains("watching") || $0.contains("monitoring") }
    return monitor
  }

  @Test func `prints each step of a link when it happens, without secrets`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.scenes, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.scenes])
      let monitor = try await Self.start(desk, "--json")
      let people = try await Self.start(desk)
      _ = try await desk.open("--wait", "handled", "notes://note/7?tab=edit&token=secret#secret")
      _ = try await target.next()
      var steps: [PropertyList] = []
      while steps.last?["state"] != "ended" { steps.append(try PropertyList(json: await monitor.line())) }
      #expect(steps.map { $0["state"] } == ["queued", "sent", "ended"])
      #expect(steps.allSatisfy { $0["event"] == "request" && $0["urls"] == ["notes://note/7?…#…"] })
      #expect(steps.allSatisfy { $0["application"] == "org.example.Notes" })
      #expect(steps[2]["outcome"] == "handled" && steps[0]["outcome"] == nil)
      #expect(steps[1]["delivery"] == "launch" && steps[2]["delivery"] == "launch")
      let times = steps.compactMap { $0["time"]?.integer }
      #expect(times.count == 3 && times == times.sorted())
      let line = try await people.line { $0.contains("  handled") }
      #expect(line.hasSuffix("handled  unknown source -> org.example.Notes  notes://note/7?…#…"), "\(line)")

      _ = try await desk.open("nobody:1")
      let refused = try PropertyList(json: await monitor.line())
      #expect(refused["state"] == "ended" && refused["error"] == "org.usher.Error.NoHandler")
      for watcher in [monitor, people] { watcher.terminate() }
      let all = [await monitor.waitUntilExit(), await people.waitUntilExit()].map(\.output).joined()
      for secret in ["token", "secret"] { #expect(!all.contains(secret)) }
    }
  }

  /// Services ignore SIGPIPE, and no line follows the greeting.
  @Test(arguments: ["--json", ""]) func `ends after its reader has exited`(option: String) async throws {
    try await InstalledDesktop.with { desk in
      let line = "trap '' PIPE; usher monitor \(option) | head -n 1; echo \"${PIPESTATUS[0]}\""
      let result = try await desk.run("bash", ["-c", line])
      #expect(result.lines.count == 2 && result.lines.last == "0" && result.errorOutput.isEmpty, "\(result)")
    }
  }

  @Test func `ends if its output cannot be written`() async throws {
    try await InstalledDesktop.with { desk in
      let result = try await desk.run("bash", ["-c", "usher monitor --json > /dev/full"])
      #expect(result.status == 73 && result.errorOutput.contains("No space left on device"), "\(result)")
    }
  }

  @Test func `continues with the next broker`() async throws {
    try await InstalledDesktop.with { desk in
      let monitor = try await Self.start(desk, "--json")
      try await desk.killBroker()
      _ = try await monitor.line { $0.contains("watching") }
      _ = try await desk.open("nobody:1")
      _ = try await monitor.line { $0.contains("nobody:") }
      monitor.terminate()
      #expect(await monitor.waitUntilExit().errorOutput.contains("the broker exited"))
    }
  }

  @Test func `that does not read delays no request, and learns the number of missed lines`() async throws {
    try await InstalledDesktop.with { desk in
      let caller = try await desk.connect()
      let stream = try await caller.call(BrokerInterface.monitor, at: BrokerInterface.broker, [:])
      let count = 2_000
      for call in await PipelinedOpener(caller).send((0..<count).map { "nobody:\($0)" }, OpenOptions()) {
        await #expect(throws: BusError.self) { try await call.value }
      }
      let lines = try await BlockingWork.run { try Self.lines(of: stream) }
        .map { try PropertyList(json: $0) }
      let missed = lines.last?["count"]?.integer ?? 0
      let reported = lines.count { $0["event"] == "request" }
      #expect(missed > 0 && reported > 0)
      #expect(Int(missed) + reported == count)
      await caller.close()
    }
  }

  /// Returns the lines of a stream up to the one that reports the missed lines.
  private static func lines(of stream: UnixFD) throws -> [String] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !String(decoding: bytes.suffix(200), as: UTF8.self).contains("missed") || bytes.last != 10 {
      var poll = pollfd(fd: stream.rawValue, events: Int16(POLLIN), revents: 0)
      guard Glibc.poll(&poll, 1, Int32(60_000 * timeoutFactor)) == 1,
        case let count = read(stream.rawValue, &buffer, buffer.count), count > 0
      else { throw TestSupportError("no line tells what was missed") }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func `supports sixteen concurrent readers`() async throws {
    try await InstalledDesktop.with { desk in
      let caller = try await desk.connect()
      var streams: [UnixFD] = []
      for _ in 0..<16 {
        streams.append(try await caller.call(BrokerInterface.monitor, at: BrokerInterface.broker, [:]))
      }
      let error = await #expect(throws: BusError.self) {
        _ = try await caller.call(BrokerInterface.monitor, at: BrokerInterface.broker, [:])
      }
      #expect(error?.brokerError == .tooMany)
      streams.removeLast()
      // The message that brought the descriptor may be freed later, and keeps the stream open until then.
      try await withDeadline(Command.defaultDeadline, "a monitor to be admitted after another has closed") {
        while true {
          do {
            return _ = try await caller.call(BrokerInterface.monitor, at: BrokerInterface.broker, [:])
          } catch let error as BusError where error.brokerError == .tooMany {}
        }
      }
      await caller.close()
    }
  }
}
