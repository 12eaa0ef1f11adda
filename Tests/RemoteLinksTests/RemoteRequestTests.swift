// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import RemoteProtocol
import Testing

@testable import RemoteLinks

@Suite struct `A request of a remote client` {
  private func request(_ fields: KeyValuePairs<String, String?>, from name: String = "build") throws
    -> RemoteRequest
  {
    try RemoteRequest(RemoteMessage(.open, fields), from: #require(RemoteMachine(name)))
  }

  @Test func `has the options of its client, and the machine of the relay`() throws {
    let read = try request([
      "id": "one", "url": "notes:1", "url": "notes:2", "wait": "handled", "timeout": "5000000", "hops": "2",
      "annotation": #"{"from": "ci"}"#, "target": "org.example.Notes", "launch": "false", "remote": "other",
      "session": "x", "source-application": "org.example.Chat", "later": "x", "universal-links-only": "true",
    ])
    #expect(read.urls == ["notes:1", "notes:2"] && read.id == "one")
    var options = OpenOptions()
    options.wait = .handled
    options.timeout = .seconds(5)
    options.hops = 3
    options.annotation = ["from": "ci"]
    options.target = "org.example.Notes"
    options.launch = false
    options.universalLinksOnly = true
    options.remote = "build"
    options.requestID = read.options.requestID
    #expect(read.options == options)
  }

  @Test func `has the same ID in every relay of its machine, and another one on other machines`() throws {
    let first = try request(["id": "one", "url": "notes:1"]).options.requestID
    #expect(try request(["id": "one", "url": "notes:2"]).options.requestID == first)
    #expect(try request(["id": "two", "url": "notes:1"]).options.requestID != first)
    #expect(try request(["id": "one", "url": "notes:1"], from: "other").options.requestID != first)
    #expect(first.map(RequestID.isValid) == true)
  }

  @Test(arguments: [
    [("url", "notes:1")], [("id", ""), ("url", "notes:1")], [("id", "a b"), ("url", "notes:1")],
    [("id", "a")],
    [("id", "a"), ("url", "n:1"), ("timeout", "soon")], [("id", "a"), ("url", "n:1"), ("launch", "yes")],
    [("id", "a"), ("url", "n:1"), ("annotation", "{")], [("id", "a"), ("url", "n:1"), ("wait", "for ever")],
    [("id", "a"), ("url", "n:1"), ("hops", "-1")],
  ])
  func `is rejected with a reason if it is invalid`(fields: [(String, String)]) throws {
    var message = RemoteMessage(.open)
    message.fields = fields.map { RemoteMessage.Field($0.0, $0.1) }
    let machine = try #require(RemoteMachine("build"))
    let error = #expect(throws: BusError.self) { try RemoteRequest(message, from: machine) }
    #expect(error?.brokerError == .invalidRequest)
  }

  @Test func `may have thirty URLs`() throws {
    var message = RemoteMessage(.open, ["id": "a"])
    message.fields += (0..<30).map { RemoteMessage.Field("url", "n:\($0)") }
    let machine = try #require(RemoteMachine("build"))
    #expect(try RemoteRequest(message, from: machine).urls.count == 30)
    message.fields.append(RemoteMessage.Field("url", "n:x"))
    #expect(throws: BusError.self) { try RemoteRequest(message, from: machine) }
  }

  @Test func `that signs in gives the user more time for the prompt, unless the client states a timeout`()
    throws
  {
    let url = "https://a.example/?client_id=c&state=s&redirect_uri=http://localhost:8085/"
    let read = try request(["id": "one", "url": url])
    #expect(read.signIn?.port == 8_085 && read.options.timeout == RelayLimits.userAnswer)
    // The broker opens these as well.
    #expect(try request(["id": "one", "url": url + " "]).signIn?.port == 8_085)
    let fallback = try request(["id": "one", "url": "notes:1", "fallback": url])
    #expect(fallback.signIn == nil && fallback.options.timeout == RelayLimits.userAnswer)
    let short = try request(["id": "one", "url": url, "timeout": "1000000"])
    #expect(short.signIn?.port == 8_085 && short.options.timeout == .seconds(1))
    for read in [
      try request(["id": "one", "url": url, "url": "notes:1"]), try request(["id": "one", "url": "notes:1"]),
      try request(["id": "one", "url": url.replacing("8085", with: "80")]),
    ] {
      #expect(read.signIn == nil && read.options.timeout == OpenOptions.defaultTimeout)
    }
  }
}
