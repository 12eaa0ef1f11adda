// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A real sshd on loopback, whose logins stand for another machine: they have none of the desk's variables.
struct SSHServer: Sendable {
  /// The name of the machine on the desk.
  static let machine = "build.example.org"

  /// The server, or for a machine with its own network the program that holds the network.
  private let program: RunningProgram
  private let desk: InstalledDesktop
  private let root: String
  private let hasOwnNetwork: Bool
  /// The runtime directory of the logins.
  var runtimeDirectory: String { "\(root)/run" }
  /// The home directory of the logins.
  var home: String { "\(root)/home" }
  /// The first directory in `PATH` of the logins; it contains the client.
  var programs: String { "\(root)/bin" }

  /// Starts a server, and writes the configuration of ssh for the host `build`.
  ///
  /// - Parameter hasOwnNetwork: Whether the machine has a network namespace of its own, so that the ports of its loopback interface are others
  ///   than those of the desk; ssh then starts one server for each connection, in that namespace. Otherwise the server listens on a free port.
  static func start(on desk: InstalledDesktop, hasOwnNetwork: Bool = false) async throws -> SSHServer {
    let root = "\(desk.desktop.root)/machine"
    for directory in [root, "\(root)/run", "\(root)/bin", "\(root)/home", "\(desk.desktop.home)/.ssh"] {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    for (key, path) in [("host", "\(root)/host"), ("user", "\(desk.desktop.home)/.ssh/key")] {
      try await Command.run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", key, "-f", path]).orThrow()
    }
    try await Command.run("cp", [BuiltProducts.usher, "\(root)/bin/usher"]).orThrow()
    try FileManager.default.createSymbolicLink(atPath: "\(root)/bin/xdg-open", withDestinationPath: "usher")
    let port = try await SignInRig.freePort()
    try desk.desktop.write(
      """
      Port \(port)
      ListenAddress 127.0.0.1
      HostKey \(root)/host
      AuthorizedKeysFile \(desk.desktop.home)/.ssh/key.pub
      PidFile none
      StrictModes no
      UsePAM no
      SetEnv HOME=\(root)/home XDG_RUNTIME_DIR=\(root)/run PATH=\(root)/bin:/usr/bin:/bin
      """, to: "machine/sshd_config")
    // Debian's sshd needs this directory, which its service creates.
    let makeDirectory = "mkdir -p /run/sshd"
    let program: RunningProgram
    var way: String?
    if hasOwnNetwork {
      program = try await RunningProgram.start(
        "unshare",
        ["--net", "sh", "-c", "\(makeDirectory) && ip link set lo up && echo up && exec sleep infinity"])
      _ = try await program.line { $0 == "up" }
      way =
        "nsenter --target=\(program.processIdentifier) --net /usr/sbin/sshd -i -f \(root)/sshd_config -E \(root)/log"
    } else {
      program = try await RunningProgram.start(
        "sh", ["-c", "\(makeDirectory) && exec /usr/sbin/sshd -D -e -f '\(root)/sshd_config' 2>&1"],
        environment: ["PATH": "/usr/bin:/bin"])
      _ = try await program.line { $0.contains("Server listening") }
    }
    let hostKey = try String(contentsOfFile: "\(root)/host.pub", encoding: .utf8)
    try desk.desktop.write("\(machine) \(hostKey)", to: "home/.ssh/known")
    try desk.desktop.write(
      """
      Host build
        HostName 127.0.0.1
        Port \(port)
        HostKeyAlias \(machine)
        IdentityFile \(desk.desktop.home)/.ssh/key
        IdentitiesOnly yes
        UserKnownHostsFile \(desk.desktop.home)/.ssh/known
        GlobalKnownHostsFile /dev/null
        StrictHostKeyChecking yes
        \(way.map { "ProxyCommand \($0)" } ?? "")
      """, to: "home/.ssh/config")
    return SSHServer(program: program, desk: desk, root: root, hasOwnNetwork: hasOwnNetwork)
  }

  /// The options with which ssh reads the configuration of the desk's user; ssh takes the home directory from the user database.
  var options: [String] { ["-F", "\(desk.desktop.home)/.ssh/config"] }

  /// Kills the processes that serve connections, as a lost network ends them.
  func dropConnections() async throws {
    guard hasOwnNetwork else {
      try await Command.run("pkill", ["-KILL", "-P", "\(program.processIdentifier)"]).orThrow()
      return
    }
    try await Command.run(
      "sh",
      [
        "-c",
        """
        own=$(readlink "/proc/$0/ns/net")
        for process in /proc/[0-9]*; do
          [ "$process" = "/proc/$0" ] || [ "$(readlink "$process/ns/net")" != "$own" ] || kill -KILL "${process#/proc/}"
        done
        """, "\(program.processIdentifier)",
      ]
    ).orThrow()
  }

  /// Ends the server, with its connections.
  func stop() async {
    try? await dropConnections()
    program.kill()
    _ = await program.waitUntilExit()
  }
}
