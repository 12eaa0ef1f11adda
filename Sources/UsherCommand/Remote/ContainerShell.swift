// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import Glibc
import Launching
import RemoteProtocol
import Systemd

/// A shell of root in a running container of Podman or Docker; the containers of Toolbx and Distrobox are such.
struct ContainerShell: MachineShell {
  let host: String
  private let tool: String
  private let program: String
  private let environment: [String: String]

  /// Finds the tool that has a container.
  ///
  /// - Parameter time: The longest time for the answer of a tool.
  /// - Throws: `RemoteFailure` if no tool has it, or a tool gives no answer, so that it may have it.
  init(
    _ name: String, environment: [String: String], within time: Duration = .seconds(60)
  ) throws(RemoteFailure) {
    let programs = ProgramSearch(path: environment["PATH"])
    var found: (tool: String, program: String)?
    for tool in ["podman", "docker"] {
      guard let program = programs.find(tool) else { continue }
      let query = ProcessConfiguration(
        executable: program, arguments: [tool, "container", "inspect", name], environment: environment)
      guard case .ended(.exited, let output)? = ProgramOutput(query)?.ending(by: .now + time) else {
        throw RemoteFailure(
          description:
            "\(tool) does not say whether it has the container “\(name)”: it cannot be run, was killed, or has not answered within "
            + "\(time.components.seconds) s; try again, or run: "
            + Shell.command([tool, "container", "inspect", name]))
      }
      guard output.contains(name) else { continue }
      found = (tool, program)
      break
    }
    guard let found else {
      throw RemoteFailure(
        description:
          "neither podman nor docker has a container “\(name)”; docs/remote.md has the steps to create one whose links open here, and the "
          + "way for systemd-nspawn and other tools", isMissingContainer: true)
    }
    host = name
    (tool, program) = found
    self.environment = environment
  }

  let timeout = Duration.seconds(60)

  var check: String { Shell.command(tool, "exec", host, "true") }

  /// Returns whether the client in the container reaches a relay, called as programs there call it.
  ///
  /// - Parameters:
  ///   - client: The path of the client.
  ///   - runtime: The runtime directory of the session, which Toolbx and Distrobox share with the container.
  /// - Throws: `RemoteFailure` if the container gives no answer.
  func reachesRelay(with client: String, _ runtime: String) throws(RemoteFailure) -> Bool {
    // The relay itself rejects this scheme, and asks no user.
    let attempt = "\(client) remote register --timeout=1 : >/dev/null 2>&1; echo \"status $?\""
    let script = "if [ -z \"$USHER_SOCKET\" ]; then echo unset; else \(attempt); fi"
    // The tools enter a container that shares the directory as the user, with the user's environment.
    var output = try lastLine(of: script, [])
    if output == "unset" {
      output = try lastLine(of: attempt, ["-u", "\(getuid())", "-e", "XDG_RUNTIME_DIR=\(runtime)"])
    }
    return output == "status 64"
  }

  /// Returns the last line that a command of the user of the container prints; `nil` if it prints none.
  private func lastLine(of command: String, _ options: [String]) throws(RemoteFailure) -> String? {
    let program = ProcessConfiguration(
      executable: program, arguments: [tool, "exec", "-i"] + options + [host, "sh", "-c", command],
      environment: environment)
    return Self.lines(try output(of: program)).last
  }

  func program(running command: String) -> ProcessConfiguration {
    ProcessConfiguration(
      executable: program, arguments: [tool, "exec", "-i", "-u", "0", host, "sh", "-c", command],
      environment: environment)
  }
}

/// The unit of the relay for a container.
struct ContainerRelay {
  let machine: RemoteMachine

  init(of machine: RemoteMachine) { self.machine = machine }

  /// The name of the unit.
  var unit: String { "usher-remote@\(machine.container ?? "").service" }

  /// The name of the directory with the socket, in the runtime directory.
  var directoryName: String { "\(RemoteSocket.containerDirectoryPrefix)\(machine.container ?? "")" }

  /// Starts the relay, now and at each login.
  func enable(_ environment: [String: String]) throws(RemoteFailure) {
    try control(["enable", "--now", "--quiet"], environment)
  }

  /// Stops the relay, and removes it from logins.
  func disable(_ environment: [String: String]) throws(RemoteFailure) {
    try control(["disable", "--now", "--quiet"], environment)
  }

  /// Stops the relay, until the next login or the next start of its unit.
  func stop(_ environment: [String: String]) throws(RemoteFailure) { try control(["stop"], environment) }

  private func control(_ words: [String], _ environment: [String: String]) throws(RemoteFailure) {
    guard let program = ProgramSearch(path: environment["PATH"]).find("systemctl"),
      let child = try? SpawnedProcess(
        ProcessConfiguration(
          executable: program, arguments: ["systemctl", "--user"] + words + [unit], environment: environment)),
      child.exitStatus(by: .now + .seconds(60)) == .exited(0)
    else {
      throw RemoteFailure(
        description: "the user manager cannot \(words[0]) \(unit); run: systemctl --user status \(unit)")
    }
  }
}
