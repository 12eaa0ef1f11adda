// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A real sshd on loopback, whose logins stand for another machine: they have none of the desk's variables.
struct SSHServer: Sendable {
  /// The name of the machine on the desk.
  static let machine = "build.example.org"

  private let program: RunningProgram
  private let desk: InstalledDesktop
  private let root: String
  /// The runtime directory of the logins.
  var runtimeDirectory: String { "\(root)/run" }
  /// The home directory of the logins.
  var home: String { "\(root)/home" }
  /// The first directory in `PATH` of the logins; it contains the client.
  var programs: String { "\(root)/bin" }

  /// Starts a server on a free port, and writes the configuration of ssh for the host `build`.
  static func start(on desk: InstalledDesktop) async throws -> SSHServer {
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
    let port = try await freePort()
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
      """, to: "home/.ssh/config")
    // Debian's sshd needs this directory, which its service creates.
    let program = try await RunningProgram.start(
      "sh", ["-c", "mkdir -p /run/sshd && exec /usr/sbin/sshd -D -e -f '\(root)/sshd_config' 2>&1"],
      environment: ["PATH": "/usr/bin:/bin"])
    _ = try await program.line { $0.contains("Server listening") }
    return SSHServer(program: program, desk: desk, root: root)
  }

  /// The options with which ssh reads the configuration of the desk's user; ssh takes the home directory from the user database.
  var options: [String] { ["-F", "\(desk.desktop.home)/.ssh/config"] }

  private static func freePort() async throws -> String {
    try await Command.run(
      "/usr/bin/python3",
      ["-c", "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])"]
    ).orThrow().output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Kills the processes that serve connections, as a lost network ends them.
  func dropConnections() async throws {
    try await Command.run("pkill", ["-KILL", "-P", "\(program.processIdentifier)"]).orThrow()
  }

  /// Ends the server, with its connections.
  func stop() async {
    try? await dropConnections()
    program.kill()
    _ = await program.waitUntilExit()
  }
}
