// SPDX-License-Identifier: Apache-2.0
import Foundation
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

/// Tests that a rule for a host or a path matches every spelling of a link.
@Suite(.computes) struct `Another spelling of a link` {
  private static let deny = """
    [route.bad]
    match = "https://bad.example/{rest...?}"
    deny = "no"
    final = true
    [route.local]
    match = "{:http|https}://localhost:*/{rest...?}"
    deny = "no"
    final = true
    [route.loopback]
    match = "{:http|https}://127.0.0.1:*/{rest...?}"
    deny = "no"
    final = true
    [route.etc]
    match = "file:///etc/{rest...?}"
    deny = "no"
    final = true
    """

  private static let denied = [
    "https://bad.example/a", "https:/bad.example/a", "https:///bad.example/a", "https:bad.example/a",
    "https:////bad.example/a", "HTTPS:bad.example", "HTTPS://BAD.EXAMPLE..", "https://bad.example%2e./",
    "https://.bad.example/", "https://bad。。example/", "https://x@bad.example/a", "https://@bad.example/a",
    "https://x:y@bad.example", "https://a@b@bad.example/", "https://bad.example./a", "https://x@bad.example.",
    "https://bad.example:443/a", "https://bad.example:/a", "https://BAD.example", "https://%62ad.example",
    "http://x@localhost:631/admin", "http://@localhost/", "http://LOCALHOST:1", "http:localhost:631/admin",
    "https://bad。example/", "https://ｂａｄ.example/", "https://ba%C2%ADd.example/", "https://u@bad。example/",
    "http://127。0。0。1/", "http://0x7f。1/", "http://２１３０７０６４３３/", "http://2130706433/", "http://127.1/",
    "http://0177.0.0.1/", "http://[::ffff:127.0.0.1]/../", "http://[::ffff:7f00:1]/",
    "http://[::FFFF:7F00:1]:80/x",
    "http://u@[::ffff:7f00:1]/", "http://127.0.0.1./", "http://u@127.0.0.1:80/",
    "file:///etc/hostname", "file:/etc/hostname", "file://localhost/etc/hostname", "file:////etc/hostname",
    "FILE:/etc/hostname", "file:///./etc/hostname", "file:///usr/../etc/hostname", "file:///%65tc/hostname",
    "file:///etc%2Fhostname", "file://LocalHost/etc//hostname", "file:///%2e%2e/etc", "file:///etc/",
    "file:///etc",
    "file:///etc?x", "file:///etc#x", "file:etc/hostname", "file:",
    // Python reads the name in the brackets as the host.
    "https://[bad.example]/", "https://[vbad.example]/", "https://[v1.bad.example]/", "http://[v7f000001]/",
    "http://[v1.localhost]:631/admin",
    // Qt reads a number with a sign, and Node's `url.parse` ends the host at a quotation mark.
    "http://127.0.0.+1/", "http://127.0.+1/", "http://127.0.0.+0x1/", "http://localhost\"x.org/",
    "http://localhost'x.org/",
    "http://localhost`x.org/", "http://localhost{x.org/", "http://localhost%22x.org/",
    "http://localhost,x.org/",
    // `url.parse` also ends it at a percent sign.
    "http://localhost%2Egood.example/", "http://localhost%E3%80%82good.example/",
    "http://127.0.0.1%2egood.example/",
    "http://0x7f.1%C3%A4.good.example/", "https://bad.example%2egood.example/",
    "https://bad.example%C3%A4.good.example/",
    // GIO treats a question mark as part of the path.
    "file:///tmp?/../../etc/hosts", "file:///?/../etc/hosts", "FILE://localhost/x?/..%2f../etc/hosts#f",
    "file:/tmp?a/%2e%2e/%2E./etc/hosts", "file:///tmp?/../../%65tc/hosts",
  ]

  @Test(arguments: denied)
  func `is denied like the original spelling`(url: String) throws {
    let rules = try WorkplaceRules(administrator: Self.deny)
    let outcome = rules.outcome(url)
    // An unreadable URL is rejected, too.
    #expect(outcome == .denied || outcome == .unreadable, "\(url): \(outcome)")
  }

  /// An IPv4-mapped IPv6 address is the IPv4 address, in a rule as in a link.
  @Test(arguments: ["192.0.2.7", "[::ffff:c000:207]"])
  func `of an address is denied under any scheme, in both forms of the address`(host: String) throws {
    let rules = try WorkplaceRules(
      administrator: """
        [route.address]
        match = ["http://\(host):*/{p...?}", "notes://\(host)/{p...?}"]
        deny = "no"
        final = true
        """)
    for url in [
      "http://192.0.2.7/", "http://[::ffff:c000:207]/", "http://[::FFFF:C000:207]:8080/x",
      "notes://192.0.2.7/x",
      "notes://[::ffff:c000:207]/", "notes://u@[::ffff:c000:207]/", "notes://3221225991/",
    ] {
      #expect(rules.outcome(url) == .denied, "\(url)")
    }
    for url in ["http://192.0.2.8/", "http://[::ffff:c000:208]/", "http://[2001:db8::7]/"] {
      #expect(rules.outcome(url) == .opened, "\(url)")
    }
  }

  @Test func `of an address is not allowed by a rule for its other form`() throws {
    let rules = try WorkplaceRules(
      administrator: """
        [route.none]
        scheme = "http"
        deny = "no"
        final = true
        [route.address]
        match = "http://192.0.2.7/{p...?}"
        allow = true
        final = true
        wins_over = "none"
        """)
    #expect(rules.outcome("http://192.0.2.7/") == .opened)
    #expect(rules.outcome("http://[::ffff:c000:207]/") == .denied)
  }

  @Test(arguments: [
    "https://good.example/a", "https://x@good.example/", "http://bad.example/", "https://sub.bad.example/",
    "https://bad.example.org/",
    "https://good.example/?u=https://bad.example/", "https://good.example/#@bad.example",
    "https://good.example/@bad.example",
    "https://xn--bd-via.example/", "https://bäd.example/", "https://good.example/?q=%E9",
    "https://good.example/?next=/../etc", "app:///tmp?/../../etc",
  ])
  func `of a link that no rule denies is opened`(url: String) throws {
    #expect(try WorkplaceRules(administrator: Self.deny).outcome(url) == .opened)
  }

  @Test(arguments: [
    "http:/a", "http:///a", "https:a", "ftp:/a", "ftp:///a", "https://", "https:///", "https://?q",
    "https://@/", "https://:80/",
    "https://u@:80/", "https://%C2%AD/", "https://xn--a/", "https://a／b.example/", "https://a%b.example/",
    "https://a%00.example/",
  ])
  func `without a host is rejected independent of the rules`(url: String) throws {
    let allow = """
      [route.any]
      match = ["https://*:*/{p...?}", "/{p...?}"]
      allow = true
      """
    for rules in [try WorkplaceRules(), try WorkplaceRules(user: allow)] {
      let outcome = rules.outcome(url)
      #expect(outcome == .unreadable || outcome == .noURL, "\(url): \(outcome)")
    }
  }

  private static let foreign = """
    [route.bad]
    match = "webcal://bad.example:*/{rest...?}"
    deny = "no"
    final = true
    [route.loopback]
    match = "ldap://127.0.0.1:*/{rest...?}"
    deny = "no"
    final = true
    [route.network]
    match = "app://{host:cidr(10.0.0.0/8)}/{rest...?}"
    deny = "no"
    [route.umlaut]
    match = "notes://bäd.example/{rest...?}"
    deny = "no"
    """

  @Test(
    .computes,
    arguments: [
      "webcal://bad.example/", "webcal://BAD.example/x", "webcal://bad.example./", "webcal://b%61d.example/",
      "webcal://ｂａｄ.example/", "webcal://bad。example/", "webcal://ba%C2%ADd.example/", "WEBCAL://ｂａｄ.example",
      "webcal://%EF%BD%82ad.example/", "webcal://x@bad.example/", "webcal://x:y@ｂａｄ.example:80/",
      "webcal://bad。example:/?q#f", "webcal://ｂａｄ.example/%zz",
      "ldap://127.0.0.1/", "ldap://１２７.0.0.1/", "ldap://127.1/", "ldap://0x7f.1", "ldap://2130706433/dc=x",
      "ldap://127.0.0.1./", "ldap://0177.0.0.01/", "ldap://%31%32%37.1/", "ldap://u@0X7F000001:389/",
      "app://10.1.2.3/", "app://１０.1.2.3/", "app://0xa.1/", "app://10。1/", "app://012.1./",
      "notes://bäd.example/", "notes://xn--bd-via.example/", "notes://BÄD.example/",
      "notes://b%C3%84d.example/",
      "notes://XN--BD-VIA.example./",
      // These hosts cannot be mapped, and a rule names a host under the scheme.
      "webcal://bad..example/", "webcal://.bad.example/", "webcal://xn--a/", "webcal://📓/",
      "webcal://ẞ.example/", "webcal://[vb.bad.example]/", "webcal://bad.example\"x.org/",
      "ldap://127.0.0.+1/",
      "ldap://0127.0.0.01/", "app://010.1.2.3/",
      "webcal://u@[V1.x]:80/", "app://[v10.1]/",
    ])
  func `of a host is denied under any scheme`(url: String) throws {
    let outcome = try WorkplaceRules(administrator: Self.foreign).outcome(url)
    #expect(outcome == .denied || outcome == .unreadable, "\(url): \(outcome)")
  }

  /// Python, Qt and older programs map `ß` to `ss`, as IDNA 2003 requires, and browsers do not.
  @Test(arguments: [
    "https://straße.example/", "https://stra%C3%9Fe.example/x", "https://STRAẞE.example/",
    "webcal://straße.example/",
    "https://stra\u{200D}sse.example/", "webcal://u@strasse.ex\u{200C}ample:80/",
  ])
  func `of a host is denied as IDNA 2003 maps it`(url: String) throws {
    let deny =
      "[route.no]\nmatch = \"{:https|webcal}://strasse.example:*/{p...?}\"\ndeny = \"no\"\nfinal = true\n"
    let outcome = try WorkplaceRules(administrator: deny).outcome(url)
    #expect(outcome == .denied || outcome == .unreadable, "\(url): \(outcome)")
  }

  @Test func `of a host that IDNA 2003 maps to another one is opened as browsers map it`() throws {
    let rules = try WorkplaceRules(
      administrator: "[route.no]\nscheme = \"https\"\ndeny = \"no\"\n",
      user: "[route.yes]\nmatch = \"https://straße.example/{p...?}\"\nallow = true\n")
    #expect(rules.outcome("https://straße.example/") == .opened)
    #expect(rules.outcome("https://strasse.example/") == .denied)
  }

  @Test(arguments: [
    "webcal://good.example/", "webcal://ｇｏｏｄ.example/", "webcal:/bad.example", "webcal:///bad.example/",
    "webcal:bad.example", "ldap://128.1/", "ldap:///dc=x", "app://xn--a/b", "app://good..example/",
    "app://11.1/", "app://a+b/c", "notes://bad.example/",
  ])
  func `of a host that no rule names is opened under any scheme`(url: String) throws {
    // The rules of two schemes are absent, so that a host that cannot be mapped matters to no rule.
    let rules = """
      [route.bad]
      match = "webcal://bad.example:*/{rest...?}"
      deny = "no"
      [route.loopback]
      match = "ldap://127.0.0.1:*/{rest...?}"
      deny = "no"
      [route.umlaut]
      match = "notes://bäd.example/{rest...?}"
      deny = "no"
      """
    #expect(try WorkplaceRules(administrator: rules).outcome(url) == .opened)
  }

  @Test func `of a host is asked about as that host under any scheme, and is not allowed`() throws {
    let ask = """
      [route.ask]
      match = "webcal://bank.example/{p...?}"
      ask = true
      remember = "host"
      """
    let rules = try WorkplaceRules(user: ask)
    let yes = Grant(WorkplaceRules.scope(of: "ask", host: "bank.example"), .yes, assurance: .unknown)
    for url in ["webcal://bank.example/", "webcal://ｂank.example/", "webcal://x@b%61nk。example./"] {
      #expect(rules.outcome(url) == .asked, "\(url)")
      #expect(rules.outcome(url, grants: [yes]) == .opened, "\(url)")
    }
    let allow = try WorkplaceRules(
      administrator: "[route.no]\nscheme = \"webcal\"\ndeny = \"no\"\n",
      user: "[route.yes]\nmatch = \"webcal://bank.example/{p...?}\"\nallow = true\n")
    #expect(allow.outcome("webcal://bank.example/") == .opened)
    #expect(allow.outcome("webcal://ｂank.example/") == .denied, "only the written host is allowed")
  }

  @Test func `of a host is denied by a final rule also where another rule denies the written one`() throws {
    let rules = try WorkplaceRules(
      administrator: """
        [route.bad]
        match = "webcal://bad.example/{p...?}"
        deny = "no"
        final = true
        [route.all]
        scheme = "webcal"
        deny = "no"
        """,
      user: "[route.mine]\nscheme = \"webcal\"\nallow = true\n")
    #expect(rules.outcome("webcal://good.example/") == .opened, "the user's route precedes the wide denial")
    #expect(rules.outcome("webcal://ｂａｄ.example/") == .denied)
    #expect(rules.outcome("webcal://bad..example/") == .unreadable)
  }

  @Test func `of a host is not opened by another rule than the final one for the host`() throws {
    let rules = try WorkplaceRules(
      administrator:
        "[route.ours]\nmatch = \"webcal://corp.example/{p...?}\"\nopen = \"org.example.Viewer\"\nfinal = true\n",
      user: "[route.mine]\nscheme = \"webcal\"\nopen = \"org.example.Viewer\"\n")
    #expect(rules.outcome("webcal://corp.example/") == .opened)
    #expect(rules.outcome("webcal://ｃorp.example/") == .unreadable)
    #expect(rules.outcome("webcal://ｍine.example/") == .opened)
  }

  /// Links of `app:` that a program may read as links to `bad.example`.
  static let backslashes = [
    "app://bad.example\\x", "app://bad.example\\@good.example/", "app://good.example\\@bad.example/",
    "app:\\\\bad.example\\x", "app:/\\bad.example", "app:\\/ｂａｄ.example/x", "app://ｂａｄ.example\\:8080",
  ]

  @Test(arguments: backslashes)
  func `with a backslash is denied in both readings, and not asked about`(url: String) throws {
    let deny = "[route.bad]\nmatch = \"app://bad.example:*/{p...?}\"\ndeny = \"no\"\n"
    #expect(try WorkplaceRules(administrator: deny + "final = true\n").outcome(url) == .denied)
    // Without `final`, a host that cannot be compared precedes the denial, which an earlier `allow` could override.
    #expect([.denied, .unreadable].contains(try WorkplaceRules(administrator: deny).outcome(url)))
    let ask = "[route.bad]\nmatch = \"app://bad.example:*/{p...?}\"\nask = true\n"
    #expect(try WorkplaceRules(user: ask).outcome(url) == .unreadable, "programs find different hosts")
    #expect(try WorkplaceRules().outcome(url) == .opened)
  }

  @Test func `with a backslash is matched by the routes that open it`() throws {
    let rules = try WorkplaceRules(
      administrator: "[route.path]\nmatch = \"app:secret/{p...}\"\ndeny = \"no\"\nfinal = true\n",
      user: "[route.mine]\nscheme = \"app\"\nopen = \"org.example.Viewer\"\n")
    #expect(rules.outcome("app:C:\\Users\\x") == .opened)
    #expect(rules.outcome("app:secret\\x") == .denied)
    #expect(rules.outcome("app:open\\x?secret\\x") == .opened)
  }

  @Test func `with a backslash is refused where one question would be about two hosts`() throws {
    let ask = try WorkplaceRules(user: "[route.any]\nmatch = \"app://*/{p...?}\"\nask = true\n")
    #expect(ask.outcome("app://good.example\\@bad.example/") == .unreadable)
    #expect(ask.outcome("app://good.example/a\\b") == .asked)
    let final = try WorkplaceRules(
      administrator:
        "[route.ours]\nmatch = \"app://corp.example/{p...?}\"\nopen = \"org.example.Viewer\"\nfinal = true\n")
    #expect(final.outcome("app:\\\\corp.example") == .unreadable)
  }

  @Test(arguments: [
    "https:\\\\bad.example\\x", "https:/\\bad.example", "https://bad.example ",
    "https://bad.example\\@good.example/",
    "https://bad.example/a b",
  ])
  func `under https is denied as browsers read it`(url: String) throws {
    let rules = try WorkplaceRules(
      administrator: "[route.bad]\nmatch = \"https://bad.example/{p...?}\"\ndeny = \"no\"\nfinal = true\n")
    #expect(rules.outcome(url) == .denied)
    #expect(rules.outcome("https://good.example\\@bad.example/") == .opened, "that is a path of good.example")
  }

  @Test func `of a file with spaces and backslashes is the path that is opened`() throws {
    let rules = try WorkplaceRules(
      administrator: "[route.etc]\nmatch = \"file:///etc/{p...?}\"\ndeny = \"no\"\nfinal = true\n")
    #expect(rules.outcome("file:///etc/a b") == .denied)
    #expect(rules.outcome("file:///etc\\hostname") == .other, "a file of that name in / does not exist")
  }

  @Test func `may exceed the limit of a URL`() throws {
    let url = "notes:\(String(repeating: "a\\", count: 500_000))"
    let rules = try WorkplaceRules(user: "[route.any]\nmatch = \"notes:{p...?}\"\nopen = \"a\"\n")
    #expect(rules.outcome(url) != .unreadable && rules.outcome(url) != .noURL)
  }

  @Test func `is shown to the user with the pattern to write`() throws {
    for (url, part) in [
      ("https:bad.example", "write `https://` and the host"), ("https://xn--a/", "write it in ASCII"),
      ("file:etc", "write `file:///` and the path"),
    ] {
      let error = try #require(throws: UnreadableURL.self) { try NormalizedURL(try URLString(url)) }
      #expect(error.reason.contains(part), "\(error.reason)")
    }
  }

  @Test func `gets the same question and the answer stored for its host`() throws {
    let ask = """
      [route.ask]
      match = "https://bank.example/{p...?}"
      ask = true
      remember = "host"
      """
    let rules = try WorkplaceRules(user: ask)
    let yes = Grant(
      WorkplaceRules.scope(of: "ask", host: "bank.example"), .yes, assurance: .unknown)
    let no = Grant(
      WorkplaceRules.scope(of: "ask", host: "bank.example"), .no, assurance: .unknown)
    for url in [
      "https://bank.example/a", "https://x@bank.example/", "https://ｂank.example/", "https://bank.example./",
      "https://BANK.example:443/",
    ] {
      #expect(rules.outcome(url) == .asked, "\(url)")
      #expect(rules.outcome(url, grants: [yes]) == .opened, "\(url)")
      #expect(rules.outcome(url, grants: [no]) == .denied, "\(url)")
    }
  }

  @Test
  func `with a user is not allowed by a rule without a user, so that a name before the host cannot deceive`()
    throws
  {
    let rules = try WorkplaceRules(
      administrator: "[route.no]\nmatch = \"/{p...?}\"\ndeny = \"only the bank\"\n",
      user: "[route.yes]\nmatch = \"https://bank.example/{p...?}\"\nallow = true\n")
    #expect(rules.outcome("https://bank.example/") == .opened)
    #expect(rules.outcome("https://bank.example@evil.example/") == .denied)
    #expect(rules.outcome("https://x@bank.example/") == .denied)
  }

  @Test func `is not denied by a rule that compares the user`() throws {
    let rules = try WorkplaceRules(
      administrator:
        "[route.no]\nmatch = \"https://bad.example/{p...?}\"\ndeny = \"no\"\nuser = \"written\"\n")
    #expect(rules.outcome("https://bad.example/") == .denied)
    #expect(rules.outcome("https://ada@bad.example/") == .opened)
  }

  private static let local = [
    "http://localhost:8080/admin", "http:localhost:8080/admin", "http://x@localhost/", "http://ｌocalhost/",
    "http://localhost./", "http://LOCALHOST/", "http://%6Cocalhost/", "http://foo.localhost/",
    "http://a.b.Localhost.:80/",
    "http://localhost.localdomain/", "http://loc%C2%ADalhost/", "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/", "http://ip6-localhost/",
    "http://myhost/",
    "http://127.0.0.1/", "http://127。0。0。1/", "http://x@127.0.0.1:631/", "http://127.0.0.2/",
    "http://127.255.255.254/",
    "http://127.1/", "http://127.0.1/", "http://127.0.0.1./", "http://0177.0.0.1/", "http://0177.1/",
    "http://017700000001/",
    "http://0x7f.1/", "http://0x7f.0x0.0x0.0x1/", "http://0x7f000001/", "http://0X7F.1/",
    "http://0x0000000000000000007f00000a/",
    "http://2130706433/", "http://２１３０７０６４３３/",
    "http://１２７.0.0.1/", "http://①②⑦.0.0.1/", "http://%31%32%37.0.0.1/", "http://127%2E0%2e0%2E1/",
    "http://127.0.0.0x1/",
    "http://127.0.0.01/", "http://00000127.0.0.1/", "http://4294967297/", "http://0.0.0.0/", "http://0/",
    "http://0x0/", "http://0.1.2.3/",
    "https://[::1]/", "https://u@[::1]/", "http://[::1]:80/", "http://[0:0:0:0:0:0:0:1]/",
    "http://[0000::0001]/", "http://[::0001]/",
    "http://[::]/", "http://[::ffff:7f00:1]/", "http://[::FFFF:7F00:0001]/", "http://[::ffff:127.0.0.1]/",
    "http://[0:0:0:0:0:ffff:7f00:1]/",
    "http://[::127.0.0.1]/", "http://[::7f00:1]/", "http://[64:ff9b::7f00:1]/",
    "http://[64:ff9b::127.0.0.1]/", "http://[2002:7f00:1::]/",
    "http://[::ffff:0:7f00:1]/", "http://[::1%25lo]/", "http://[fe80::1%25eth0]/", "http://[fe80::1]/",
    "http://[FD00::1]/", "http://[fdff:1::2]/",
    "http://[%3A%3A1]/", "http://%5B::1%5D/",
    "http://10.1.2.3/", "http://0xa.1.2.3/", "http://012.1.2.3/", "http://167772161/",
    "http://[::ffff:a01:203]/", "http://192.168.0.1/",
    "http://192.168.257/", "http://0300.0250.0.1/", "http://172.16.0.1/", "http://172.31.255.255/",
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/", "http://[::ffff:a9fe:a9fe]/", "http://100.64.0.1/",
    "https://u:p@10.0.0.1:8443/a?b#c", "https:10.0.0.1/", "https:///10.0.0.1/",
    "http://printer.lan/", "http://a@printer.lan/", "http://printer。lan/", "http://printer.lan./",
    "http://printer.local/", "http://PRINTER.LOCAL./",
    "http://ｐrinter.ｌocal/", "http://nas.home.arpa/", "http://x.internal/",
    "http://metadata.google.internal/", "http://host.docker.internal:8080/",
    "http://router/", "http://fritz.home/", "ftp://127.0.0.1/", "FTP://10.0.0.1/", "ws://localhost/",
    "wss://localhost/",
  ]

  /// Tests a denial of whole schemes against an attacker's variations.
  @Test func `cannot bypass a rule for its whole scheme`() throws {
    let schemes = ["http", "https", "ws", "wss", "ftp", "file", "notes", "app", "web+x", "git", "mailto"]
    let names = schemes.map { "\"\($0)\"" }.joined(separator: ", ")
    let rules = try WorkplaceRules(
      administrator: "[route.no]\nscheme = [\(names)]\ndeny = \"no\"\nfinal = true\n",
      user: "[route.yes]\nmatch = [\"/{p...?}\", \"notes:{x...?}\"]\nallow = true\n")
    var urls = URLMutator(seed: 24)
    var denied = 0
    for _ in 0..<5_000 {
      let url = urls.next()
      let scheme = url.prefix { $0 != ":" }.lowercased()
      let outcome = rules.outcome(url)
      if outcome == .denied { denied += 1 }
      #expect(outcome != .opened && outcome != .asked || !schemes.contains(scheme), "\(url): \(outcome)")
    }
    #expect(denied > 1_000)
  }

  @Test(arguments: local)
  func `cannot bypass the shipped policy`(url: String) throws {
    let policy = try String(contentsOfFile: "\(BuiltProducts.repository)/Routes/policy.toml", encoding: .utf8)
    let outcome = try WorkplaceRules(administrator: policy).outcome(url)
    #expect(outcome == .denied || outcome == .unreadable, "\(url): \(outcome)")
  }

  @Test(arguments: [
    "https://example.com/", "http://localhost.example/", "http://local.example/", "http://lan.example/",
    "http://192.0.2.1/", "http://11.0.0.1/",
    "http://128.0.0.1/", "http://172.32.0.1/", "http://169.253.1.1/", "http://[2001:db8::1]/",
    "http://[::ffff:808:808]/", "http://1.1.1.1/",
    "https://example.com/?u=http://localhost/", "https://example.com/localhost",
    "https://localhost@example.com/", "https://10.0.0.1@1.1.1.1/",
    "http://mylocalhost.example/", "https://xn--mnchen-3ya.de/", "https://münchen.de/",
  ])
  func `of a public host passes the shipped policy`(url: String) throws {
    let policy = try String(contentsOfFile: "\(BuiltProducts.repository)/Routes/policy.toml", encoding: .utf8)
    #expect(try WorkplaceRules(administrator: policy).outcome(url) == .opened, "\(url)")
  }

  @Test(arguments: [
    "app://127.0.0.1/", "app://127.1/", "app://0x7f000001/", "app://2130706433/", "app://0177.0.0.1/",
    "app://127.0.0.1./", "app://127.0.1:22/",
    "app://u@10.1.2.3/", "app://012.1.2.3/", "app://[::1]/", "app://[0:0:0:0:0:0:0:1]/",
    "app://[::ffff:127.0.0.1]/", "app://[::ffff:7f00:1]/",
    "app://LOCALHOST/", "app://x.local./", "app://%31%32%37.0.0.1/",
  ])
  func `of an address is denied by value, also under a scheme that browsers do not know`(url: String) throws {
    let rules = try WorkplaceRules(
      administrator:
        "[route.no]\nmatch = \"app://{h:local-network}:*/{p...?}\"\ndeny = \"no\"\nfinal = true\n",
      user: "[route.yes]\nmatch = [\"app://{h:ipv4}/\", \"app://127.0.0.1/\"]\nallow = true\n")
    let outcome = rules.outcome(url)
    #expect(outcome == .denied || outcome == .unreadable, "\(url): \(outcome)")
  }

  @Test(arguments: [
    ("http://10.1.2.3/", true), ("http://0xa.66051/", true), ("http://[::ffff:a01:203]/", true),
    ("http://10.2.0.1/", false),
    ("http://[::a01:203]/", false), ("http://[fd00::1]/", true), ("http://[FD00:0::1]/", true),
    ("http://[fc00::1]/", false),
  ])
  func `of a block of addresses is denied by value`(url: String, isDenied: Bool) throws {
    let rules = try WorkplaceRules(
      administrator:
        "[route.no]\nmatch = [\"http://{ip:cidr(10.1.0.0/16)}/\", \"http://{ip:cidr(fd00::/8)}/\"]\ndeny = \"no\"\nfinal = true\n"
    )
    let outcome = rules.outcome(url)
    #expect(
      isDenied ? outcome == .denied || outcome == .unreadable : outcome == .opened, "\(url): \(outcome)")
  }

  @Test func `of a scheme that browsers do not know is rejected only if a rule names it`() throws {
    let rules = try WorkplaceRules(
      administrator: "[route.no]\nmatch = \"app://bad/{p...?}\"\ndeny = \"no\"\n")
    #expect(rules.outcome("app://bad/%zz") == .denied)
    #expect(rules.outcome("app://good/%zz") == .opened)
    #expect(rules.outcome("notes://bad/%zz") == .opened)
    #expect(rules.outcome("app://BAD/x") == .denied)
    #expect(rules.outcome("app://u@bad/x") == .denied)
  }
}
