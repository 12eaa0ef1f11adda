// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import Launching
import Testing

@Suite struct `The envelope of a request` {
  @Test(arguments: [
    ("https://shop.example/reset?token=secret#mark", "https://shop.example"),
    ("https://ada:secret@Example.org:443/", "https://example.org"),
    ("https://example.org:8443", "https://example.org:8443"),
    ("https://evil.example:1.corp.example", "null"), ("null", "null"),
    ("moz-extension://1b4e28ba", "moz-extension://1b4e28ba"),
  ])
  func `has the origin of a page in the form that routes compare`(stated: String, origin: String) {
    var options = OpenOptions()
    options.origin = stated
    let group = RequestGroup(links: [], verdict: .refuse(.noUniversalLink))
    let envelope = Envelope(requestID: "1", group, of: OpenRequest(urls: []), options)
    #expect(envelope.origin == origin)
  }
}
