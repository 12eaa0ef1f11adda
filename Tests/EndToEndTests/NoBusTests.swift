// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport
import Testing

@Suite struct `Without a bus` {
  private func open(_ url: String, on desktop: ThrowAwayDesktop) async throws -> OpenReport {
    try OpenReport(
      try await Command.run("usher", ["open", "--json", url], environment: desktop.environment))
  }

  @Test(arguments: [TargetKind.scenes, .gApplication])
  func `an application that needs a bus is NeedsBus or is started by its Exec line`(kind: TargetKind)
    async throws
  {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    let target = try await Target.install(kind, on: desktop)
    try desktop.setUsherAsDefault(of: [kind])
    let report = try await open(target.url(1), on: desktop)
    if kind == .scenes {
      #expect(report.status == 69, "\(report)")
      #expect(report.error == "NeedsBus")
      #expect(report.message.contains("cannot connect to a session bus"), "\(report.message)")
      try await desktop.waitUntilNoProcess(but: ["cat"])
    } else {
      // The entry has an Exec line, which GApplication supports without a bus.
      #expect(report.status == 0, "\(report)")
      #expect(try await target.next().urls == [target.url(1)])
    }
  }

  @Test func `a plain program receives its link`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    let target = try await Target.install(.plain, on: desktop)
    try desktop.setUsherAsDefault(of: [.plain])
    let report = try await open("play:1", on: desktop)
    #expect(report.status == 0, "\(report)")
    #expect(report.outcome == "delivered")
    #expect(try await target.next().urls == ["play:1"])
    #expect(try await open("nobody:1", on: desktop).status == 2)
    #expect(try await open("no url", on: desktop).status == 65)
  }

  @Test func `a bus that does not respond is reported as missing`() async throws {
    let desktop = try ThrowAwayDesktop()
    try desktop.installUsher()
    let target = try await Target.install(.scenes, on: desktop)
    try desktop.setUsherAsDefault(of: [.scenes])
    let report = try await open(target.url(1), on: desktop)
    #expect(report.status == 69, "\(report)")
    #expect(report.error == "NeedsBus")
  }
}
