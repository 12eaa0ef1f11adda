// SPDX-License-Identifier: Apache-2.0
import RemoteProtocol
import Testing

@Suite struct `A line between a relay and its command` {
  @Test func `is read as it was written`() throws {
    for (host, authority) in [
      (LoopbackHost.ipv4, "127.0.0.1:8085"), (.ipv6, "[::1]:8085"), (.name, "localhost:8085"),
    ] {
      let request = try #require(CarriedRequest(host: host, port: 8_085, target: "/cb?code=a%20b&state=c"))
      #expect(request.authority == authority)
      #expect(RelayLine(RelayLine.carry(7, request).text) == .carry(7, request))
    }
    for line in [RelayLine.ready, .carried(.max, status: 200), .failed(0)] {
      #expect(RelayLine(line.text) == line)
    }
  }

  @Test(arguments: [
    "", "ready 1", "carry", "carry 1 localhost 8085", "carry 1 localhost 8085 cb", "carry 1 localhost 1023 /",
    "carry 1 localhost 65536 /", "carry 1 build.example 8085 /", "carry 1 127.0.0.2 8085 /",
    "carry x localhost 8085 /", "carry 1 localhost 8085 / x", "carry 1 localhost 8085 /\r\nX:y",
    "carry 1 localhost 8085 /é", "carried 1", "carried 1 99", "carried 1 1000", "carried -1 200", "failed",
    "failed 1 2", "other",
  ])
  func `is malformed`(text: String) { #expect(RelayLine(text) == nil) }

  @Test func `carries a short target in visible ASCII to a port that is no service's`() {
    #expect(CarriedRequest(host: .name, port: 80, target: "/") == nil)
    for target in ["", "x", "/ ", "/\n", "/\u{7F}", "/ü", "*", "http://a/"] {
      #expect(CarriedRequest(host: .name, port: 8_085, target: target) == nil)
    }
    let long = "/" + String(repeating: "a", count: CarriedRequest.longestTarget)
    #expect(CarriedRequest(host: .name, port: 8_085, target: long) == nil)
    #expect(CarriedRequest(host: .name, port: 8_085, target: String(long.dropLast())) != nil)
  }
}
