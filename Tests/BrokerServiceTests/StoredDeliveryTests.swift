// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import RouteTables
import Testing

@testable import BrokerService

@Suite struct `A stored delivery` {
  @Test func `has the URLs of the caller, its sandbox, and the envelope that the application gets`() throws {
    var envelope = Envelope(requestID: "1", urls: ["mimic:1"], others: ["org.example.x": .string("y")])
    envelope.sourceApplication = "org.example.Boxed.Part"
    let sandbox = ApplicationID("org.example.Boxed")
    let stored = StoredDelivery(envelope, requested: ["mimic:go/1"], sandbox: sandbox)
    let read = try StoredDelivery(stored.text)
    #expect(read.envelope == envelope && read.sandbox == sandbox)
    #expect(read.requestedURLs.map(\.text) == ["mimic:go/1"])
  }

  @Test func `is the envelope alone where no route rewrote a URL, as an earlier broker stored it`() throws {
    let envelope = Envelope(requestID: "1", urls: ["mimic:1"])
    let stored = StoredDelivery(envelope, requested: ["mimic:1"], sandbox: nil)
    #expect(stored.text == envelope.json)
    let read = try StoredDelivery(envelope.json)
    #expect(read.requestedURLs.map(\.text) == ["mimic:1"] && read.urls(besides: []).isEmpty)
  }

  @Test func `takes neither URLs nor a sandbox from an option of the caller`() throws {
    let envelope = Envelope(
      requestID: "1", urls: ["mimic:1"],
      others: ["org.usher.requested": .strings(["mimic:2"]), "org.usher.sandbox": .string("org.example.A")])
    let read = try StoredDelivery(StoredDelivery(envelope, requested: ["mimic:1"], sandbox: nil).text)
    #expect(read.requestedURLs.map(\.text) == ["mimic:1"] && read.sandbox == nil)
  }

  @Test func `has the program that a route runs, and recognizes it by its arguments`() throws {
    let envelope = Envelope(
      requestID: "1", urls: ["tube:1"], others: ["org.usher.command": .strings(["evil", "/bin/evil"])])
    let command = RouteCommand(["/bin/player", "tube:1"], route: "video")
    let read = try StoredDelivery(
      StoredDelivery(envelope, requested: ["tube:1"], sandbox: nil, command: command).text)
    #expect(read.command == command && read.runs(command))
    #expect(read.runs(RouteCommand(command.arguments, route: "renamed")))
    #expect(!read.runs(RouteCommand(["/bin/player", "tube:2"], route: "video")))
    #expect(!read.runs(RouteCommand(["/bin/player"], route: "video")))
    let other = try StoredDelivery(StoredDelivery(envelope, requested: ["tube:1"], sandbox: nil).text)
    #expect(other.command == nil && !other.runs(command))
  }

  @Test func `has URLs that are decided by themselves only if the rules do not make them any more`() throws {
    func link(_ requested: String, _ url: String) throws -> RequestGroup.Link {
      RequestGroup.Link(requested: try URLString(requested), url: try URLString(url), hasSecret: false)
    }
    let envelope = Envelope(requestID: "1", urls: ["mimic:1", "mimic:2", "mimic:3", "mimic:4"])
    let stored = StoredDelivery(
      envelope, requested: ["mimic:go/1", "mimic:go/2", "mimic:go/3", "mimic:4"], sandbox: nil)
    let links = [try link("mimic:go/1", "mimic:1"), try link("mimic:go/2", "mimic:3")]
    #expect(stored.urls(besides: links).map(\.text) == ["mimic:2", "mimic:3"])
    // A damaged store has fewer URLs of the caller.
    let damaged = StoredDelivery(envelope, requested: ["mimic:go/1"], sandbox: nil)
    #expect(damaged.urls(besides: links).map(\.text) == ["mimic:2", "mimic:3", "mimic:4"])
  }

  @Test func `shows no path of which a part was secret before a rewrite`() throws {
    let envelope = Envelope(requestID: "1", urls: ["mimic:open/s3cr3t", "mimic:2"])
    let stored = StoredDelivery(envelope, requested: ["mimic:reset/s3cr3t", "mimic:2"], sandbox: nil)
    let links = stored.links { $0.text.contains("reset") }
    #expect(links.map(\.redacted) == ["mimic:…", "mimic:2"])
  }
}

@Suite struct `Stored details of a request with a fallback` {
  @Test func `have the sandbox of the caller`() throws {
    var options = OpenOptions()
    options.fallback = "mimic:2"
    let part = try #require(ApplicationID("org.example.Boxed.Part"))
    let sandbox = try #require(ApplicationID("org.example.Boxed"))
    let details = PersistedDetails(
      options: options, source: SourceApplication(part, .sandbox),
      facts: ActiveRequest.SourceFacts(sandbox: SourceApplication(sandbox, .sandbox)))
    let read = try PersistedDetails(details.text)
    #expect(read.sandbox == sandbox && read.source.id == part && read.options.fallback == "mimic:2")
  }

  @Test func `have the session of the caller, and not what it sent besides`() throws {
    var options = OpenOptions()
    options.session = ["DISPLAY": ":7", "PATH": "/evil"]
    let session = CallerSession(["DISPLAY": ":7"])
    for fallback in [nil, "mimic:2"] {
      options.fallback = fallback
      let details = PersistedDetails(
        options: options, source: .unknown, facts: ActiveRequest.SourceFacts(session: session))
      #expect(!details.text.contains("/evil"))
      #expect(try PersistedDetails(details.text).session == session)
    }
  }
}

@Suite struct `A stored source application` {
  private static let sources: [SourceApplication] = {
    let id = ApplicationID.usherHandler
    let machine = RemoteMachine("laptop").map(SourceApplication.remote)
    return BrokerCore.Assurance.allCases.map { SourceApplication(id, $0) } + [
      SourceApplication(id, .unit).sandboxed, .hidden(by: id), .hidden(by: id).sandboxed, .unknown, .unseen,
    ] + [machine].compactMap(\.self)
  }()

  @Test(arguments: sources) func `is the same in the details and in the envelope`(source: SourceApplication)
    throws
  {
    let details = PersistedDetails(options: OpenOptions(), source: source, facts: .init(), isComplete: true)
    #expect(try PersistedDetails(details.text).source == source)
    let url = try URLString("mimic:1")
    let group = RequestGroup(
      links: [RequestGroup.Link(requested: url, url: url, hasSecret: false)],
      verdict: .refuse(.noUniversalLink))
    let envelope = Envelope(
      requestID: "1", group, of: OpenRequest(urls: [url], source: source), OpenOptions())
    let stored = StoredDelivery(envelope, requested: [url.text], sandbox: nil)
    #expect(try StoredDelivery(stored.text).source == source)
  }

  @Test func `has no application and no intermediary if it names a machine`() {
    let id = ApplicationID.usherHandler.rawValue
    let machine = SourceApplication(
      id: id, assurance: "unit", via: id, machine: "laptop", isSandboxed: false)
    #expect(machine.machine != nil && machine.id == nil && machine.via == nil && machine.mayBeSandboxed)
    let hidden = SourceApplication(id: id, assurance: "?", via: id, machine: "", isSandboxed: false)
    #expect(hidden == .hidden(by: .usherHandler))
  }
}
