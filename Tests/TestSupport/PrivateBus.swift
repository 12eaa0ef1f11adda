// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A real `dbus-daemon` that is the session bus of one throw-away desktop.
///
/// It has the limits and the policy of a session bus, reads the activation files in the desktop's data directories as the
/// specification requires, and passes the desktop's environment to the programs that it starts.
public final class PrivateBus: Sendable {
  /// The address, with the bus's GUID.
  public let address: String
  private let daemon: RunningProgram

  /// The lines that programs started by the bus write to their standard output, for one consumer at a time.
  public var lines: AsyncStream<String> { daemon.lines }

  private init(address: String, daemon: RunningProgram) {
    self.address = address
    self.daemon = daemon
  }

  /// Starts a bus at the desktop's `busAddress`, or at another one, and returns when it accepts connections.
  ///
  /// After `kill()` or `stop()` another bus can be started at the same address. Activation files in `serviceDirectories`
  /// take precedence over those in the data directories. With `room`, the broker's directory is a file system of that
  /// many bytes, visible only to the bus and the programs that it starts. With `letsOthersIn`, every user of the machine
  /// who can reach the socket may connect. A program that the bus starts must acquire its name within `startTimeout`
  /// milliseconds.
  public static func start(
    in desktop: ThrowAwayDesktop, at address: String? = nil, serviceDirectories: [String] = [],
    room: Int? = nil, letsOthersIn: Bool = false, startTimeout: Int = 120_000
  ) async throws(TestSupportError) -> PrivateBus {
    let directories = serviceDirectories.map { "<servicedir>\($0)</servicedir>" }.joined()
    let configuration = try desktop.write(
      """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>session</type>
        <listen>\(address ?? desktop.busAddress)</listen>
        <auth>EXTERNAL</auth>
        \(directories)
        <standard_session_servicedirs/>
        <policy context="default">
          <allow send_destination="*" eavesdrop="true"/>
          <allow eavesdrop="true"/>
          <allow own="*"/>
          \(letsOthersIn ? "<allow user=\"*\"/>" : "")
        </policy>
        <limit name="max_incoming_bytes">1000000000</limit>
        <limit name="max_outgoing_bytes">1000000000</limit>
        <limit name="max_message_size">1000000000</limit>
        <limit name="max_completed_connections">100000</limit>
        <limit name="max_incomplete_connections">10000</limit>
        <limit name="max_connections_per_user">100000</limit>
        <limit name="max_pending_service_starts">10000</limit>
        <limit name="max_names_per_connection">50000</limit>
        <limit name="max_match_rules_per_connection">50000</limit>
        <limit name="max_replies_per_connection">50000</limit>
        <limit name="auth_timeout">240000</limit>
        <limit name="pending_fd_timeout">150000</limit>
        <limit name="service_start_timeout">\(startTimeout)</limit>
      </busconfig>
      """, to: address == nil ? "run/bus.conf" : "run/other-bus.conf")
    var environment = desktop.environment
    // The bus itself needs no bus address, and sets it for the programs that it starts.
    environment["DBUS_SESSION_BUS_ADDRESS"] = nil
    var command = [
      "dbus-daemon", "--config-file=\(configuration)", "--nofork", "--nopidfile", "--nosyslog",
      "--print-address=1",
    ]
    if let room {
      let directory = "\(desktop.runtimeDirectory)/usher"
      let mount =
        "mkdir -m 700 \(directory) && mount -t tmpfs -o size=\(room),mode=700 tmpfs \(directory) && exec \"$@\""
      command = ["unshare", "--mount", "sh", "-ec", mount, "sh"] + command
    }
    let daemon = try await RunningProgram.start(
      command[0], Array(command.dropFirst()), environment: environment)
    let address = try await daemon.line { $0.hasPrefix("unix:") }
    return PrivateBus(address: address, daemon: daemon)
  }

  /// Reloads the activation files, and returns when that is finished.
  public func reload() async throws {
    let service = "org.freedesktop.DBus"
    try await Command.run(
      "busctl", ["--address=\(address)", "call", service, "/org/freedesktop/DBus", service, "ReloadConfig"]
    ).orThrow()
  }

  /// Returns the next line of an activated program for which `condition` holds, and drops the lines before it.
  public func line(
    where condition: @Sendable @escaping (String) -> Bool = { _ in true }
  ) async throws(TestSupportError) -> String {
    try await daemon.line(where: condition)
  }

  /// Kills the bus like a crash, without a shutdown.
  public func kill() async {
    daemon.kill()
    _ = await daemon.waitUntilExit()
  }

  /// Terminates the bus, and returns when it has exited.
  ///
  /// The programs that it started lose their connection.
  public func stop() async {
    daemon.terminate()
    _ = await daemon.waitUntilExit()
  }
}
