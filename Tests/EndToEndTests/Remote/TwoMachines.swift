// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Two machines, each with a network of its own, and a cable between them: the desktop, and a machine with a real sshd.
struct TwoMachines: Sendable {
  /// The machines, by the end of the cable.
  enum End: String, CaseIterable, Sendable {
    case desktop, machine
  }

  let desk: InstalledDesktop
  let server: SSHServer
  /// The application of `notes:` links on the desktop.
  let target: Target
  private let networks: [End: NetworkNamespace]

  /// A route that allows the links of the machine.
  static let allowed = """
    [route.build]
    scheme = "notes"
    source = { remote = "\(SSHServer.machine)" }
    allow  = true
    """

  /// Creates the machines, runs `body`, and ends them; skips the test if this machine cannot create networks.
  static func with(
    routes: String = allowed, _ body: @Sendable (TwoMachines) async throws -> Void
  ) async throws {
    let (desktop, machine) = (try await NetworkNamespace.make(), try await NetworkNamespace.make())
    try await desktop.connect(to: machine, "192.0.2.1", "192.0.2.2")
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.scenes, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.scenes])
      try desk.desktop.writeRoutes("remote.toml", routes)
      let server = try await SSHServer.start(on: desk, in: .reachable(machine, address: "192.0.2.2"))
      try await body(
        TwoMachines(
          desk: desk, server: server, target: target, networks: [.desktop: desktop, .machine: machine]))
      await server.stop()
    }
    await desktop.end()
  }

  /// Runs a subcommand of `usher` on the desktop, such as `ssh`, with the options and the name of the machine, and with further words.
  func usher(_ subcommand: String..., words: [String] = []) async throws -> CommandResult {
    try await network(.desktop).run(
      ["usher"] + subcommand + server.options + ["build"] + words, environment: desk.desktop.environment)
  }

  /// Connects the machine, and returns the command that holds the connection; its output includes its messages.
  ///
  /// - Parameter options: Further options of ssh, as they follow `-o`.
  func connect(_ options: String...) async throws -> RunningProgram {
    let connection = try await network(.desktop).start(
      ["bash", "-c", "exec usher remote connect \"$@\" 2>&1", "bash"] + server.options
        + options.flatMap { ["-o", $0] } + ["build"], environment: desk.desktop.environment)
    _ = try await connection.line { $0.contains("open on this desktop") }
    return connection
  }

  /// Runs a command on the machine, in the environment of a login.
  func onMachine(_ words: String...) async throws -> CommandResult {
    try await network(.machine).run(words, environment: server.environment)
  }

  /// Waits until programs of the machine are connected to its sockets of relays.
  ///
  /// - Parameter count: The number of the connections.
  func waitForClients(_ count: Int) async throws {
    let directory = "\(server.runtimeDirectory)/usher-remote/"
    // unix(7) names no event for a new connection of another process. 03 is the state of a connected socket.
    try await withDeadline(Command.defaultDeadline, "a client of the relay") {
      while try await self.onMachine("cat", "/proc/net/unix").lines.count(where: {
        $0.contains(directory) && $0.contains(" 03 ")
      }) < count {
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  /// Unplugs the cable at one end.
  func unplug(_ end: End) async throws { try await network(end).unplug() }

  /// Plugs the cable in again.
  func plug(_ end: End) async throws { try await network(end).plug() }

  func network(_ end: End) throws -> NetworkNamespace {
    guard let network = networks[end] else { throw TestSupportError("no network: \(end)") }
    return network
  }
}
