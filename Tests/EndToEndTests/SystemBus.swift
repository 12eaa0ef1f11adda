// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import TestSupport

/// A private system bus of a desktop.
struct SystemBus: Sendable {
  /// Its address, which programs find in `DBUS_SYSTEM_BUS_ADDRESS`.
  let address: String
  private let desk: InstalledDesktop
  private let program: RunningProgram

  /// Starts a bus, which starts the services of the files in `DIRECTORY/services`.
  static func start(on desk: InstalledDesktop) async throws -> SystemBus {
    let address = "unix:path=\(directory(of: desk))/bus"
    return SystemBus(address: address, desk: desk, program: try await launch(at: address, on: desk))
  }

  /// The directory of the bus on a desktop.
  static func directory(of desk: InstalledDesktop) -> String { "\(desk.desktop.root)/system" }

  /// Makes the address known to the programs that the session bus starts.
  func announce() async throws {
    try await desk.connect().call(
      BusMethod<Arguments<[String: String]>, Arguments<>>(
        "UpdateActivationEnvironment", of: "org.freedesktop.DBus", takes: ["environment"]), at: .bus,
      ["DBUS_SYSTEM_BUS_ADDRESS": address])
  }

  /// Starts another bus at the address, after this one was killed.
  func restart() async throws -> SystemBus {
    program.kill()
    _ = await program.waitUntilExit()
    return SystemBus(
      address: address, desk: desk, program: try await Self.launch(at: address, on: desk))
  }

  /// Ends the bus.
  func end() async {
    program.terminate()
    _ = await program.waitUntilExit()
  }

  private static func launch(at address: String, on desk: InstalledDesktop) async throws -> RunningProgram {
    let directory = directory(of: desk)
    let configuration = try desk.desktop.write(
      """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>session</type>
        <listen>\(address)</listen>
        <auth>EXTERNAL</auth>
        <servicedir>\(directory)/services</servicedir>
        <policy context="default">
          <allow send_destination="*" eavesdrop="true"/>
          <allow eavesdrop="true"/>
          <allow own="*"/>
        </policy>
      </busconfig>
      """, to: "\(directory)/bus.conf")
    // GeoClue finds its bus in the environment of the bus that starts it, and exits without the schemas of the system.
    let bus = try await RunningProgram.start(
      "dbus-daemon",
      ["--config-file=\(configuration)", "--nofork", "--nopidfile", "--nosyslog", "--print-address=1"],
      environment: desk.desktop.environment.merging([
        "DBUS_SYSTEM_BUS_ADDRESS": address, "XDG_DATA_DIRS": "/usr/local/share:/usr/share",
      ]) { $1 })
    _ = try await bus.line { $0.hasPrefix("unix:") }
    return bus
  }

  /// Returns the match rules of the connections of a process; `nil` if it has no connection.
  func matchRules(of process: Int32?) async throws -> [String]? {
    let system = try await BusConnection.open(.address(address))
    let names = try await system.call(BusDaemon.listNames, at: .bus).filter { $0.hasPrefix(":") }
    let rules = try await system.call(
      BusMethod<Arguments<>, Arguments<[String: [String]]>>(
        "GetAllMatchRules", of: "org.freedesktop.DBus.Debug.Stats", returns: ["rules"]), at: .bus)
    var found: [String]?
    for name in names {
      guard let bus = BusName(name), let pid = try? await system.credentials(of: bus).processID,
        pid == process
      else { continue }
      found = (found ?? []) + (rules[name] ?? [])
    }
    await system.close()
    return found
  }
}
