// SPDX-License-Identifier: Apache-2.0
import RemoteProtocol
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

/// The redirects of authorization requests to a port of the machine of the program (RFC 8252, section 7.3).
@Suite struct `A redirect to the loopback interface` {
  private func read(_ url: String) throws -> LoopbackRedirect.Reading {
    LoopbackRedirect.Reading(try URLString(url))
  }

  private func redirect(_ url: String) throws -> LoopbackRedirect? {
    if case .redirect(let redirect) = try read(url) { redirect } else { nil }
  }

  private func refusal(_ url: String) throws -> String? {
    if case .refused(let reason) = try read(url) { reason } else { nil }
  }

  private static let start = "https://accounts.example/authorize?client_id=cli&state=s1&redirect_uri="

  @Test func `is read with its site, client, port, path and state`() throws {
    let url =
      "https://Accounts.example:8443/o/authorize?response_type=code&client_id=my+cli&redirect_uri="
      + "http%3A%2F%2Flocalhost%3A8085%2Fcb%2Fx%3Fa%3Db&scope=openid&state=a%2Bb%3D%3D&code_challenge=x"
    #expect(
      try redirect(url)
        == LoopbackRedirect(
          site: "https://accounts.example:8443", client: "my cli", host: .name, port: 8_085, path: "/cb/x",
          state: "a+b=="))
  }

  @Test(
    arguments: [
      ("http://127.0.0.1:49152/", LoopbackHost.ipv4, 49_152, "/"),
      ("http://[::1]:1024/cb", .ipv6, 1_024, "/cb"),
      ("http%3A%2F%2F%5B%3A%3A1%5D%3A65535", .ipv6, 65_535, "/"),
      ("http://localhost:3000?x=y", .name, 3_000, "/"),
      ("http://localhost:3000/a%252Fb", .name, 3_000, "/a%2Fb"),
    ] as [(String, LoopbackHost, UInt16, String)])
  func `has one of three hosts`(text: String, host: LoopbackHost, port: UInt16, path: String) throws {
    let reading = try read(Self.start + text)
    guard case .redirect(let found) = reading else {
      Issue.record("\(reading)")
      return
    }
    #expect(found.host == host && found.port == port && found.path == path, "\(reading)")
  }

  @Test(arguments: [
    "https://accounts.example/authorize?client_id=cli&state=s1",
    "https://accounts.example/authorize?redirect_uri=https%3A%2F%2Fapp.example%2Fcb&client_id=cli&state=s1",
    // Another machine receives the answer; nothing is carried there.
    start + "http%3A%2F%2F192.168.1.5%3A8080%2F", start + "http://build.example.org:8085/",
    start + "http://localhost.evil.example:8085/", start + "http://xlocalhost:8085/",
    start + "http://127.0.0.1.nip.io:8085/", start + "http://[fd00::1]:8085/",
    // No authorization request of the web.
    "mailto:a@b.example?redirect_uri=http://localhost:8085/&state=x&client_id=y",
    "https://search.example/?q=redirect_uri", "https://search.example/?q=redirect_uri+http://localhost:1/",
  ])
  func `is absent in other links`(url: String) throws { #expect(try read(url) == .absent) }

  @Test(arguments: [
    // Given twice, also to another machine, in another spelling of the name, or as an array.
    start + "http://localhost:8085/&redirect_uri=http://localhost:8085/",
    start + "http://localhost:8085/&redirect_uri=https://evil.example/",
    start + "https://evil.example/&redirect_uri=http://localhost:8085/",
    start + "http://localhost:8085/&Redirect_URI=http://localhost:22222/",
    start + "https://app.example/&redirect_uri[]=http://localhost:8085/",
    start + "https://app.example/&redirect%5Furi%5B0%5D=http://localhost:8085/",
    // Encoded twice or more, in another parameter, in the path or in the fragment.
    start + "http%253A%252F%252Flocalhost%253A8085%252F",
    "https://a.example/login?return_to=%2Fauthorize%3Fclient_id%3Dx%26redirect_uri%3Dhttp%253A%252F%252Flocalhost%253A8085",
    "https://a.example/login?next=%252525252Fa%25252525252525252Fredirect_uri%3Dhttp%3A%2F%2Flocalhost%3A1",
    "https://a.example/authorize/redirect_uri=http://127.0.0.1:8085/",
    "https://a.example/#/authorize?client_id=x&state=y&redirect_uri=http://127.0.0.1:8085/",
    // Other spellings of the host and of the scheme.
    start + "https://localhost:8085/", start + "HTTP://localhost:8085/", start + "http://LOCALHOST:8085/",
    start + "http:localhost:8085/", start + "http:/localhost:8085/", start + "http:%5C%5Clocalhost:8085/",
    start + "http://localhost.:8085/", start + "http://app.localhost:8085/", start + "http://127.1:8085/",
    start + "http://2130706433:8085/", start + "http://0x7f.0.0.1:8085/", start + "http://0177.0.0.1:8085/",
    start + "http://127.0.0.2:8085/", start + "http://0.0.0.0:8085/", start + "http://[::]:8085/",
    start + "http://[::ffff:127.0.0.1]:8085/", start + "http://[0:0:0:0:0:0:0:1]:8085/",
    start + "http://%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1:8085/",
    // A host with more labels than are mapped.
    start + "http://\(String(repeating: "a.", count: 150))%EF%BD%8Cocalhost:8085/",
    start + "http://local%09host:8085/",
    start + "%20http://localhost:8085/", start + "http://user@localhost:8085/",
    start + "http://evil.example@localhost:8085/",
    // No port, no usable port.
    start + "http://localhost/", start + "http://localhost:/", start + "http://localhost:08085/",
    start + "http://localhost:80/", start + "http://localhost:1023/",
    // A path that browsers change, and a fragment.
    start + "http://localhost:8085/a/../b", start + "http://localhost:8085/%252e%252E/b",
    start + "http://localhost:8085/a%5Cb", start + "http://localhost:8085/%23x",
    // Without the parameters by which the answer is recognized, or with several.
    "https://a.example/?client_id=x&redirect_uri=http://localhost:8085/",
    "https://a.example/?client_id=x&state=&redirect_uri=http://localhost:8085/",
    "https://a.example/?client_id=x&state=a&state=b&redirect_uri=http://localhost:8085/",
    "https://a.example/?state=a&redirect_uri=http://localhost:8085/",
    "https://a.example/?client_id=a&client_id=b&state=a&redirect_uri=http://localhost:8085/",
    "https://a.example/?client_id=a%0Ab&state=a&redirect_uri=http://localhost:8085/",
    // Answers that are no single GET.
    start + "http://localhost:8085/&response_mode=form_post",
    start + "http://localhost:8085/&response_mode=fragment",
    start + "http://localhost:8085/&response_type=token",
    start + "http://localhost:8085/&response_type=code+id_token",
  ])
  func `is refused where programs may read the link differently`(url: String) throws {
    let reading = try read(url)
    guard case .refused = reading else {
      Issue.record("\(reading)")
      return
    }
  }

  @Test func `is refused with the reason`() throws {
    #expect(
      try refusal(Self.start + "http://localhost:80/")?.contains("port 80 belongs to a service") == true)
    #expect(try refusal(Self.start + "http://127.1:8085/")?.contains("http://127.0.0.1:PORT/") == true)
    let twice = Self.start + "http://localhost:8085/&redirect_uri=http://localhost:8086/"
    #expect(try refusal(twice)?.contains("more than once") == true)
    let post = Self.start + "http://localhost:8085/&response_mode=form_post"
    #expect(try refusal(post)?.contains("response_mode must be query") == true)
  }

  /// The broker and the relay read each link of another machine on their event loops.
  @Test(arguments: [
    "redirect_uri[", "redirect_uri=", "redirect_uri=http://localhost:1/&", "redirect_uri%255B",
  ])
  func `of a long text that names the parameter everywhere is refused at once`(part: String) throws {
    let reading = try read(
      "https://a.example/?" + String(repeating: part, count: 1_000_000 / part.utf8.count))
    guard case .refused = reading else {
      Issue.record("it is read as \(reading)")
      return
    }
  }

  @Test func `of random texts causes no trap`() throws {
    let parts = [
      "redirect_uri", "=", "http://", "localhost", ":", "8085", "/", "%", "25", "3A", "[", "]", "::1", "&",
      "?",
      "#", "127.0.0.1", "state", "client_id", "é", "%C3", "\\", "@", ".", "..",
    ]
    var random = SeededGenerator(seed: 8252)
    for _ in 0..<5_000 {
      let text = (0..<Int.random(in: 0..<24, using: &random)).map { _ in
        parts[Int.random(in: parts.indices, using: &random)]
      }.joined()
      guard let url = try? URLString("https://a.example/\(text)") else { continue }
      _ = LoopbackRedirect.Reading(url)
    }
  }
}
