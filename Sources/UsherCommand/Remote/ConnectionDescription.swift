// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import Glibc

/// The content of the file that describes the connection to a machine, as long as the connection is wanted.
struct ConnectionDescription {
  /// The machine.
  let machine: RemoteMachine
  /// The host as ssh was given it.
  let host: String
  /// The user whose login the connection is; `nil` if an earlier version has written the file.
  let user: String?

  /// Creates the description of a new connection.
  init(of machine: RemoteMachine, host: String, user: String) {
    self.machine = machine
    self.host = host
    self.user = user
  }

  /// Reads a file; `nil` if it describes no connection.
  init?(at path: String) {
    guard case .bytes(let bytes) = LocalFiles().read(path) else { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    guard (2...3).contains(lines.count), let machine = RemoteMachine(lines[0]) else { return nil }
    self.machine = machine
    host = lines[1]
    user = lines.count == 3 ? lines[2] : nil
  }

  /// Writes the description to a file.
  func write(to path: String) {
    guard let file = fopen(path, "w") else { return }
    for line in [machine.name, host, user ?? ""] { fputs("\(line)\n", file) }
    fclose(file)
  }

  /// Returns whether the connection is the login of a user.
  func isLogin(of user: String) -> Bool { self.user?.utf8.elementsEqual(user.utf8) == true }
}
