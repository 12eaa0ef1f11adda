// SPDX-License-Identifier: Apache-2.0
import CTestSupport
import Glibc

/// The read end of a child's output, which collects the bytes and yields complete lines.
struct PipeReader {
  /// A pipe whose ends are close-on-exec, the read end non-blocking.
  struct Pipe {
    let readEnd: Int32
    let writeEnd: Int32

    init?() {
      var ends: [Int32] = [-1, -1]
      guard ctest_pipe(&ends) == 0 else { return nil }
      (readEnd, writeEnd) = (ends[0], ends[1])
    }
  }

  /// The descriptor, or -1 after the end of the file.
  private(set) var descriptor: Int32
  /// All bytes that were read.
  private(set) var bytes: [UInt8] = []
  private let lines: AsyncStream<String>.Continuation?
  private var lineStart = 0
  private var searched = 0

  init(descriptor: Int32, lines: AsyncStream<String>.Continuation? = nil) {
    self.descriptor = descriptor
    self.lines = lines
  }

  /// Reads the available bytes.
  mutating func read() {
    while descriptor >= 0 {
      let count = withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 1) { buffer in
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count > 0 { bytes.append(contentsOf: buffer[..<count]) }
        return count
      }
      if count == 0 { closeDescriptor() }
      if count < 0, errno != EINTR { break }
    }
    yieldLines()
  }

  /// Reads the remaining bytes, yields an incomplete last line, and closes the descriptor.
  mutating func finish() {
    read()
    if lineStart < bytes.count { lines?.yield(String(decoding: bytes[lineStart...], as: UTF8.self)) }
    closeDescriptor()
  }

  private mutating func yieldLines() {
    guard let lines else { return }
    while let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
      lines.yield(String(decoding: bytes[lineStart..<end], as: UTF8.self))
      lineStart = end + 1
      searched = lineStart
    }
    searched = bytes.count
  }

  private mutating func closeDescriptor() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }
}
