// SPDX-License-Identifier: Apache-2.0
import FileOutput
import Foundation
import Testing

@Suite struct `Bytes for a pipe` {
  @Test func `are written completely although the pipe is full and does not block`() throws {
    let pipe = Pipe()
    let output = pipe.fileHandleForWriting
    #expect(fcntl(output.fileDescriptor, F_SETFL, O_NONBLOCK) == 0)
    let bytes = [UInt8](repeating: 7, count: 1 << 20)
    let reader = pipe.fileHandleForReading
    Thread.detachNewThread {
      #expect(bytes.writeAll(to: output.fileDescriptor) == nil)
      try? output.close()
    }
    #expect(try reader.readToEnd()?.count == bytes.count)
  }
}
