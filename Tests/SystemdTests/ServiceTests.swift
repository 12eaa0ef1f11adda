// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Systemd

@Suite struct `Notifications of a service to its manager` {
  // The tests run in processes of their own, because all tests share the environment of this one.
  @Test func `Each notification is one datagram at NOTIFY_SOCKET`() async {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      let socket = try #require(DatagramSocket(path: "\(directory.path)/notify"))
      setenv("NOTIFY_SOCKET", "\(directory.path)/notify", 1)
      ServiceNotification.ready.send()
      #expect(socket.receive() == "READY=1")
      ServiceNotification.status("12 links\nREADY=1\r\nSTOPPING=1").send()
      #expect(socket.receive() == "STATUS=12 links READY=1 STOPPING=1")
      ServiceNotification.stopping.send()
      #expect(socket.receive() == "STOPPING=1")
      unsetenv("NOTIFY_SOCKET")
      ServiceNotification.ready.send()
      #expect(socket.receive() == nil)
    }
  }

  @Test func `A running loop sends the watchdog signal at the requested interval`() async {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      let socket = try #require(DatagramSocket(path: "\(directory.path)/notify"))
      setenv("NOTIFY_SOCKET", "\(directory.path)/notify", 1)
      setenv("WATCHDOG_USEC", "100000", 1)
      setenv("WATCHDOG_PID", "\(getpid())", 1)
      let loop = EventLoop()
      loop.sendKeepAlives()
      for _ in 1...3 {
        let deadline = Command.deadlineFromNow
        var reported: String?
        repeat { reported = socket.receive() } while reported == nil && ContinuousClock.now < deadline
        #expect(reported == "WATCHDOG=1")
      }
    }
  }

  @Test func `A journal entry has its fields, without invalid ones`() {
    let entry = Journal.entry(
      "two\nlines = fine", priority: 9,
      fields: ["USHER_ID": "a=b", "bad name": "x", "_PID": "1", "": "", "1X": "", "ÜX": ""])
    #expect(entry == ["MESSAGE=two\nlines = fine", "PRIORITY=7", "USHER_ID=a=b"])
    #expect(Journal.entry("", priority: -1, fields: [:]) == ["MESSAGE=", "PRIORITY=0"])
  }

  @Test func `Standard error is the journal only if the variable names it`() async {
    await #expect(processExitsWith: .success) {
      unsetenv("JOURNAL_STREAM")
      #expect(!Journal.isStandardError)
      setenv("JOURNAL_STREAM", "1:1", 1)
      #expect(!Journal.isStandardError)
      var facts = stat()
      fstat(STDERR_FILENO, &facts)
      setenv("JOURNAL_STREAM", "\(facts.st_dev):\(facts.st_ino)", 1)
      #expect(Journal.isStandardError)
    }
  }

  @Test func `Errors contain the attempted operation`() {
    let error = SystemdError("watch x", code: -ENOENT)
    #expect(error.code == ENOENT)
    #expect("\(error)" == "cannot watch x: No such file or directory")
  }
}

/// A socket that receives datagrams at its path.
final class DatagramSocket {
  private let descriptor: Int32

  init?(path: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Returns the next datagram; sd_notify has sent it before it returns.
  func receive() -> String? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
  }
}
