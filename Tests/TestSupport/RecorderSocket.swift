// SPDX-License-Identifier: Apache-2.0
import CTestSupport
import Foundation
import Glibc

/// The listening socket of a recorder; one thread accepts the connections and reads a line from each.
final class RecorderSocket: Sendable {
  private let stop: Int32

  init(path: String, starts: AsyncStream<RecordedStart>.Continuation) throws(TestSupportError) {
    var ends: [Int32] = [-1, -1]
    let listener = ctest_listen(path)
    guard listener >= 0, ctest_socket_pair(&ends) == 0 else {
      throw TestSupportError("cannot listen at \(path): \(String(cString: strerror(errno)))")
    }
    stop = ends[0]
    let stopped = ends[1]
    Thread.detachNewThread {
      Self.serve(listener: listener, stopped: stopped, starts: starts)
      starts.finish()
      close(listener)
      close(stopped)
    }
  }

  deinit { close(stop) }

  private static func serve(listener: Int32, stopped: Int32, starts: AsyncStream<RecordedStart>.Continuation)
  {
    var pending: [(connection: RecorderConnection, line: [UInt8])] = []
    while true {
      var polled = [stopped, listener].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      polled += pending.map { pollfd(fd: $0.connection.descriptor, events: Int16(POLLIN), revents: 0) }
      guard poll(&polled, UInt(polled.count), -1) >= 0 || errno == EINTR, polled[0].revents == 0 else {
        return
      }
      var done: [Int] = []
      // Processed in the order of their arrival, because several may be ready at once.
      for (index, answer) in zip(pending.indices, polled.dropFirst(2)) where answer.revents != 0 {
        let hasEnded = readAvailable(from: pending[index].connection, into: &pending[index].line)
        let (connection, line) = pending[index]
        let isComplete = line.last == UInt8(ascii: "\n")
        guard hasEnded || isComplete else { continue }
        if isComplete, let start = RecordedStart(line: line, connection: connection) { starts.yield(start) }
        done.append(index)
      }
      for index in done.reversed() { pending.remove(at: index) }
      guard polled[1].revents != 0 else { continue }
      while case let descriptor = ctest_accept(listener), descriptor >= 0 {
        pending.append((RecorderConnection(descriptor), []))
      }
    }
  }

  /// Reads the available bytes; returns `true` at the end of the connection.
  private static func readAvailable(from connection: RecorderConnection, into line: inout [UInt8]) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 1) { buffer in
      while true {
        let count = recv(connection.descriptor, buffer.baseAddress, buffer.count, 0)
        if count > 0 { line.append(contentsOf: buffer[..<count]) }
        if count == 0 { return true }
        if count < 0, errno != EINTR { return errno != EAGAIN }
      }
    }
  }
}
