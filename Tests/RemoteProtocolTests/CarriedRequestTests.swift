// SPDX-License-Identifier: Apache-2.0
import RemoteProtocol
import Testing

@Suite struct `A message with the answer of a sign-in` {
  @Test func `is read as it was written`() throws {
    for host in LoopbackHost.allCases {
      let request = try #require(CarriedRequest(host: host, port: 8_085, target: "/cb?code=a%20b&state=c"))
      let message = request.message(for: "one")
      #expect(message.kind == .carry && message["id"] == "one")
      #expect(CarriedRequest(message) == request)
    }
  }

  @Test(arguments: [
    ("host", "build.example"), ("host", "127.0.0.2"), ("port", "1023"), ("port", "65536"), ("port", "-1"),
    ("target", "cb"), ("target", "/ x"), ("target", "/\r\nX: y"), ("target", "/é"), ("host", nil),
    ("port", nil),
    ("target", nil),
  ])
  func `is malformed`(name: String, value: String?) throws {
    var message = try #require(CarriedRequest(host: .name, port: 8_085, target: "/")).message(for: "one")
    message.fields.removeAll { $0.name == name }
    if let value { message.fields.append(RemoteMessage.Field(name, value)) }
    #expect(CarriedRequest(message) == nil)
  }

  @Test func `is answered with the status of a response of HTTP/1.1 or HTTP/1.0`() {
    for (line, status) in [
      ("HTTP/1.1 200 OK\r", 200), ("HTTP/1.0 404", 404), ("HTTP/1.1  302 Found", 302),
      ("HTTP/1.1 999 \r", 999),
    ] {
      #expect(CarriedRequest.status(inLine: line.utf8) == status, "\(line)")
    }
    for line in [
      "", "HTTP/1.1", "HTTP/2 200", "SSH-2.0-x 200", "HTTP/1.1 20", "HTTP/1.1 2000", "HTTP/1.1 +20",
      "HTTP/1.1 099",
    ] {
      #expect(CarriedRequest.status(inLine: line.utf8) == nil, "\(line)")
    }
  }
}
