// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import FileOutput
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
  /// The further options of ssh(1), as the user has given them.
  let options: [String]

  /// Creates the description of a new connection.
  init(of machine: RemoteMachine, host: String, user: String, options: [String]) {
    self.machine = machine
    self.host = host
    self.user = user
    self.options = options
  }

  /// Reads a file; `nil` if it describes no connection.
  init?(at path: String) {
    guard case .bytes(let bytes) = LocalFiles().read(path) else { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().map {
      String(decoding: $0, as: UTF8.self)
    }
    guard lines.count >= 2, let machine = RemoteMachine(lines[0]) else { return nil }
    self.machine = machine
    host = lines[1]
    user = lines.count > 2 && !lines[2].isEmpty ? lines[2] : nil
    options = Array(lines.dropFirst(3))
  }

  /// Writes the description to a file, which other commands read completely or not at all.
  ///
  /// - Throws: `RemoteFailure` if it cannot be written.
  func write(to path: String) throws(RemoteFailure) {
    let draft = "\(path).new"
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.failure(at: path, errno) }
    var code = ([machine.name, host, user ?? ""] + options).map { "\($0)\n" }.joined().utf8.writeAll(to: file)
    if close(file) != 0, code == nil { code = errno }
    if code == nil, rename(draft, path) != 0 { code = errno }
    guard let code else { return }
    unlink(draft)
    throw Self.failure(at: path, code)
  }

  private static func failure(at path: String, _ code: Int32) -> RemoteFailure {
    let advice = [ENOSPC, EDQUOT].contains(code) ? "; free space there, and connect again" : ""
    return RemoteFailure(description: "cannot write \(path): \(String(cString: strerror(code)))\(advice)")
  }

  /// Returns whether the connection is the login of a user.
  func isLogin(of user: String) -> Bool { self.user?.utf8.elementsEqual(user.utf8) == true }
}
