import BusInterfaces
import DBus
import TestSupport
import Testing

/// What was given up, or told to be withdrawn, never arrives.
@Suite struct `A request that is given up` {
  private static func cancel(_ id: String, on bus: BusConnection) async throws {
    try await bus.call(BrokerInterface.cancel, at: BrokerInterface.broker, id)
  }

  private static func open(
    _ url: String, _ options: OpenOptions, on bus: BusConnection
  ) async throws(BusError) -> [String: Variant] {
    try await bus.call(
      BrokerInterface.open, at: BrokerInterface.broker, [url], options.entries, timeout: .seconds(60))
  }

  @Test func `its fallback is not opened either`() async throws {
    try await Desk.with { desk in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      let other = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setDefaults([
        "mimic": ["org.usher.Handler", application.id], "play": ["org.usher.Handler", TargetKind.plain.id],
      ])
      let caller = try await desk.connect()
      var options = OpenOptions()
      options.requestID = "one"
      options.fallback = "play:fallback"
      async let answer = Self.open("mimic:1", options, on: caller)
      #expect(try await application.next()["started"] == true)
      try await Self.cancel("one", on: caller)
      do {
        _ = try await answer
        Issue.record("it was answered")
      } catch let error as BusError {
        #expect(error.name == BrokerErrorName.cancelled.errorName, "\(error)")
      }
      try await desk.usher("open", "play:end").orThrow()
      #expect(try await other.next().urls == ["play:end"])
      try await application.takeName(on: desk)
    }
  }
}
