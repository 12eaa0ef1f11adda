// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Glibc
import RemoteProtocol

/// A machine or a container whose links open on this desktop.
struct KnownMachine {
  let machine: RemoteMachine
  /// The host as ssh was given it, or the name of the container.
  let host: String
  /// A Boolean value that indicates whether its links reach this desktop at the moment.
  let isConnected: Bool
  /// A Boolean value that indicates whether it is a container.
  let isContainer: Bool
  /// The schemes that programs on the machine have registered, as the entries of the desktop say.
  var schemes: [String] = []

  /// The keys for JSON.
  var entries: [String: Variant] {
    [
      "remote": .string(machine.name), "host": .string(host), "connected": .boolean(isConnected),
      "schemes": .strings(schemes),
    ]
  }

  /// Returns the machines of a session, in the order of their names, and then the containers.
  ///
  /// - Parameter runtime: The runtime directory of the session.
  static func all(in runtime: String) -> [KnownMachine] {
    machines(in: ConnectionFiles.directory(in: runtime)) + containers(in: runtime)
  }

  /// Returns the machines of the descriptions in a directory, without those that a killed command has left behind.
  private static func machines(in directory: String) -> [KnownMachine] {
    names(in: directory).filter { $0.hasSuffix(".host") }.compactMap { name in
      guard case .bytes(let bytes) = LocalFiles().read("\(directory)/\(name)") else { return nil }
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
      guard lines.count == 2, let machine = RemoteMachine(lines[0]) else { return nil }
      let files = ConnectionFiles(of: machine, in: directory)
      guard files.hasRelay || files.isConnected else { return nil }
      return KnownMachine(
        machine: machine, host: lines[1], isConnected: files.hasRelay && files.isConnected, isContainer: false
      )
    }
  }

  /// Returns the containers whose relays have sockets in the runtime directory.
  private static func containers(in runtime: String) -> [KnownMachine] {
    let prefix = RemoteSocket.containerDirectoryPrefix
    return names(in: runtime).filter { $0.hasPrefix(prefix) }.compactMap { name in
      let (container, socket) = (String(name.dropFirst(prefix.count)), "\(runtime)/\(name)/socket")
      guard let machine = ContainerRelay.machine(ofContainer: container), access(socket, F_OK) == 0 else {
        return nil
      }
      return KnownMachine(
        machine: machine, host: container, isConnected: RemoteSocket.isServed(socket), isContainer: true)
    }
  }

  private static func names(in directory: String) -> [String] {
    guard case .items(let items) = LocalFiles().list(directory) else { return [] }
    return items.map(\.name).sorted()
  }
}
