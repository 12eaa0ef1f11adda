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
}
