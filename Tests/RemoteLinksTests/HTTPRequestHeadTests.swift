// SPDX-License-Identifier: Apache-2.0
import RemoteProtocol
import TestSupport
import Testing

@testable import RemoteLinks

@Suite struct `The head of an HTTP request` {
  private func read(_ text: String) throws -> HTTPRequestHead? { try HTTPRequestHead.read(Array(text.utf8)) }

  @Test func `is read at any cut, and nothing after it`() throws {
    let text =
      "GET /cb?code=a&state=b HTTP/1.1\r\nHost: localhost:8085\r\nX-Empty:\r\nCookie:\t a=b; c \r\n\r\n"
    for length in 0..<text.utf8.count {
      #expect(try HTTPRequestHead.read(Array(text.utf8.prefix(length))) == nil)
    }
    let head = try #require(try read(text + "GET /second HTTP/1.1\r\n\r\n"))
    #expect(head.method == "GET" && head.target == "/cb?code=a&state=b")
    #expect(
      head.fields == [
        .init(name: "host", value: "localhost:8085"), .init(name: "x-empty", value: ""),
        .init(name: "cookie", value: "a=b; c"),
      ])
    #expect(try #require(try read("OPTIONS * HTTP/1.1\r\n\r\n")).fields.isEmpty)
  }

  @Test(arguments: [
    "GET / HTTP/0.9\r\n\r\n", "GET / HTTP/2\r\n\r\n", "GET /\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n",
    " GET / HTTP/1.1\r\n\r\n", "GET /a b HTTP/1.1\r\n\r\n", "GET /\t HTTP/1.1\r\n\r\n", "\r\n\r\n",
    "GET /é HTTP/1.1\r\n\r\n", "G\u{0}T / HTTP/1.1\r\n\r\n", "G@T / HTTP/1.1\r\n\r\n",
    // Other line ends, folded fields, blanks before the colon, control characters.
    "GET / HTTP/1.1\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
    "GET / HTTP/1.1\r\n: a\r\n\r\n", "GET / HTTP/1.1\r\nHost\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\u{0}b\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\u{7F}\r\n\r\n",
  ])
  func `is malformed`(text: String) throws {
    #expect(throws: HTTPRequestHead.Failure.malformed) { try read(text) }
  }

  @Test func `is limited in its length and in the number of its fields`() throws {
    // The target of each request can be carried. The fuzzer has the parser alone, so that the number is in both places.
    #expect(HTTPRequestHead.limit <= CarriedRequest.longestTarget)
    let long = String(repeating: "a", count: HTTPRequestHead.limit)
    for text in [
      long + "aaaa", "GET /\(long) HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nCookie: \(long)\r\n\r\n",
      "GET / HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: HTTPRequestHead.maximumFields + 1) + "\r\n",
    ] {
      #expect(throws: HTTPRequestHead.Failure.tooLong) { try read(text) }
    }
    let fitting =
      "GET / HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: HTTPRequestHead.maximumFields) + "\r\n"
    #expect(try #require(try read(fitting)).fields.count == HTTPRequestHead.maximumFields)
  }

  @Test func `of random bytes causes no trap`() {
    let parts = [
      "GET", " ", "/", "HTTP/1.1", "\r", "\n", "\r\n", "\r\n\r\n", "Host", ":", "\t", "é", "\u{0}",
    ]
    var random = SeededGenerator(seed: 9_112)
    for _ in 0..<5_000 {
      let text = (0..<Int.random(in: 0..<16, using: &random)).map { _ in
        parts[Int.random(in: parts.indices, using: &random)]
      }.joined()
      _ = try? HTTPRequestHead.read(Array(text.utf8))
    }
  }
}
