// SPDX-License-Identifier: Apache-2.0
import CTestSupport
import DBus
import Foundation
import TestSupport

/// A socket in place of a bus, which accepts one connection, and closes it after it has received a text.
final class ClosingBusSocket: Sendable {
  private let directory: TemporaryDirectory
  let address: BusAddress

  /// Creates the socket.
  ///
  /// - Parameter word: the text after which the connection is closed; only the authentication is answered before.
  init(hearing word: String) throws {
    directory = try TemporaryDirectory()
    let path = "\(directory.path)/bus"
    address = .address("unix:path=\(path)")
    let listener = ctest_listen(path)
    guard listener >= 0 else { throw TestSupportError("cannot listen at \(path)") }
    Thread.detachNewThread {
      defer { close(listener) }
      Self.wait(listener)
      let connection = ctest_accept(listener)
      defer { close(connection) }
      var heard = Data()
      while true {
        Self.wait(connection)
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(connection, &bytes, bytes.count, 0)
        guard count > 0 else { return }
        heard.append(contentsOf: bytes[..<count])
        if heard.range(of: Data(word.utf8)) != nil { return }
        guard bytes[..<count].suffix(7).elementsEqual("BEGIN\r\n".utf8) else { continue }
        let answer = "DATA\r\nOK \(String(repeating: "a", count: 32))\r\nAGREE_UNIX_FD\r\n"
        send(connection, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
      }
    }
  }

  private static func wait(_ descriptor: Int32) {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&polled, 1, -1)
  }
}
