import TestSupport
import Testing

extension Desk {
  /// Fails when a call of Broker1.Open does not end with this error of Usher's.
  func expectBusError(
    _ name: String, opening url: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let result = try await run(
      "gdbus",
      [
        "call", "--session", "--dest", Self.broker[0], "--object-path", Self.broker[1], "--method",
        "\(Self.broker[2]).Open", "['\(url)']", "{}",
      ])
    #expect(
      result.errorOutput.contains("GDBus.Error:org.usher.Error.\(name): "), "\(result)",
      sourceLocation: sourceLocation)
  }

  /// Fails when any process but the bus and the broker stays.
  func expectNothingLeft() async throws {
    // `cat` is what the tests themselves read by.
    try await desktop.waitUntilNoProcess(but: ["dbus-daemon", "usherd", "cat"])
  }
}
