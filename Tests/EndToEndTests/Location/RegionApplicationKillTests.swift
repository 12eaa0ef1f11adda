// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

/// An application on `Scenes` that is killed while it handles the event of a region, and before the next event.
@Suite struct `An event of a region whose application is killed` {
  /// The handler is killed before or after its effect, which it reports with its reply.
  @Test(arguments: ["before", "after"])
  func `is handled once more, marked as redelivered, and later events once`(death: String) async throws {
    try await LocationRig.with { rig in
      let application = try TriggerTortureApplication.install(0, on: rig.desk)
      try await rig.desk.usher(
        "region", "add", application.id, death, "--at", "48.137,11.575", "--radius", "1000"
      ).orThrow()
      try await rig.waitUntil(service: "active")
      try await rig.measure(48.2, 11.575)
      try await rig.waitUntil("outside", of: death)
      try await rig.measure(48.137, 11.575)
      let entries = try await Self.lines(of: application, "enter-region") {
        $0.contains { $0.isRedelivered && $0.event == "end" }
      }
      // The process that waits for the next event is killed as well.
      if let last = entries.last { try await rig.desk.end(last.process, SIGKILL) }
      try await rig.measure(48.2, 11.575)
      let exits = try await Self.lines(of: application, "exit-region") { $0.contains { $0.event == "end" } }
      #expect(exits.map(\.event) == ["begin", "end"], "\(exits)")
      #expect(exits.first?.process != entries.last?.process)
      let handled = try await Self.lines(of: application, "enter-region") { _ in true }
      let expected =
        death == "before" ? ["begin", "die", "begin", "end"] : ["begin", "end", "die", "begin", "end"]
      #expect(handled.map(\.event) == expected, "\(handled)")
      #expect(Set(handled.map(\.request)).count == 1, "\(handled)")
      #expect(handled.filter { $0.event == "begin" }.map(\.isRedelivered) == [false, true], "\(handled)")
    }
  }

  /// Waits until the record of an application has these lines of an event.
  private static func lines(
    of application: TriggerTortureApplication, _ kind: String,
    until isComplete: @escaping @Sendable ([TriggerTortureLine]) -> Bool
  ) async throws -> [TriggerTortureLine] {
    try await withDeadline(Command.defaultDeadline, kind) {
      while true {
        let lines = TriggerTortureLine.read([application.log]).filter { $0.kind == kind }
        if isComplete(lines) { return lines }
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }
}
