// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport
import Testing

/// Notifications that the example application Notes schedules with `application.notifications`, on dunst.
@Suite struct `A reminder of Notes` {
  private func withNotes(_ body: @escaping @Sendable (InstalledDesktop, Target, Dunst) async throws -> Void)
    async throws
  {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.scenes, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.scenes])
      try await desk.usher("grants", "allow", "--permission", "notifications", target.kind.id).orThrow()
      try await body(desk, target, try await Dunst.start(on: desk))
    }
  }

  @Test func `is shown after Notes has exited, and starts it when the user taps it`() async throws {
    try await withNotes { desk, target, dunst in
      let report = try await desk.open("--wait", "handled", "notes://note/7/remind?in=1")
      #expect(report.first?["value"] == ["note": 7, "seconds": 1], "\(report)")
      #expect(try await target.next().urls == ["notes://note/7/remind?in=1"])
      try await target.end(on: desk)
      try await dunst.waitUntilDisplayed(1)
      #expect(target.processes(on: desk).isEmpty)
      try await dunst.click()
      var line = try await target.next().line
      // A machine may be so busy that the notification was due before Notes had exited.
      if line["call"] == "application(_:didReceive:)" { line = try await target.next().line }
      #expect(line["call"] == "scene(_:didReceive:)")
      #expect(line["reason"] == "local-notification")
      #expect(line["value"] == ["note": 7])
      #expect(target.processes(on: desk).count == 1)
    }
  }

  @Test func `reaches the window of its note while Notes runs`() async throws {
    try await withNotes { desk, target, dunst in
      for url in ["notes://note/7", "notes://note/8", "notes://note/7/remind?in=1"] {
        #expect(try await desk.open("--wait", "handled", url).status == 0)
      }
      let lines = [try await target.next().line, try await target.next().line, try await target.next().line]
      // Notes is asked first, because it is in the foreground.
      #expect(try await target.next().line["call"] == "application(_:didReceive:)")
      try await dunst.waitUntilDisplayed(1)
      try await dunst.click()
      let line = try await target.next().line
      #expect(line["scene"] == lines[0]["scene"])
      #expect(line["scene"] != lines[1]["scene"])
      #expect(line["pid"] == lines[0]["pid"])
    }
  }
}
