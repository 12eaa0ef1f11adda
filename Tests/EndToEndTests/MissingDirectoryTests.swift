// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// A missing home directory and a missing runtime directory, both of which only the system may create.
@Suite struct `A missing directory` {
  private static func variables(_ desk: InstalledDesktop) -> [String: String] {
    [
      "HOME": "\(desk.desktop.root)/away", "XDG_RUNTIME_DIR": "\(desk.desktop.root)/gone",
      "XDG_STATE_HOME": "",
    ]
  }

  private static func isMissing(_ name: String, _ desk: InstalledDesktop) -> Bool {
    !FileManager.default.fileExists(atPath: "\(desk.desktop.root)/\(name)")
  }

  @Test func `is not created by the broker, which opens links without it and reports it`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      let broker = try await desk.startBroker(adding: Self.variables(desk))
      #expect(try await desk.open(target.url(1)).status == 0)
      #expect(try await target.next().urls == [target.url(1)])
      let grant = try await desk.usher("grants", "allow", "--source", "org.a", "--scheme", "play")
      #expect(
        grant.status != 0 && grant.errorOutput.contains("\(desk.desktop.root)/away does not exist"),
        "\(grant)")
      let history = try await desk.usher("history")
      #expect(history.errorOutput.contains("\(desk.desktop.root)/away does not exist"), "\(history)")
      let status = try await desk.connect().call(BrokerInterface.status, at: BrokerInterface.broker)
      #expect(
        status["storage"]?.string?.contains("\(desk.desktop.root)/gone does not exist") == true, "\(status)")
      broker.program.kill()
      #expect(Self.isMissing("away", desk) && Self.isMissing("gone", desk))
    }
  }

  @Test(arguments: [
    ["register", "org.example.Player", "--scheme", "play"], ["unregister", "org.example.Player"],
  ])
  func `is not created by a registration, which fails`(arguments: [String]) async throws {
    try await InstalledDesktop.with { desk in
      try desk.desktop.installDesktopEntry("org.example.Player", exec: "true %u", schemes: ["play"])
      // The entry is among the system's, so that only written files would be in the home directory.
      let variables = Self.variables(desk).merging([
        "XDG_DATA_DIRS": "\(desk.desktop.systemData):\(desk.desktop.dataHome)", "XDG_DATA_HOME": "",
        "XDG_CONFIG_HOME": "",
      ]) { $1 }
      let result = try await desk.run("usher", arguments, adding: variables)
      #expect(!result.succeeded, "\(result)")
      #expect(result.errorOutput.contains("\(desk.desktop.root)/away cannot be written"), "\(result)")
      #expect(result.errorOutput.contains("does not exist; create it, or correct HOME"), "\(result)")
      #expect(Self.isMissing("away", desk) && Self.isMissing("gone", desk))
    }
  }

  @Test func `is not created when a link is opened without a bus`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      let variables = Self.variables(desk).merging(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]) { $1 }
      try await desk.run("usher", ["open", target.url(1)], adding: variables).orThrow()
      #expect(try await target.next().urls == [target.url(1)])
      #expect(Self.isMissing("away", desk) && Self.isMissing("gone", desk))
    }
  }
}
