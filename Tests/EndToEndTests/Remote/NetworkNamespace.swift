// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

/// A network of the test's own, with a loopback interface, which exists as long as its object or a process in it.
struct NetworkNamespace: Sendable {
  /// The program that holds the network.
  private let holder: RunningProgram

  /// Creates a network without a way to any other one; skips the test if this machine cannot.
  static func make() async throws -> NetworkNamespace {
    guard getuid() == 0, try await Command.run("unshare", ["--net", "true"]).succeeded else {
      try Test.cancel("only root can create a network namespace for the other machine")
    }
    let holder = try await RunningProgram.start(
      "unshare", ["--net", "sh", "-c", "ip link set lo up && echo up && exec sleep infinity"])
    _ = try await holder.line { $0 == "up" }
    return NetworkNamespace(holder: holder)
  }

  /// The words that precede those of a command that runs in the network.
  var words: [String] { ["nsenter", "--target=\(holder.processIdentifier)", "--net"] }

  /// Runs a command in the network until it exits.
  @discardableResult
  func run(
    _ command: [String], environment: [String: String] = Command.bareEnvironment
  ) async throws -> CommandResult {
    try await Command.run("/usr/bin/nsenter", Array(words.dropFirst()) + command, environment: environment)
  }

  /// Starts a program in the network.
  func start(
    _ command: [String], environment: [String: String] = Command.bareEnvironment
  ) async throws -> RunningProgram {
    try await RunningProgram.start(
      "/usr/bin/nsenter", Array(words.dropFirst()) + command, environment: environment)
  }

  /// Connects the network to another one by a cable, a pair of interfaces `eth0`; skips the test if this machine has no such interfaces.
  ///
  /// - Parameters:
  ///   - address: The address here.
  ///   - otherAddress: The address in the other network.
  func connect(to other: NetworkNamespace, _ address: String, _ otherAddress: String) async throws {
    let made = try await run([
      "ip", "link", "add", "eth0", "type", "veth", "peer", "name", "eth0", "netns",
      "\(other.holder.processIdentifier)",
    ])
    guard made.succeeded else { try Test.cancel("veth interfaces cannot be created: \(made.errorOutput)") }
    for (network, address) in [(self, address), (other, otherAddress)] {
      try await network.run(["ip", "address", "add", "\(address)/24", "dev", "eth0"]).orThrow()
      try await network.plug()
    }
  }

  /// Plugs the cable in again, at this end.
  func plug() async throws { try await run(["ip", "link", "set", "eth0", "up"]).orThrow() }

  /// Unplugs the cable at this end.
  ///
  /// Connections remain, and their bytes get lost.
  func unplug() async throws { try await run(["ip", "link", "set", "eth0", "down"]).orThrow() }

  /// Kills the processes in the network, which remains.
  func killProcesses() async throws {
    try await Command.run(
      "sh",
      [
        "-c",
        """
        own=$(readlink "/proc/$0/ns/net")
        for process in /proc/[0-9]*; do
          [ "$process" = "/proc/$0" ] || [ "$(readlink "$process/ns/net")" != "$own" ] || kill -KILL "${process#/proc/}"
        done
        """, "\(holder.processIdentifier)",
      ]
    ).orThrow()
  }

  /// Ends the network, with its processes.
  func end() async {
    try? await killProcesses()
    holder.kill()
    _ = await holder.waitUntilExit()
  }
}
