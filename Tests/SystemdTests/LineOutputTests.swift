// SPDX-License-Identifier: Apache-2.0
import CTestSupport
import Glibc
import Systemd
import TestSupport
import Testing

@Suite struct `Lines for a reader` {
  private static let longLine = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
  private let reader: Int32
  private let writer: Int32
  private let pipeReader: Int32
  private let pipeWriter: Int32

  init() throws {
    var (sockets, pipes): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &sockets) == 0 && pipe(&pipes) == 0)
    for end in pipes { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A long line must not fit into it, whatever the default of the machine is.
    var size: Int32 = 65_536
    try #require(
      setsockopt(sockets[1], SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size)) == 0)
    (reader, writer) = (sockets[0], sockets[1])
    (pipeReader, pipeWriter) = (pipes[0], pipes[1])
  }

  private func ends(_ isSocket: Bool) -> (reader: Int32, writer: Int32) {
    isSocket ? (reader, writer) : (pipeReader, pipeWriter)
  }

  /// Reads up to `count` bytes, and returns their number.
  private func read(_ count: Int, from descriptor: Int32) -> Int {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var sum = 0
    while sum < count, Polling.wait(for: descriptor, by: .now + .seconds(60) * timeoutFactor) {
      let part = Glibc.read(descriptor, &buffer, min(buffer.count, count - sum))
      guard part > 0 else { break }
      sum += part
    }
    return sum
  }

  @Test(arguments: [(isSocket: false, canBeOpened: true), (false, false), (true, true)])
  func `are written as it reads them, and block no thread`(isSocket: Bool, canBeOpened: Bool) async {
    let (reader, writer) = ends(isSocket)
    // As the pipe of another user.
    if !canBeOpened { #expect(fchmod(writer, 0) == 0) }
    let loop = EventLoop()
    let unwritten = await withCheckedContinuation { done in
      loop.submit {
        let output = LineOutput(writer, on: loop) { _ in }
        output.append(Self.longLine, for: "1")
        done.resume(returning: output.contains("1"))
      }
    }
    #expect(unwritten)
    // Other processes may share the descriptor.
    #expect(fcntl(writer, F_GETFL) & O_NONBLOCK == 0)
    #expect(read(Self.longLine.count, from: reader) == Self.longLine.count)
  }

  /// The lines were written to another pseudo-terminal, which opening a master creates.
  @Test func `reach the terminal of a master, and block no thread`() async throws {
    var path = [CChar](repeating: 0, count: 256)
    let master = ctest_open_terminal(24, 80, &path, path.count)
    let terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    var settings = termios()
    try #require(master >= 0 && terminal >= 0 && tcgetattr(terminal, &settings) == 0)
    cfmakeraw(&settings)
    try #require(tcsetattr(terminal, TCSANOW, &settings) == 0)
    // More than a terminal has room for.
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 200_000)
    let loop = EventLoop()
    let unwritten = await withCheckedContinuation { done in
      loop.submit {
        let output = LineOutput(master, on: loop) { _ in }
        output.append(line, for: "1")
        done.resume(returning: output.contains("1"))
      }
    }
    #expect(unwritten)
    #expect(fcntl(master, F_GETFL) & O_NONBLOCK == 0)
    #expect(read(line.count, from: terminal) == line.count)
  }

  @Test(arguments: [false, true])
  func `that its reader has no room for can be dropped`(isSocket: Bool) {
    let (reader, writer) = ends(isSocket)
    let file = NonblockingFile(writer)
    file.writeOrDrop(Self.longLine)
    #expect(fcntl(reader, F_SETFL, O_NONBLOCK) == 0)
    var (buffer, count) = ([UInt8](repeating: 0, count: 65_536), 0)
    while case let part = Glibc.read(reader, &buffer, buffer.count), part > 0 { count += part }
    #expect(count > 0 && count < Self.longLine.count)
    file.writeOrDrop(Array("next\n".utf8))
    #expect(read(5, from: reader) == 5)
    #expect(fcntl(writer, F_GETFL) & O_NONBLOCK == 0)
  }

  @Test(arguments: [false, true])
  func `can be removed before a part of them was written`(isSocket: Bool) async {
    let (reader, writer) = ends(isSocket)
    let loop = EventLoop()
    let removed = await withCheckedContinuation { done in
      loop.submit {
        let output = LineOutput(writer, on: loop) { _ in }
        output.append(Self.longLine, for: "1")
        output.append(Self.longLine, for: "2")
        output.append(Array("last\n".utf8), for: nil)
        done.resume(returning: ["1", "2", "3"].map { output.remove($0) })
      }
    }
    #expect(removed == [false, true, false])
    #expect(read(Self.longLine.count + 5, from: reader) == Self.longLine.count + 5)
    #expect(!Polling.wait(for: reader, by: .now))
  }

  @Test func `of a pipe are unread to the byte`() {
    let output = LineOutput(pipeWriter, on: .shared) { _ in }
    #expect(output.unread == (0, false))
    output.append(Array("first\n".utf8), for: "1")
    output.append(Array("second\n".utf8), for: "2")
    #expect(output.unread == (13, false))
    #expect(read(8, from: pipeReader) == 8)
    #expect(output.unread == (5, false))
    close(pipeReader)
    #expect(output.unread == (5, false))
  }

  @Test func `of a socket are unread at their end, also when it was closed`() {
    var isOpen = true
    let output = LineOutput(writer, on: .shared) { isOpen = $0 }
    #expect(output.unread == (0, false))
    output.append(Array("first\n".utf8), for: "1")
    output.append(Array("second\n".utf8), for: "2")
    #expect(read(8, from: reader) == 8)
    #expect(output.unread == (0, true))
    #expect(read(5, from: reader) == 5)
    #expect(output.unread == (0, false) && isOpen)
    output.append(Array("third\n".utf8), for: "3")
    close(reader)
    #expect(output.unread == (0, true))
    output.append(Array("fourth\n".utf8), for: "4")
    #expect(output.unread == (7, true) && !isOpen)
  }

  /// The kernel reports it once, to the one that reads.
  @Test func `of a socket are unread when a read from it reports that it was closed`() {
    let output = LineOutput(writer, on: .shared) { _ in }
    output.append(Array("first\n".utf8), for: "1")
    close(reader)
    var byte: UInt8 = 0
    #expect(Glibc.read(writer, &byte, 1) == -1 && errno == ECONNRESET)
    output.noteReset(of: pipeReader)
    #expect(output.unread == (0, false))
    output.noteReset(of: writer)
    #expect(output.unread == (0, true))
  }
}
