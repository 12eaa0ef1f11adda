// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A real sshd, whose logins stand for another machine: they have none of the desk's variables.
struct SSHServer: Sendable {
  /// The name of the machine on the desk.
  static let machine = "build.example.org"

  /// The network of the machine.
  enum Network: Sendable {
    /// That of the desk: the server listens at a free port of the loopback interface.
    case shared
    /// A network to which there is no way, so that the ports of its loopback interface are others than those of the desk; ssh starts one
    /// server for each connection in it.
    case separate(NetworkNamespace)
    /// A network in which the server listens at this address.
    case reachable(NetworkNamespace, address: String)
  }

  private let network: Network
  /// The server that listens; `nil` for one server for each connection.
  private let program: RunningProgram?
  private let desk: InstalledDesktop
  private let root: String
  /// The runtime directory of the logins.
  var runtimeDirectory: String { "\(root)/run" }
  /// The home directory of the logins.
  var home: String { "\(root)/home" }
  /// The first directory in `PATH` of the logins; it contains the client.
  var programs: String { "\(root)/bin" }

  /// Starts a server, and writes the configuration of ssh for the host `build`.
  ///
  /// - Parameter settings: Further lines of sshd_config(5).
  static func start(
    on desk: InstalledDesktop, in network: Network = .shared, settings: String = ""
  ) async throws -> SSHServer {
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
    let (address, port) =
      switch network {
      case .shared, .separate: ("127.0.0.1", try await SignInRig.freePort())
      case .reachable(_, let address): (address, 22)
      }
    try desk.desktop.write(
      """
      Port \(port)
      ListenAddress \(address)
      HostKey \(root)/host
      AuthorizedKeysFile \(desk.desktop.home)/.ssh/key.pub
      PidFile none
      StrictModes no
      UsePAM no
      SetEnv HOME=\(root)/home XDG_RUNTIME_DIR=\(root)/run PATH=\(root)/bin:/usr/bin:/bin
      \(settings)
      """, to: "machine/sshd_config")
    // Debian's sshd needs this directory, which its service creates.
    try await Command.run("mkdir", ["-p", "/run/sshd"]).orThrow()
    // Standard error is not read line by line.
    let serving = ["sh", "-c", "exec /usr/sbin/sshd -D -e -f '\(root)/sshd_config' 2>&1"]
    let program: RunningProgram?
    var way: String?
    switch network {
    case .shared:
      program = try await RunningProgram.start(
        serving[0], Array(serving.dropFirst()), environment: ["PATH": "/usr/bin:/bin"])
    case .reachable(let namespace, _):
      program = try await namespace.start(serving, environment: ["PATH": "/usr/bin:/bin"])
    case .separate(let namespace):
      program = nil
      way =
        (namespace.words + [Self.way(in: root)]).joined(separator: " ")
    }
    _ = try await program?.line { $0.contains("Server listening") }
    let hostKey = try String(contentsOfFile: "\(root)/host.pub", encoding: .utf8)
    try desk.desktop.write("\(machine) \(hostKey)", to: "home/.ssh/known")
    try desk.desktop.write(
      """
      Host build
        HostName \(address)
        Port \(port)
        HostKeyAlias \(machine)
        IdentityFile \(desk.desktop.home)/.ssh/key
        IdentitiesOnly yes
        UserKnownHostsFile \(desk.desktop.home)/.ssh/known
        GlobalKnownHostsFile /dev/null
        StrictHostKeyChecking yes
        \(way.map { "ProxyCommand \($0)" } ?? "")
      """, to: "home/.ssh/config")
    return SSHServer(network: network, program: program, desk: desk, root: root)
  }

  /// The options with which ssh reads the configuration of the desk's user; ssh takes the home directory from the user database.
  var options: [String] { ["-F", "\(desk.desktop.home)/.ssh/config"] }

  /// The command that serves one connection at its standard input and output.
  var way: String { Self.way(in: root) }

  private static func way(in root: String) -> String {
    "/usr/sbin/sshd -i -f \(root)/sshd_config -E \(root)/log"
  }

  /// The environment of a login.
  var environment: [String: String] {
    [
      "HOME": home, "XDG_RUNTIME_DIR": runtimeDirectory, "PATH": "\(programs):/usr/bin:/bin",
      "SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22",
    ]
  }

  /// Kills the processes that serve connections, as a lost network ends them; the server itself remains.
  func dropConnections() async throws {
    if case .separate(let namespace) = network { return try await namespace.killProcesses() }
    guard let program else { return }
    try await Command.run("pkill", ["-KILL", "-P", "\(program.processIdentifier)"]).orThrow()
  }

  /// Ends the server, with its connections and the network of the machine, and returns its log if it listens.
  @discardableResult
  func stop() async -> String {
    try? await dropConnections()
    program?.kill()
    let log = await program?.waitUntilExit().output
    switch network {
    case .shared: break
    case .separate(let namespace), .reachable(let namespace, _): await namespace.end()
    }
    return log ?? ""
  }
}
