// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

extension InstalledDesktop {
  /// Fails if a call of Broker1.Open does not end with this error of Usher.
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

  /// Fails if a process other than the bus and the broker remains.
  func expectNothingLeft() async throws {
    // The tests themselves read through `cat`.
    try await desktop.waitUntilNoProcess(but: ["dbus-daemon", "usherd", "cat"])
  }
}
