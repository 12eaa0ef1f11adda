// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// Tests of the option `launch` of `Open`, with which a caller keeps the broker from starting anything.
@Suite struct `A request with launch=false` {
  private func options(target: String? = nil) -> [String: Variant] {
    var options = OpenOptions()
    options.target = target
    options.launch = false
    return options.entries
  }

  @Test func `reaches a running instance, and starts none`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.scenes, on: desk.desktop)
      let bus = try await desk.connect()
      func open() async throws(BusError) -> [String: Variant] {
        try await bus.call(
          BrokerInterface.open, at: BrokerInterface.broker, [target.url(1)],
          self.options(target: target.kind.id))
      }
      let error = await #expect(throws: BusError.self) { try await open() }
      #expect(error?.name == BrokerErrorName.notHandled.errorName, "\(String(describing: error))")
      #expect(error?.message.contains("no running instance of \(target.kind.id)") == true)
      #expect(target.processes(on: desk).isEmpty)
      try await desk.usher("open", "--app", target.kind.id, target.url(0)).orThrow()
      #expect(try await target.next().delivery == "launch")
      let receipt = try await open()
      #expect(receipt["outcome"]?.string == "handled", "\(receipt)")
      let arrival = try await target.next()
      #expect(arrival.urls == [target.url(1)] && arrival.delivery == "running", "\(arrival)")
    }
  }

  @Test func `does not reach a running instance without Application1`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.gApplication, on: desk.desktop)
      try await desk.usher("open", "--app", target.kind.id, target.url(0)).orThrow()
      _ = try await target.next()
      let bus = try await desk.connect()
      let error = await #expect(throws: BusError.self) {
        try await bus.call(
          BrokerInterface.open, at: BrokerInterface.broker, [target.url(1)],
          self.options(target: target.kind.id))
      }
      #expect(error?.name == BrokerErrorName.notHandled.errorName, "\(String(describing: error))")
    }
  }

  @Test func `runs no program of a route`() async throws {
    try await InstalledDesktop.with { desk in
      let recorder = try Recorder("player", in: desk.desktop)
      try desk.desktop.writeRoutes(
        "rules.toml",
        """
        [route.run]
        match = "run:x"
        exec = ["\(recorder.path)"]
        """)
      let bus = try await desk.connect()
      let error = await #expect(throws: BusError.self) {
        try await bus.call(BrokerInterface.open, at: BrokerInterface.broker, ["run:x"], self.options())
      }
      #expect(error?.name == BrokerErrorName.notHandled.errorName, "\(String(describing: error))")
      #expect(error?.message.contains("runs a program") == true, "\(String(describing: error))")
      // A program that had been started before would have reported first.
      try await desk.usher("open", "--wait", "handled", "run:x").orThrow()
      _ = try await recorder.nextStart()
    }
  }
}
