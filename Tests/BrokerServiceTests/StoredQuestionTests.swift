// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import Freedesktop
import Testing

@testable import BrokerService

@Suite struct `The stored question about a request` {
  private static let unit = "libpod-\(String(repeating: "a", count: 64)).scope"

  @Test(arguments: [
    nil, CallerContainer(scope: nil),
    CallerContainer(scope: ContainerScope(unit: unit), label: "box", program: "/usr/bin/chat"),
  ])
  func `has what the next broker cannot find out`(container: CallerContainer?) throws {
    var facts = ActiveRequest.SourceFacts()
    (facts.hops, facts.isByClick, facts.container) = (3, true, container)
    let read = try StoredQuestion(StoredQuestion(about: ["notes:1", "notes:2"], facts).text)
    #expect(read.urls == ["notes:1", "notes:2"] && read.hops == 3 && read.isByClick)
    #expect(read.container == container)
  }

  @Test func `is empty if its text is damaged`() throws {
    #expect(throws: MessageError.self) { try StoredQuestion("") }
    let read = try StoredQuestion("{\"urls\":1,\"hops\":-1,\"clicked\":\"yes\",\"container\":\"x\"}")
    #expect(read.urls.isEmpty && read.hops == nil && !read.isByClick && read.container?.scope == nil)
  }

  @Test func `is stored with all options of the caller`() throws {
    var options = OpenOptions()
    (options.target, options.annotation, options.prompt) = ("org.example.Notes", ["a": "b"], .leave)
    let source = SourceApplication(ApplicationID("org.example.Chat") ?? .usherHandler, .unit)
    let details = PersistedDetails(options: options, source: source, facts: .init(), isComplete: true)
    let read = try PersistedDetails(details.text)
    #expect(read.options == options && read.source == source)
  }
}
