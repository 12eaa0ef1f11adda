// SPDX-License-Identifier: Apache-2.0
import HostNames
import Testing

/// Tests that host names are mapped to ASCII as browsers do, or are rejected.
@Suite struct `A host name` {
  @Test(arguments: [
    ("bad.example", "bad.example"), ("BAD.Example", "bad.example"), ("bad。example", "bad.example"),
    ("bad．example", "bad.example"), ("bad｡example", "bad.example"), ("ｂａｄ.example", "bad.example"),
    ("ba\u{AD}d.example", "bad.example"), ("ba\u{200B}d.example", "bad.example"),
    ("ⓑad.example", "bad.example"),
    ("127。0。0。1", "127.0.0.1"), ("０Ｘｃ０．０２５０．０１", "0xc0.0250.01"), ("münchen.de", "xn--mnchen-3ya.de"),
    ("faß.de", "xn--fa-hia.de"), ("βόλος.com", "xn--nxasmm1c.com"), ("日本語.jp", "xn--wgv71a119e.jp"),
    ("XN--MNCHEN-3YA.de", "xn--mnchen-3ya.de"), ("xn--i-7iq.ws", "xn--i-7iq.ws"),
    ("a_b.example", "a_b.example"),
    ("a..example", "a..example"), ("bad.example.", "bad.example."), ("1.1.1.1", "1.1.1.1"),
  ])
  func `is mapped to ASCII`(name: String, ascii: String) throws {
    #expect(try HostName.ascii(name) == ascii)
  }

  @Test(arguments: [
    ("\u{AD}", HostNameError.Reason.empty), ("\u{200B}.\u{AD}", .empty), ("bad／example", .forbidden),
    ("bad：80", .forbidden), ("bad＠example", .forbidden), ("bad％2e", .forbidden), ("a\u{3000}b", .forbidden),
    ("STRA\u{1E9E}E.de", .disputed),
  ])
  func `is rejected if it names no host`(name: String, reason: HostNameError.Reason) {
    #expect { try HostName.ascii(name) } throws: { ($0 as? HostNameError)?.reason == reason }
  }

  @Test(arguments: ["xn--a", "xn--\u{FF10}zzzzzzzz99999999", "a\u{FFFD}b", "\u{E000}x", "xn--bad-"])
  func `is rejected without an ASCII form`(name: String) {
    #expect {
      try HostName.ascii(name)
    } throws: { error in
      if case .unmappable? = (error as? HostNameError)?.reason { true } else { false }
    }
  }

  /// The broker maps hosts on its event loop.
  @Test(arguments: [
    String(repeating: "é.", count: 349_000) + "x", String(repeating: "é.", count: 129) + "x",
    String(repeating: "é.", count: 130), String(repeating: "a.", count: 129) + "x",
    "a" + String(repeating: "\u{AD}", count: 2_048), String(repeating: "a。", count: 1_024) + "b",
  ])
  func `is rejected if it is too long, before it is mapped`(name: String) {
    #expect { try HostName.ascii(name) } throws: { ($0 as? HostNameError)?.reason == .tooLong }
  }

  @Test func `is mapped up to the limits of its length`() throws {
    let labels = String(repeating: "é.", count: 127) + "é"
    let ascii = Array(repeating: "xn--9ca", count: 128).joined(separator: ".")
    #expect(try HostName.ascii(labels) == ascii)
    #expect(try HostName.ascii(labels + ".") == ascii + ".")
    #expect(try HostName.ascii(String(repeating: "\u{AD}", count: 2_047) + "é") == "xn--9ca")
    // The length of a host in ASCII does not matter.
    let plain = String(repeating: "a", count: 100_000)
    #expect(try HostName.ascii(plain + ".Example") == plain + ".example")
  }

  @Test(arguments: [
    ("https://b%C3%A4d.example/a%20b?ä#ö", "https://xn--bd-via.example/a%20b?ä#ö"),
    ("HTTPS://u:p@ｂａｄ.example:8080", "HTTPS://u:p@bad.example:8080"),
    ("https://a@b@ba%C2%ADd.example", "https://a@b@bad.example"),
    ("https://%62ad%2Eexample/", "https://bad.example/"), ("ftp://ÄB.example", "ftp://xn--b-zfa.example"),
  ])
  func `of a URL is mapped, and the rest of the URL is unchanged`(url: String, mapped: String) throws {
    #expect(try HostName.mappingHost(of: url) == mapped)
  }

  @Test(arguments: [
    "https://bad.example/ä", "https:/ä", "https:ä", "notes://ä/", "file://ä/x", "https://[::1]/ä",
    "mailto:ä@ä", "/ä",
    "", "https", "ä", "https://?ä", "x.https://ä",
  ])
  func `of a URL is unchanged if it is ASCII, or if browsers do not map it`(url: String) throws {
    #expect(try HostName.mappingHost(of: url) == url)
  }

  @Test(arguments: [
    ("http://[::ffff:7f00:1]/x", "http://127.0.0.1/x"), ("n://u@[::FFFF:C000:207]:80", "n://u@192.0.2.7:80"),
    ("http://[::ffff:0:1]", "http://0.0.0.1"),
    ("{:http|https}://[::ffff:a00:1]:*/", "{:http|https}://10.0.0.1:*/"),
  ])
  func `that is an IPv4-mapped address is also the IPv4 address`(url: String, other: String) {
    #expect(HostName.withIPv4Address(url) == other)
  }

  @Test(arguments: [
    "http://[::1]/", "http://[::7f00:1]/", "http://[1::ffff:7f00:1]/", "http://[::ffff:7f00:1:2]/",
    "http://[::ffff:17f00:1]/", "http://[::ffff:x:1]/", "http://h/[::ffff:7f00:1]", "n:x://[::ffff:7f00:1]/",
    "http://[::ffff:7f00:1", "http://[::ffff:+1:1]/", "n:[::ffff:7f00:1]",
  ])
  func `that is another address has no such form`(url: String) {
    #expect(HostName.withIPv4Address(url) == nil)
  }

  @Test(arguments: [
    "https://bad.example..", "HTTPS://BAD.EXAMPLE../", "https://u@a..b:1/", "ftp://.a/", "http://./",
    "wss://a%2E%2Eb/",
    "https://bad.example。。/", "https://xn--bd-via..example/", "https://b%C3%A4d.example../",
  ])
  func `of a URL with an empty label is rejected`(url: String) {
    #expect { try HostName.mappingHost(of: url) } throws: { ($0 as? HostNameError)?.reason == .emptyLabel }
  }

  @Test(arguments: [
    "https://bad.example./", "x://a..b/", "file://a..b/", "https:a..b", "https://h/a..b", "https://h:1?..",
  ])
  func `of a URL with an insignificant empty label is unchanged`(url: String) throws {
    #expect(try HostName.mappingHost(of: url) == url)
  }

  @Test(arguments: ["https://%FF/", "https://a%00b/", "https://%zz/", "https://a%4", "https://%C3/"])
  func `of a URL is rejected if its bytes are not text`(url: String) {
    #expect { try HostName.mappingHost(of: url) } throws: { ($0 as? HostNameError)?.reason == .notUTF8 }
  }

  /// Node's `url.parse` ends the host there, and browsers decode it.
  @Test(arguments: [
    ("http://127.0.0.1%2Egood.example/a?b", "http://127.0.0.1/%2Egood.example/a?b"),
    ("http://user@0x7f.1%E3%80%82x:80/", "http://user@127.0.0.1/%E3%80%82x:80/"),
    ("ldap://bad.example%2Egood.example", "ldap://bad.example/%2Egood.example"),
    ("https://b%C3%A4d.example/", "https://b/%C3%A4d.example/"),
  ])
  func `of a URL ends at a percent sign for some programs`(url: String, reading: String) throws {
    #expect(try HostName.otherReadings(of: url).map { try $0.get() }.contains(reading))
  }

  @Test func `that begins with a percent sign has one reading under http`() throws {
    #expect(HostName.otherReadings(of: "http://%62ad.example/").isEmpty)
  }
}
