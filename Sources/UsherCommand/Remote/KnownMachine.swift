// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Glibc
import RemoteProtocol

/// A machine or a container whose links open on this desktop.
struct KnownMachine {
  /// The state of the connection, by its name in JSON.
  enum State: String {
    /// Links reach this desktop.
    case connected
    /// The connection was lost, or the relay does not run.
    case disconnected
    /// The relay, or ssh, accepts connections, and does not answer.
    case silent = "not-answering"
    /// The unit of the relay was stopped, until the next login.
    case stopped
    /// The unit of the relay has failed.
    case failed
  }

  let machine: RemoteMachine
  /// The host as ssh was given it, or the name of the container.
  let host: String
  /// The state of the connection.
  let state: State
  /// A Boolean value that indicates whether it is a container.
  let isContainer: Bool
  /// The further options of ssh(1) with which it was connected.
  let options: [String]
  /// The schemes that programs on the machine have registered, as the entries of the desktop say.
  var schemes: [String] = []

  /// The keys for JSON.
  var entries: [String: Variant] {
    [
      "remote": .string(machine.name), "host": .string(host), "connected": .boolean(state == .connected),
      "state": .string(state.rawValue), "schemes": .strings(schemes),
    ]
  }

  /// Returns the machines of a session, in the order of their names, and then the containers.
  ///
  /// - Parameters:
  ///   - runtime: The runtime directory of the session.
  ///   - units: The units of containers.
  static func all(in runtime: String, _ units: [ContainerUnit]) -> [KnownMachine] {
    let descriptions = descriptions(in: ConnectionFiles.directory(in: runtime))
    let containers = containers(in: runtime, units)
    let states = SocketState.all(
      of: descriptions.flatMap { [$0.files.socket, $0.files.control] } + containers.map(\.socket))
    let machines = descriptions.compactMap { connection, files in
      state(relay: states[files.socket] ?? .closed, ssh: states[files.control] ?? .closed).map {
        KnownMachine(
          machine: connection.machine, host: connection.host, state: $0, isContainer: false,
          options: connection.options)
      }
    }
    return machines
      + containers.compactMap { machine, name, socket in
        let unit = units.first { $0.machine == machine }
        let hasSocket = access(socket, F_OK) == 0
        return state(relay: states[socket] ?? .closed, unit, hasSocket: hasSocket).map {
          KnownMachine(machine: machine, host: name, state: $0, isContainer: true, options: [])
        }
      }
  }

  /// Returns the state of a connection by ssh; `nil` if a killed command has left its files behind.
  private static func state(relay: SocketState, ssh: SocketState) -> State? {
    switch (relay, ssh) {
    case (.closed, .closed): nil
    case (.answering, .answering): .connected
    case (.closed, _), (_, .closed): .disconnected
    default: .silent
    }
  }

  /// Returns the state of the relay of a container; `nil` if there is none.
  private static func state(relay: SocketState, _ unit: ContainerUnit?, hasSocket: Bool) -> State? {
    switch relay {
    case .answering: .connected
    case .silent: .silent
    case .closed where unit?.hasFailed == true: .failed
    case .closed where unit?.isActive == true: .disconnected
    case .closed where unit?.isEnabled == true: .stopped
    case .closed: hasSocket ? .disconnected : nil
    }
  }

  /// Returns the connections that are described in a directory.
  private static func descriptions(
    in directory: String
  ) -> [(connection: ConnectionDescription, files: ConnectionFiles)] {
    names(in: directory).filter { $0.hasSuffix(".host") }.compactMap { name in
      ConnectionDescription(at: "\(directory)/\(name)").map {
        ($0, ConnectionFiles(of: $0.machine, in: directory))
      }
    }
  }

  /// Returns the containers that have a relay's directory in the runtime directory, or a unit.
  private static func containers(
    in runtime: String, _ units: [ContainerUnit]
  ) -> [(machine: RemoteMachine, name: String, socket: String)] {
    let prefix = RemoteSocket.containerDirectoryPrefix
    let directories = names(in: runtime).filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
    return Set(directories + units.map(\.container)).sorted().compactMap { name in
      RemoteMachine(container: name).map { ($0, String(name), "\(runtime)/\(prefix)\(name)/socket") }
    }
  }

  private static func names(in directory: String) -> [String] {
    guard case .items(let items) = LocalFiles().list(directory) else { return [] }
    return items.map(\.name).sorted()
  }
}
