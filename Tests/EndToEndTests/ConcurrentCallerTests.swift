// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import TestSupport
import Testing

@Suite struct `A crowd of callers loses nothing` {
  /// The state of the broker when the callers connect.
  enum BrokerState: String, CaseIterable {
    case cold, warm, killed
  }

  /// `gio open` runs the handler's entry, and exits before the URL is opened.
  @Test(arguments: BrokerState.allCases)
  func `a hundred that exit at once`(broker: BrokerState) async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.scenes, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.scenes])
      if broker != .cold { try await desk.call(InstalledDesktop.broker, "Status").orThrow() }
      if broker == .killed {
        let daemon = try #require(desk.processes(of: "\(desk.desktop.bin)/usherd").first)
        kill(daemon, SIGKILL)
      }
      let callers = try await desk.run(
        "sh", ["-c", "for n in $(seq 100); do gio open notes://note/$n & done; wait"])
      #expect(callers.succeeded, "\(callers)")
      var arrived: [String] = []
      for _ in 1...100 { arrived += try await target.next().urls }
      #expect(Set(arrived) == Set((1...100).map(target.url)))
      try await expectNothingMore(from: target, on: desk)
    }
  }

  /// The broker's log shows the order of acceptance, because it contains a line for each queued request.
  @Test(arguments: [TargetKind.scenes, .gApplication])
  func `Rule 5: twenty concurrent requests start the application once, and arrive in the order of acceptance`(
    kind: TargetKind
  )
    async throws
  {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(kind, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [kind])
      let broker = try await desk.startBroker()
      try await withThrowingTaskGroup(of: OpenReport.self) { openers in
        for number in 1...20 { openers.addTask { try await desk.open(target.url(number)) } }
        for try await report in openers { #expect(report.status == 0, "\(report)") }
      }
      var arrivals: [Arrival] = []
      for _ in 1...20 { arrivals.append(try await target.next()) }
      #expect(target.processes(on: desk).count == 1)
      #expect(Set(arrivals.flatMap(\.urls)) == Set((1...20).map(target.url)))
      #expect(Set(arrivals.compactMap(\.requestID)).count == 20)
      try await expectNothingMore(from: target, on: desk)

      let log = try await broker.stop()
      let accepted = log.matches(of: /: (\S+) to org\.example/).map { String($0.output.1) }
      #expect(accepted.dropLast() == arrivals.flatMap(\.urls))
    }
  }

  /// Requests that the crash interrupted are repeated before those that were not sent yet.
  @Test func `the order is kept if the application exits in between`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.diesOnce, .application1, on: desk)
      let urls = (1...200).map { "mimic:\($0)" }
      try await PipelinedOpener(desk).open(urls)
      #expect(try await application.nextCall()["urls"] == ["mimic:1"])
      var arrived: [String] = []
      for _ in urls { arrived += try await application.nextCall()["urls"]?.array?.compactMap(\.string) ?? [] }
      #expect(arrived == urls)
    }
  }

  @Test(arguments: [TargetKind.scenes, .gApplication])
  func `twenty of one connection arrive in the order in which they were sent`(kind: TargetKind) async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(kind, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [kind])
      let sender = try await PipelinedOpener(desk)
      try await sender.open((1...20).map(target.url))
      var arrivals: [Arrival] = []
      for _ in 1...20 { arrivals.append(try await target.next()) }
      #expect(arrivals.flatMap(\.urls) == (1...20).map(target.url))
      #expect(target.processes(on: desk).count == 1)
      #expect(arrivals.first?.delivery == "launch")
      try await expectNothingMore(from: target, on: desk)
    }
  }

  @Test func `twenty at once for a plain program start it for each`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      try await PipelinedOpener(desk).open((1...20).map(target.url))
      var arrivals: [Arrival] = []
      for _ in 1...20 { arrivals.append(try await target.next()) }
      #expect(Set(arrivals.flatMap(\.urls)) == Set((1...20).map(target.url)))
      #expect(Set(arrivals.compactMap(\.pid)).count == 20)
      try await expectNothingMore(from: target, on: desk)
    }
  }

  private func expectNothingMore(from target: Target, on desk: InstalledDesktop) async throws {
    // Deliveries are ordered, so that a repetition would have arrived before this request.
    try await desk.usher("open", target.url(999)).orThrow()
    #expect(try await target.next().urls == [target.url(999)])
  }
}
