// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Testing
@testable import Triggers

@Suite struct TransferAttemptTests {
  private static let whole = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nETag: \"a\"\r\n\r\n"
  private static func rest(_ range: String = "400-999/1000", _ fields: String = "ETag: \"a\"") -> String {
    "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes \(range)\r\nContent-Length: 600\r\n\(fields)\r\n\r\n"
  }

  private static func part(_ count: Int64, total: Int64? = 1_000, _ validator: String? = "\"a\"")
    -> PartialFile
  {
    var part = PartialFile()
    part.count = count
    part.total = total
    part.validator = validator
    return part
  }

  /// Returns the verdict in a word, and the count of the part.
  private static func verdict(
    _ end: TransferAttempt.End, _ dump: String, size: Int64, limit: Int64? = nil,
    after start: PartialFile = PartialFile()
  ) -> String {
    let attempt = TransferAttempt(start: start, end: end, dump: Array(dump.utf8), size: size, limit: limit)
    return switch attempt.verdict {
    case .whole(let part): "whole \(part.count)"
    case .proceed(let part, let failure): "proceed \(part.count) \(failure.kind.rawValue)"
    case .restart: "restart"
    case .fail(let failure): "fail \(failure.kind.rawValue)"
    }
  }

  @Test func `A first attempt`() {
    #expect(Self.verdict(.exited(0), Self.whole, size: 1_000) == "whole 1000")
    // A file has the stated length, however curl has ended.
    #expect(Self.verdict(.signalled(9), Self.whole, size: 1_000) == "whole 1000")
    #expect(Self.verdict(.exited(0), Self.whole, size: 400) == "proceed 400 connection")
    #expect(Self.verdict(.exited(18), Self.whole, size: 400) == "proceed 400 connection")
    #expect(Self.verdict(.unknown, Self.whole, size: 400) == "proceed 400 connection")
    #expect(Self.verdict(.exited(23), Self.whole, size: 400) == "proceed 400 disk")
    #expect(Self.verdict(.exited(0), Self.whole, size: 1_001) == "restart")
    // Without a validator, what was received cannot be continued.
    let bare = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
    #expect(Self.verdict(.exited(18), bare, size: 400) == "restart")
    #expect(Self.verdict(.exited(0), bare, size: 1_000) == "whole 1000")
    // Without a length, the end of the response counts.
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nETag: \"a\"\r\n\r\n"
    #expect(Self.verdict(.exited(0), chunked, size: 7) == "whole 7")
    #expect(Self.verdict(.exited(18), chunked, size: 7) == "proceed 7 connection")
    #expect(Self.verdict(.unknown, chunked, size: 7) == "proceed 7 connection")
    // No header, no bytes.
    #expect(Self.verdict(.exited(6), "", size: 0) == "proceed 0 connection")
    #expect(Self.verdict(.signalled(9), "HTTP/1.1 200 OK\r\nContent-Le", size: 5) == "proceed 0 connection")
    #expect(Self.verdict(.exited(0), Self.rest("0-999/1000"), size: 1_000) == "fail rejected")
  }

  @Test func `A further attempt counts only for the same version`() {
    let start = Self.part(400)
    func further(_ dump: String, _ end: TransferAttempt.End = .exited(18), size: Int64 = 700) -> String {
      Self.verdict(end, dump, size: size, after: start)
    }
    #expect(further(Self.rest()) == "proceed 700 connection")
    #expect(further(Self.rest(), .exited(0), size: 1_000) == "whole 1000")
    #expect(further(Self.rest("400-999/*")) == "proceed 700 connection")
    #expect(further(Self.rest("400-999/1000", "ETag: \"b\"")) == "restart")
    #expect(further(Self.rest("400-999/1000", "ETag: W/\"a\"")) == "restart")
    #expect(further(Self.rest("400-999/1000", "Server: x")) == "restart")
    #expect(further(Self.rest("400-999/1001")) == "restart")
    #expect(further(Self.rest("300-999/1000")) == "restart")
    #expect(further(Self.rest("bytes")) == "restart")
    #expect(further(Self.whole, .exited(33), size: 400) == "restart")
    // curl takes a response for a whole file if its length is that of the part.
    #expect(
      further("HTTP/1.1 200 OK\r\nContent-Length: 400\r\nETag: \"b\"\r\n\r\n", .exited(0), size: 400)
        == "restart")
    // curl reports no error for this status.
    #expect(further("HTTP/1.1 416 Range Not Satisfiable\r\n\r\n", .exited(0), size: 400) == "restart")
    #expect(
      further("HTTP/1.1 503 Busy\r\nRetry-After: 9\r\n\r\n", .exited(22), size: 400) == "proceed 400 rejected"
    )
    #expect(further("", .exited(7), size: 400) == "proceed 400 connection")
    // Bytes without a header are cut off.
    #expect(further("", .signalled(9), size: 500) == "proceed 400 connection")
    let dated = Self.part(400, total: 1_000, "Sun, 06 Nov 1994 08:49:37 GMT")
    let date = "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"
    #expect(
      Self.verdict(.exited(0), Self.rest("400-999/1000", date), size: 1_000, after: dated) == "whole 1000")
    let other = "Last-Modified: Sun, 06 Nov 1994 08:49:38 GMT"
    #expect(
      Self.verdict(.exited(0), Self.rest("400-999/1000", other), size: 1_000, after: dated) == "restart")
  }

  @Test func `A failure that no attempt repairs`() {
    let redirect = "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n"
    #expect(Self.verdict(.exited(1), redirect, size: 0) == "fail redirect")
    #expect(Self.verdict(.exited(47), redirect, size: 0) == "fail redirect")
    #expect(Self.verdict(.exited(0), redirect, size: 0) == "fail rejected")
    #expect(Self.verdict(.exited(7), redirect, size: 0) == "proceed 0 connection")
    #expect(Self.verdict(.exited(0), redirect + Self.whole, size: 1_000) == "whole 1000")
    #expect(Self.verdict(.exited(60), "", size: 0) == "fail certificate")
    #expect(Self.verdict(.exited(60), "", size: 400, after: Self.part(400)) == "proceed 400 certificate")
    for status in [400, 401, 403, 404, 407, 410, 204, 304] {
      #expect(Self.verdict(.exited(22), "HTTP/2 \(status) \r\n\r\n", size: 0) == "fail rejected", "\(status)")
    }
    for status in [408, 425, 429, 500, 503] {
      #expect(
        Self.verdict(.exited(22), "HTTP/2 \(status) \r\n\r\n", size: 0) == "proceed 0 rejected", "\(status)")
    }
    #expect(Self.verdict(.signalled(25), Self.whole, size: 100, limit: 100) == "fail too-large")
    #expect(Self.verdict(.exited(63), Self.whole, size: 0, limit: 100) == "fail too-large")
    #expect(Self.verdict(.running, Self.whole, size: 0, limit: 100) == "fail too-large")
    #expect(Self.verdict(.running, "", size: 101, limit: 100) == "fail too-large")
  }

  @Test func `A validator is strong`() {
    func validator(_ fields: String) -> String? {
      ResponseHead(dump: Array("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n".utf8))?.validator
    }
    #expect(validator("ETag: \"a b\"") == "\"a b\"")
    #expect(validator("ETag: W/\"a\"") == nil)
    #expect(validator("ETag: \"a\"\r\nETag: \"b\"") == nil)
    #expect(validator("ETag: \"ä\"") == nil)
    let date = "Date: Sun, 06 Nov 1994 08:50:37 GMT\r\nLast-Modified: Sun, 06 Nov 1994 08:49:"
    #expect(validator(date + "37 GMT") == "Sun, 06 Nov 1994 08:49:37 GMT")
    // It may have changed again within the minute.
    #expect(validator(date + "38 GMT") == nil)
    #expect(validator("Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT") == nil)
  }

  @Test func `Dumps that are no responses`() {
    for dump in [
      "", "\n", "HTTP/", "HTTP/1.1\r\n\r\n", "HTTP/1.1 99999999999999999999 x\r\n\r\n", "x\r\n\r\n",
      "HTTP/1.1 100 Continue\r\n\r\n",
    ] {
      #expect(ResponseHead(dump: Array(dump.utf8)) == nil, "\(dump)")
    }
    #expect(ResponseHead(dump: [UInt8](repeating: 0xFF, count: 99)) == nil)
    let head = ResponseHead(
      dump: Array("HTTP/1.1 200 OK\nContent-Length: 99999999999999999999\n\nTrailer: x\n".utf8))
    #expect(head?.status == 200 && head?.total == nil)
  }

  @Test func `Delays grow to ten minutes`() {
    #expect(
      (0...12).map { TransferAttempt.delay(after: $0, requested: nil) } == [
        1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600,
      ])
    #expect(TransferAttempt.delay(after: 0, requested: 30) == 30)
    #expect(TransferAttempt.delay(after: .max, requested: .max) == 3_600)
  }
}

@Suite struct DownloadRequestTests {
  @Test(arguments: [
    "https://example.org", "HTTP://example.org/a?b#c", "http://[::1]:80/", "https://example.org/a@b",
  ])
  func `A URL that can be fetched`(_ text: String) { #expect(DownloadURL(text) != nil) }

  @Test(arguments: [
    "", "ftp://example.org/", "file:///etc/passwd", "https:example.org", "https:///a",
    "https://user@example.org/",
    "https://user:secret@example.org/", "https://example.org/ä", "https://example.org/a b",
    "https://example.org/\"",
    "https://example.org/\\", "https://example.org/\n--output x", "-K https://example.org", "https://:80/",
  ])
  func `A URL that cannot`(_ text: String) { #expect(DownloadURL(text) == nil) }

  @Test func `The name of a file is safe`() {
    let names = [
      "https://a/b/map.zip?x=/y": "map.zip", "https://a": "download", "https://a/": "download",
      "https://a/..": "download", "https://a/%2e%2e%2fb": "b", "https://a/b%2Fc": "bc",
      "https://a/%00b%0a": "b",
      "https://a/.bashrc": "bashrc", "https://a/-rf": "rf", "https://a/%C3%A4%FF": "ä",
      "https://a/.%CC%81bashrc": "bashrc", "https://a/-%CC%81rf": "rf", "https://a/%CC%81.%CC%81": "download",
    ]
    for (url, name) in names { #expect(DownloadURL(url)?.fileName == name, "\(url)") }
    #expect((DownloadURL("https://a/" + String(repeating: "x", count: 900))?.fileName.utf8.count ?? 0) <= 240)
  }

  private static func read(_ json: String) -> String {
    do throws(MessageError) {
      return try DownloadRequest(PropertyList(json: json)).propertyList.json
    } catch { return error.path }
  }

  @Test func `A request is read, and an error names the key`() {
    let request =
      #"{"file":"/a/b","headers":{"Authorization":"Bearer x"},"identifier":"i","max-size":9,"replace":true,"session-identifier":"s","sha256":"\#(String(repeating: "ab", count: 32))","url":"https://a/b"}"#
    #expect(Self.read(request) == request)
    let wrong = [
      #"{"url":"https://a","file":"a"}"#: "file", #"{"url":"https://a","file":"/a/../b"}"#: "file",
      #"{"url":"https://a","file":"/a/../\u0301b"}"#: "file",
      #"{"url":"https://a","file":"/a/"}"#: "file", #"{"url":"https://a","sha256":"ab"}"#: "sha256",
      #"{"url":"https://a","max-size":0}"#: "max-size", #"{"url":"ftp://a"}"#: "url", "{}": "url",
      #"{"url":"https://a","headers":{"Range":"bytes=0-"}}"#: "headers",
      #"{"url":"https://a","headers":{"A":"b\r\nc"}}"#: "headers",
      #"{"url":"https://a","headers":{"A b":"c"}}"#: "headers",
      #"{"url":"https://a","identifier":""}"#: "identifier",
    ]
    for (json, path) in wrong { #expect(Self.read(json) == path, "\(json)") }
  }

  @Test func `The configuration of curl cannot be escaped`() throws {
    let url = try #require(DownloadURL("https://example.org/a?b"))
    var request = DownloadRequest(url: url)
    request.headers = ["X-Quote": "a\"\\ url = x"]
    var part = PartialFile()
    part.count = 7
    part.validator = "\"tag\""
    let lines = CurlConfiguration(request: request, part: part).text.split(separator: "\n")
    #expect(lines.contains(#"header = "X-Quote: a\"\\ url = x""#))
    #expect(lines.contains(#"header = "If-Range: \"tag\"""#) && lines.contains("continue-at = 7"))
    #expect(lines.last == #"url = "https://example.org/a?b""#)
    // From https, no redirect to http is followed.
    #expect(lines.contains(#"proto-redir = "=https""#))
    // Without a validator, nothing is continued.
    part.validator = nil
    #expect(!CurlConfiguration(request: request, part: part).text.contains("continue-at"))
  }
}
