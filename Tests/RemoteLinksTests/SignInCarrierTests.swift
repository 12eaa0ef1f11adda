// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import BusInterfaces
import Logging
import DBus
import RemoteProtocol
import Testing

@testable import RemoteLinks

/// The command and the clients that carry the answers of sign-ins, without sockets.
@BrokerActor
@Suite struct `The carrier of the answer of a sign-in` {
  private let machine: RemoteMachine
  private let answer: CarriedRequest

  init() throws {
    machine = try #require(RemoteMachine(container: "work"))
    answer = try #require(CarriedRequest(host: .name, port: 8_085, target: "/cb?state=a"))
  }

  private func signIn(by carrier: any SignInCarrier) -> SignIn {
    SignIn(
      ExpectedRedirect(site: "https://a.example", host: .name, port: 8_085, path: "/cb", state: "a"),
      requestID: "one", of: machine, log: Logger(label: "test"), by: carrier, released: { _ in })
  }

  private var result: OpenResult {
    OpenResult(Receipt(requestID: "one", deliveries: []), waitingFor: .delivered, by: .broker)
  }

  @Test func `numbers the answers for the command, and passes on its reports`() async {
    let (lines, line) = AsyncStream<RelayLine>.makeStream()
    let command = CommandCarrier { line.yield($0) }
    let signIns = [signIn(by: command), signIn(by: command), signIn(by: command)]
    for signIn in signIns { signIn.apply(.request(.success(answer))) }
    command.receive(.failed(1))
    // It has its outcome.
    command.receive(.carried(1, status: 200))
    #expect(signIns.map(\.isActive) == [false, true, true])
    command.receive(.carried(3, status: 204))
    #expect(signIns.map(\.isActive) == [false, true, false])
    signIns[1].apply(.finish(.stopped))
    // It is forgotten.
    command.receive(.carried(2, status: 200))
    line.finish()
    var sent: [RelayLine] = []
    for await line in lines { sent.append(line) }
    #expect(sent == [.carry(1, answer), .carry(2, answer), .carry(3, answer)])
  }

  @Test func `sends a client the answer after the result, and lets it go when the answer is carried`() {
    var messages: [RemoteMessage] = []
    let client = ClientCarrier(of: machine) { messages.append($0) }
    let signIn = signIn(by: client)
    client.expect(signIn, for: "one")
    signIn.apply(.request(.success(answer)))
    #expect(messages.isEmpty)
    client.send(result, of: "one")
    #expect(messages.map(\.kind) == [.result, .carry])
    #expect(messages.first?["stay"] == "\(RelayLimits.stay.components.seconds)")
    #expect(messages.last.flatMap(CarriedRequest.init) == answer)
    client.receive(RemoteMessage(.carried, ["id": "two", "status": "200"]))
    #expect(signIn.isActive)
    client.receive(RemoteMessage(.carried, ["id": "one", "status": "200"]))
    #expect(!signIn.isActive)
    #expect(messages.map(\.kind) == [.result, .carry, .ended] && messages.last?["id"] == "one")
  }

  @Test func `sends a client that stays the answer at once`() {
    var messages: [RemoteMessage] = []
    let client = ClientCarrier(of: machine) { messages.append($0) }
    let signIn = signIn(by: client)
    client.expect(signIn, for: "one")
    client.send(result, of: "one")
    #expect(messages.map(\.kind) == [.result])
    signIn.apply(.request(.success(answer)))
    #expect(messages.map(\.kind) == [.result, .carry])
    // The status is that of no response.
    client.receive(RemoteMessage(.carried, ["id": "one", "status": "7"]))
    #expect(!signIn.isActive)
  }

  @Test func `lets a client exit whose sign-in has ended before the result`() {
    var messages: [RemoteMessage] = []
    let client = ClientCarrier(of: machine) { messages.append($0) }
    let signIn = signIn(by: client)
    client.expect(signIn, for: "one")
    signIn.apply(.finish(.cancelled))
    client.send(result, of: "one")
    #expect(messages.map(\.kind) == [.result] && messages.first?["stay"] == nil)
  }

  @Test func `carries nothing for a client that has disconnected, whose sign-in waits for the browser`() {
    var messages: [RemoteMessage] = []
    let client = ClientCarrier(of: machine) { messages.append($0) }
    let signIn = signIn(by: client)
    client.expect(signIn, for: "one")
    client.send(result, of: "one")
    client.disconnect()
    #expect(signIn.isActive && signIn.isAbandoned && !client.isConnected)
    signIn.apply(.request(.success(answer)))
    #expect(!signIn.isActive && !messages.contains { $0.kind == .carry })
  }

  @Test func `needs a client that can carry it, unless the command does`() throws {
    let request = { (accepts: String?) in
      try RemoteRequest(
        RemoteMessage(.open, ["id": "one", "url": "https://a.example/", "accepts": accepts]), from: machine)
    }
    let client = ClientCarrier(of: machine) { _ in }
    let command = CommandCarrier { _ in }
    #expect(client.obstacle(to: try request(nil), at: 8_085)?.brokerError == .denied)
    #expect(client.obstacle(to: try request("carry"), at: 8_085) == nil)
    #expect(command.obstacle(to: try request(nil), at: 8_085) == nil)
  }

  /// The broker stores the reason, and logs it.
  @Test(arguments: ["one", "register-1"])
  func `gives a reason without the link if it cannot carry`(id: String) throws {
    let request = try RemoteRequest(
      RemoteMessage(.open, ["id": id, "url": "https://a.example/?state=secret"]), from: machine)
    let obstacle = ClientCarrier(of: machine) { _ in }.obstacle(to: request, at: 8_085)
    let message = try #require(obstacle).message
    #expect(!message.contains("a.example") && !message.contains("secret"), "\(message)")
  }
}
