// SPDX-License-Identifier: Apache-2.0
import Systemd
import TestSupport
import Testing

@Suite struct `A buffer of lines` {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func `returns lines that arrive in parts, and the last one at the end`() {
    var buffer = LineBuffer()
    var lines: [LineBuffer.Line] = []
    for part in ["a", "b\n", "\nc", "d\ne\nf", "g"] {
      buffer.append(bytes(part))
      while let line = buffer.next() { lines.append(line) }
    }
    #expect(buffer.count == 2)
    #expect(lines == ["ab", "", "cd", "e"].map { .line(bytes($0)) })
    #expect(buffer.next(atEnd: true) == .line(bytes("fg")))
    #expect(buffer.next(atEnd: true) == nil && buffer.count == 0)
  }

  @Test func `returns lines that follow others between two parts`() {
    var buffer = LineBuffer()
    buffer.append(bytes("a\nb\nc"))
    #expect(buffer.next() == .line(bytes("a")))
    buffer.append(bytes("d\n"))
    #expect(buffer.count == 5)
    #expect(buffer.next() == .line(bytes("b")))
    #expect(buffer.next() == .line(bytes("cd")))
    #expect(buffer.next() == nil)
  }

  @Test func `drops a line that is too long, and returns the next one`() {
    var buffer = LineBuffer()
    buffer.append(bytes("a\n"))
    buffer.append([UInt8](repeating: UInt8(ascii: "x"), count: LineBuffer.longestLine + 1))
    #expect(buffer.next() == .line(bytes("a")))
    #expect(buffer.next() == .tooLong)
    buffer.append(bytes("rest"))
    #expect(buffer.next() == nil)
    buffer.append(bytes("\nb\n"))
    #expect(buffer.next() == .line(bytes("b")))
  }

  /// The bytes behind a line were moved for each line, which took minutes here.
  @Test(.computes) func `returns a million empty lines`() {
    var buffer = LineBuffer()
    buffer.append(repeatElement(UInt8(ascii: "\n"), count: 1 << 20))
    var count = 0
    while buffer.next() == .line([]) { count += 1 }
    #expect(count == 1 << 20)
  }
}
