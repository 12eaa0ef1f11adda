import Foundation

/// A real `dbus-daemon` that is the session bus of one throw-away desktop.
///
/// It has the limits and the policy of a session bus, reads activation files where the standard says (in the
/// desktop's data folders) and gives the desktop's environment to what it starts.
public final class PrivateBus: Sendable {
  /// The address, with the bus's GUID.
  public let address: String
  private let daemon: RunningProgram

  /// The lines that programs started by the bus write to their standard output; one consumer at a time.
  public var lines: AsyncStream<String> { daemon.lines }

  private init(address: String, daemon: RunningProgram) {
    self.address = address
    self.daemon = daemon
  }

  /// Starts a bus at the desktop's `busAddress`, or at another one, and returns when it accepts connections.
  ///
  /// After `kill()` or `stop()` another may be started at the same address. Activation files in
  /// `serviceDirectories` win over those in the data folders. With `room`, the broker's folder is a file system of so
  /// many bytes, which only the bus and what it starts can see. With `letsOthersIn` every user of the machine may connect
  /// who can reach the socket. A program that the bus starts has `startTimeout` milliseconds until it must have its name.
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
        <limit name="service_start_timeout">\(startTimeout)</limit>
      </busconfig>
      """, to: address == nil ? "run/bus.conf" : "run/other-bus.conf")
    var environment = desktop.environment
    // A bus has no bus; it sets the address itself for what it starts.
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

  /// Has it read its activation files again; returns when it has.
  public func reload() async throws {
    let service = "org.freedesktop.DBus"
    try await Command.run(
      "busctl", ["--address=\(address)", "call", service, "/org/freedesktop/DBus", service, "ReloadConfig"]
    ).orThrow()
  }

  /// The next line of a program that the bus started for which `condition` holds; lines before it are dropped.
  public func line(
    where condition: @Sendable @escaping (String) -> Bool = { _ in true }
  ) async throws(TestSupportError) -> String {
    try await daemon.line(where: condition)
  }

  /// Ends the bus as a crash would, in the middle of whatever it does.
  public func kill() async {
    daemon.kill()
    _ = await daemon.waitUntilExit()
  }

  /// Ends the bus and returns when it is gone.
  ///
  /// What it started loses its connection.
  public func stop() async {
    daemon.terminate()
    _ = await daemon.waitUntilExit()
  }
}
