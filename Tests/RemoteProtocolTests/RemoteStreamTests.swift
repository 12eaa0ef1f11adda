// SPDX-License-Identifier: Apache-2.0
import RemoteProtocol
import TestSupport
import Testing

@Suite struct `A stream of remote messages` {
  private let messages = [
    RemoteMessage(.ready, ["machine": "build.example.org"]),
    RemoteMessage(.open, ["id": "a1", "url": "notes://note/7?tab=edit", "url": "notes:ü", "target": nil]),
    RemoteMessage(.cancel, ["id": "a1"]),
    RemoteMessage(.result, ["id": "a1", "status": "0", "error": ""]),
  ]

  @Test func `is read as it was written, however it is cut`() throws {
    let bytes = RemoteStream.greeting + messages.flatMap { $0.bytes ?? [] }
    for size in 1...bytes.count {
      var (stream, read) = (RemoteStream(), [RemoteMessage]())
      for start in Swift.stride(from: 0, to: bytes.count, by: size) {
        stream.append(bytes[start..<min(start + size, bytes.count)])
        while let message = try stream.next() { read.append(message) }
      }
      #expect(read == messages && stream.isBetweenMessages)
    }
  }

  @Test func `has values that may repeat, and unknown kinds`() throws {
    #expect(messages[1].values(of: "url") == ["notes://note/7?tab=edit", "notes:ü"])
    #expect(messages[1]["target"] == nil)
    let later = try #require(RemoteMessage(content: Array("later\0a\0b\0".utf8)))
    #expect(later.kind == nil && later.kindName == "later" && later["a"] == "b")
  }

  @Test(arguments: ["", "open", "open\0a\0", "open\0\0b\0", "\0", "\0a\0b\0", "open\0a\0b"])
  func `rejects malformed content`(text: String) { #expect(RemoteMessage(content: Array(text.utf8)) == nil) }

  @Test func `rejects another protocol, another version, and messages that are too long`() throws {
    for text in ["GET / HTTP/1.1\r\n", "usher-remote-2\n", "SSH-2.0-OpenSSH\r\n", "\0"] {
      var stream = RemoteStream()
      stream.append(Array(text.utf8))
      #expect(throws: RemoteStream.Failure.foreign) { try stream.next() }
    }
    var stream = RemoteStream()
    stream.append(RemoteStream.greeting + [0, 0x10, 0, 1])
    #expect(throws: RemoteStream.Failure.tooLong) { try stream.next() }
    stream = RemoteStream()
    stream.append(RemoteStream.greeting + [0, 0, 0, 2, 0x61, 0xFF])
    #expect(throws: RemoteStream.Failure.malformed) { try stream.next() }
    #expect(RemoteMessage(.open, ["url": "a\0b"]).bytes == nil)
    #expect(RemoteMessage(.open, ["url": String(repeating: "a", count: RemoteMessage.limit)]).bytes == nil)
  }

  @Test func `of random bytes causes no trap`() {
    var random = SeededGenerator(seed: 32)
    for _ in 0..<2_000 {
      var stream = RemoteStream()
      if random.next() % 2 == 0 {
        stream.append(RemoteStream.greeting + [0, 0, 0, UInt8.random(in: 0...9, using: &random)])
      }
      stream.append(
        (0..<Int.random(in: 0..<40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
      while let message = try? stream.next() { _ = message.bytes }
    }
  }
}
