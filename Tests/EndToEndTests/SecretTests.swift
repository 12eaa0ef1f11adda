// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// Traces of a link where other users or programs can read, after its opener has exited.
@Suite struct `A secret in a link` {
  private static let mark = "S3CR3T"

  @Test(arguments: [TargetKind.scenes, .gApplication])
  func `to a target on the bus is not stored or logged`(kind: TargetKind) async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(kind, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [kind])
      let broker = try await desk.startBroker()
      let monitor = try await RunningProgram.start(
        "usher", ["monitor", "--json"], environment: desk.desktop.environment)
      _ = try await monitor.line { $0.contains("watching") }

      let url = "\(target.url(1))?token=\(Self.mark)#\(Self.mark)"
      // Opened cold and warm, and then with failures, whose errors must not quote the link either.
      for _ in 1...2 {
        let words = ["--annotation", "{\"token\": \"\(Self.mark)\"}", "--wait", "delivered", url]
        _ = try await desk.run("usher", ["open"] + words)
        #expect(try await target.next().urls == [url])
      }
      _ = try await desk.usher("open", "nobody://\(Self.mark):\(Self.mark)@host/path?\(Self.mark)")
      _ = try await desk.usher("open", "--app", "org.example.Missing", url)

      let history = try await desk.usher("history", "--json")
      #expect(history.output.contains("nobody://host/path"))
      #expect(!history.output.contains(Self.mark), "\(history)")
      for process in desk.desktop.processes {
        let seen = try await desk.run("cat", ["/proc/\(process.processIdentifier)/environ"]).output
        #expect(!seen.contains(Self.mark) && !process.arguments.joined().contains(Self.mark), "\(process)")
      }
      monitor.terminate()
      #expect(!(await monitor.waitUntilExit().output.contains(Self.mark)))
      broker.program.terminate()
      let log = await broker.program.waitUntilExit()
      #expect(log.errorOutput.contains("nobody://host/path"), "\(log)")
      #expect(!log.errorOutput.contains(Self.mark) && !log.output.contains(Self.mark), "\(log)")
      // Pending requests are in the session's own file, which is private and deleted with the session.
      let found = try await desk.run(
        "grep",
        ["-rlaF", "-D", "skip", "--exclude=pending.sqlite*", Self.mark, desk.desktop.root])
      #expect(found.output == "", "\(found)")
    }
  }

  @Test func `in the path of a missing file is in no log and no history`() async throws {
    try await InstalledDesktop.with { desk in
      let broker = try await desk.startBroker()
      for link in [
        "file:///home/a/x%3f\(Self.mark)", "file:////u:\(Self.mark)@h/", "file:///x%23\(Self.mark)",
      ] {
        let opened = try await desk.usher("open", link)
        #expect(opened.errorOutput.contains("cannot be opened: the file does not exist"), "\(opened)")
      }
      let history = try await desk.usher("history", "--json")
      #expect(
        history.output.contains("file:///home/a/x…") && !history.output.contains(Self.mark), "\(history)")
      broker.program.terminate()
      let log = await broker.program.waitUntilExit()
      #expect(log.errorOutput.contains("file:///home/a/x… rejected: the file cannot be opened"), "\(log)")
      #expect(!log.errorOutput.contains(Self.mark) && !log.output.contains(Self.mark), "\(log)")
    }
  }
}

/// Links with parts of a length that their callers choose.
@Suite struct `A long part of a link` {
  @Test func `is short in the log and in the history`() async throws {
    try await InstalledDesktop.with { desk in
      let broker = try await desk.startBroker()
      let long = String(repeating: "x", count: 100_000)
      let links = [
        "vnc://\(long)", "vnc://h:\(String(repeating: "1", count: 100_000))", "\(long):y", "https:\(long)",
        "webcal:\\\\\(long)", "file://\(long)/x", "file:///\(long)", "https://xn--\(long)/",
      ]
      for link in links { _ = try await desk.usher("open", link) }
      let history = try await desk.usher("history", "--json")
      #expect(history.output.utf8.count < links.count * 2_000, "\(history.output.utf8.count)")
      broker.program.terminate()
      let log = await broker.program.waitUntilExit()
      let lengths = log.errorOutput.split(separator: "\n").map(\.utf8.count)
      #expect(lengths.allSatisfy { $0 < 2_000 } && lengths.count > links.count, "\(lengths)")
    }
  }
}
