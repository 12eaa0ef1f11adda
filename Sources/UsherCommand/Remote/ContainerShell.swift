// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import Glibc
import Launching
import Systemd

/// A shell of root in a running container of Podman or Docker; the containers of Toolbx and Distrobox are such.
struct ContainerShell: MachineShell {
  let host: String
  private let tool: String
  private let program: String
  private let environment: [String: String]

  /// Finds the tool that has a container.
  ///
  /// - Throws: `RemoteFailure` if no tool has it.
  init(_ name: String, environment: [String: String]) throws(RemoteFailure) {
    let programs = ProgramSearch(path: environment["PATH"])
    var found: (tool: String, program: String)?
    for tool in ["podman", "docker"] {
      guard let program = programs.find(tool) else { continue }
      let query = ProcessConfiguration(
        executable: program, arguments: [tool, "container", "inspect", name], environment: environment)
      guard ProgramOutput(query)?.read(by: .now + .seconds(60))?.contains(name) == true else { continue }
      found = (tool, program)
      break
    }
    guard let found else {
      throw RemoteFailure(
        description:
          "neither podman nor docker has a container “\(name)”; for systemd-nspawn and other tools, see docs/remote.md"
      )
    }
    host = name
    (tool, program) = found
    self.environment = environment
  }

  let timeout = Duration.seconds(60)

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

  /// The name of a container as a machine; `nil` if the name cannot be used.
  ///
  /// It cannot equal the name of a host with a port, because a port is a number.
  static func machine(ofContainer name: String) -> RemoteMachine? {
    guard !name.isEmpty, !name.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      !name.contains(":")
    else { return nil }
    return RemoteMachine("container:\(name.lowercased())")
  }

  /// The name of the unit.
  var unit: String { "usher-remote@\(machine.name.split(separator: ":").last ?? "").service" }

  /// Starts the relay, now and at each login.
  func enable(_ environment: [String: String]) throws(RemoteFailure) {
    try control(["enable", "--now", "--quiet"], environment)
  }

  /// Stops the relay, and removes it from logins.
  func disable(_ environment: [String: String]) throws(RemoteFailure) {
    try control(["disable", "--now", "--quiet"], environment)
  }

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
