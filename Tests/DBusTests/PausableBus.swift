// SPDX-License-Identifier: Apache-2.0
import CTestSupport
import DBus
import Foundation
import Synchronization
import TestSupport

/// A socket between a connection and a bus, which can stop reading from the connection, like a busy bus.
final class PausableBus: Sendable {
  private enum State {
    case reading
    case paused
  }

  private let directory: TemporaryDirectory
  let address: BusAddress
  private let state = Mutex(State.reading)
  private let sent = Mutex(Data())
  /// A pipe that is written when the state has changed.
  private let wakeUp: (read: Int32, write: Int32)

  /// Creates the socket.
  ///
  /// - Parameter bus: the path of the bus's own socket.
  init(before bus: String) throws {
    directory = try TemporaryDirectory()
    let path = "\(directory.path)/bus"
    address = .address("unix:path=\(path)")
    var ends: [Int32] = [-1, -1]
    let listener = ctest_listen(path)
    guard listener >= 0, ctest_pipe(&ends) == 0 else { throw TestSupportError("cannot listen at \(path)") }
    wakeUp = (ends[0], ends[1])
    Thread.detachNewThread { [self] in
      defer { close(listener) }
      Self.wait([(listener, POLLIN)])
      let connection = ctest_accept(listener)
      let other = Self.connect(to: bus)
      carry(between: connection, and: other)
      close(connection)
      close(other)
    }
  }

  deinit {
    close(wakeUp.read)
    close(wakeUp.write)
  }

  /// Stops reading from the connection.
  func pause() { change(to: .paused) }

  /// Resumes reading from the connection.
  func resume() { change(to: .reading) }

  /// Returns the offset of each of `words` in the data from the connection; `nil` until all have been sent.
  func places(of words: [String]) -> [Int]? {
    sent.withLock { sent in
      let places = words.compactMap { sent.range(of: Data($0.utf8))?.lowerBound }
      return places.count == words.count ? places : nil
    }
  }

  private func change(to new: State) {
    state.withLock { $0 = new }
    _ = write(wakeUp.write, "!", 1)
  }

  private func carry(between connection: Int32, and bus: Int32) {
    while true {
      let isReading = state.withLock { $0 == .reading }
      let ready = Self.wait([
        (wakeUp.read, POLLIN), (bus, POLLIN), (connection, isReading ? POLLIN : 0),
      ])
      var bytes = [UInt8](repeating: 0, count: 4_096)
      if ready[0] { _ = read(wakeUp.read, &bytes, bytes.count) }
      if ready[1] {
        let count = recv(bus, &bytes, bytes.count, 0)
        guard count > 0 else { return }
        // The error is ignored, because the data of a connection that has stopped reading must still reach the bus.
        _ = Self.send(bytes[..<count], to: connection)
      }
      if isReading, ready[2] {
        let count = recv(connection, &bytes, bytes.count, 0)
        // Reported once if the connection closed before it had read everything; its sent data is still available.
        if count < 0, errno == ECONNRESET { continue }
        guard count > 0, Self.send(bytes[..<count], to: bus) else { return }
        sent.withLock { $0.append(contentsOf: bytes[..<count]) }
      }
    }
  }

  @discardableResult
  private static func wait(_ descriptors: [(Int32, Int32)]) -> [Bool] {
    var polled = descriptors.map { pollfd(fd: $0.1 == 0 ? -1 : $0.0, events: Int16($0.1), revents: 0) }
    poll(&polled, nfds_t(polled.count), -1)
    return polled.map { $0.revents != 0 }
  }

  private static func send(_ bytes: ArraySlice<UInt8>, to socket: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else {
        guard count < 0, errno == EAGAIN || errno == EINTR else { return false }
        wait([(socket, POLLOUT)])
        continue
      }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func connect(to path: String) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return descriptor
  }
}
