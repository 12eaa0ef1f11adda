// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
import RouteAnalysis
import RegularLanguages
import Glibc
import TestSupport
import Testing

@testable import RouteTables

/// Tests of the types of whole hosts: `ipv4`, `ipv6`, `cidr(…)` and `local-network`.
@Suite(.computes) struct AddressTypeTests {
  static func takes(_ type: String, _ host: String, scheme: String = "http") throws -> Bool {
    let pattern = "\(scheme)://{h:\(type)}:*/{rest...?}"
    let table = try tables[pattern] ?? table(of: RoutePattern(pattern))
    return try table.match("\(scheme)://\(host)/a") != nil
  }

  /// Tables that are matched with many hosts.
  private static let tables: [String: RouteTable<Int>] = {
    var tables: [String: RouteTable<Int>] = [:]
    for scheme in ["http", "https", "ssh"] {
      for type in ["local-network", "ipv4", "ipv6", "cidr(10.0.0.0/8)", "cidr(127.0.0.0/8)"] {
        let pattern = "\(scheme)://{h:\(type)}:*/{rest...?}"
        tables[pattern] = try? RouteTablesTestSupport.table(of: RoutePattern(pattern))
      }
    }
    return tables
  }()

  @Test(arguments: [
    ("ipv4", "192.0.2.1"), ("ipv4", "0.0.0.0"), ("ipv4", "255.255.255.255"), ("ipv4", "192.0.2.1:8080"),
    ("ipv4", "[::ffff:c000:201]"), ("ipv4", "[::FFFF:C000:201]"), ("ipv4", "%31.2.3.4"),
    ("ipv4", "1%2E2.3.4"),
    ("ipv6", "[::]"), ("ipv6", "[::1]"), ("ipv6", "[2001:db8::1]"), ("ipv6", "[2001:DB8::1]:81"),
    ("ipv6", "[1:2:3:4:5:6:7:8]"), ("ipv6", "[1:0:3:4:5:6:7:8]"), ("ipv6", "[::7f00:1]"),
    ("cidr(10.0.0.0/8)", "10.255.0.1"), ("cidr(10.0.0.0/8)", "[::ffff:a01:203]"),
    ("cidr(172.16.0.0/12)", "172.31.255.255"), ("cidr(192.0.2.1/32)", "192.0.2.1"),
    ("cidr(0.0.0.0/0)", "9.9.9.9"),
    ("cidr(fd00::/8)", "[fd12::1]"), ("cidr(fd00::/8)", "[FDff:0:1::]"),
    ("cidr(2001:db8::/33)", "[2001:db8:7fff::]"),
    ("cidr(::1/128)", "[::1]"), ("cidr(::/0)", "[ff02::1]"), ("cidr(2001:DB8:0:0::/64)", "[2001:db8::5]"),
  ])
  func takesTheAddress(type: String, host: String) throws { #expect(try Self.takes(type, host)) }

  @Test(arguments: [
    ("ipv4", "a.example"), ("ipv4", "[::1]"), ("ipv4", "192.0.2.example"), ("ipv4", "[::c000:201]"),
    ("ipv6", "1.2.3.4"), ("ipv6", "[::ffff:c000:201]"), ("ipv6", "fd00"),
    ("cidr(10.0.0.0/8)", "11.0.0.1"), ("cidr(10.0.0.0/8)", "[::ffff:b01:203]"),
    ("cidr(10.0.0.0/8)", "10.example"),
    ("cidr(10.0.0.0/8)", "[::a01:203]"), ("cidr(172.16.0.0/12)", "172.32.0.0"),
    ("cidr(172.16.0.0/12)", "172.15.255.255"),
    ("cidr(fd00::/8)", "[fc00::1]"), ("cidr(fd00::/8)", "[fd::1]"),
    ("cidr(2001:db8::/33)", "[2001:db8:8000::]"),
    ("cidr(::1/128)", "[::2]"), ("cidr(::/0)", "[::ffff:1:1]"), ("cidr(::/0)", "1.2.3.4"),
  ])
  func `A host outside the type does not match`(type: String, host: String) throws {
    #expect(try !Self.takes(type, host))
  }

  @Test(arguments: [
    "localhost", "LOCALHOST", "localhost.", "a.localhost", "a.b.localhost.", "printer.local", "%6cocalhost",
    "localhost.localdomain", "localhost4.localdomain4", "localhost6.localdomain6", "x.internal",
    "host.docker.internal", "nas.lan",
    "x.home.arpa",
    "x.home", "x.corp", "x.intranet", "x.private", "printer", "myhost:631", "local", "lan",
    "127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.1.2.3", "172.16.0.1", "172.31.0.1",
    "192.168.1.1",
    "169.254.169.254", "100.64.0.1", "100.127.255.255",
    "[::]", "[::1]", "[fe80::1]", "[febf::1]", "[fec0::1]", "[fc00::1]", "[fdff::1]", "[64:ff9b:1::1]",
    "[::ffff:7f00:1]", "[::FFFF:0:0]", "[::ffff:c0a8:101]", "[::7f00:1]", "[::ffff:0:7f00:1]",
    "[64:ff9b::a00:1]",
    "[2002:7f00:1::]", "[2002:a01:203::1]", "[2002:c0a8:101:5::1]", "[::ffff:ac1f:1]",
  ])
  func isOfTheLocalNetwork(host: String) throws {
    for scheme in ["http", "https", "ssh"] { #expect(try Self.takes("local-network", host, scheme: scheme)) }
  }

  @Test(arguments: [
    "example.com", "localhost.example", "local.example", "lan.example", "notlocalhost.example", "x.arpa",
    "home.arpa.example", "mylocal.example", "a.xlan", "1.1.1.1", "11.0.0.1", "128.0.0.1", "126.255.255.255",
    "172.32.0.1", "172.15.0.1",
    "192.169.0.1", "169.253.0.1", "100.63.0.1", "100.128.0.1", "[2001:db8::1]", "[fe00::1]", "[ff02::1]",
    "[::ffff:808:808]", "[::808:808]", "[64:ff9b::808:808]", "[2002:808:808::1]", "[64:ff9b:2::1]", "[1::1]",
  ])
  func `A public host is not in the local network`(host: String) throws {
    for scheme in ["http", "ssh"] { #expect(try !Self.takes("local-network", host, scheme: scheme)) }
  }

  /// Browsers do not recognize these spellings as addresses in other schemes, but programs parse them with `inet_aton`.
  @Test(arguments: [
    "127.1", "0x7f.1", "0177.0.0.1", "127.0.1", "127.0.0.1.", "0x7f000001", "2130706433", "017700000001",
    "0X7F.0.1",
  ])
  func `Every spelling of an address is compared by value`(host: String) throws {
    for type in ["ipv4", "cidr(127.0.0.0/8)", "cidr(127.0.0.1/32)", "local-network"] {
      #expect(try Self.takes(type, host, scheme: "ssh"), "\(type)")
    }
    #expect(try !Self.takes("cidr(10.0.0.0/8)", host, scheme: "ssh"))
    let other = try RouteTablesTestSupport.table(of: RoutePattern("http://{h:ipv4}/"))
    #expect(throws: RouteTableError.self) { try other.match("http://\(host)/") }
  }

  @Test(arguments: [
    "8.8", "0x08080808", "134744072", "010.8.8.8", "126.16777215", "128.0", "256.1", "127.16777216",
    "1.2.3.4.5", "08.0.0.1",
  ])
  func `Addresses outside a block do not match`(host: String) throws {
    #expect(try !Self.takes("cidr(127.0.0.0/8)", host, scheme: "ssh"))
  }

  /// Compares the results with `inet_aton`, for random numbers in random spellings.
  @Test func `Numbers are parsed as programs parse them`() throws {
    var random = SystemRandomNumberGenerator()
    let blocks = [("10.0.0.0/8", 8), ("172.16.0.0/12", 12), ("192.0.2.128/25", 25), ("8.8.8.8/32", 32)]
    let tables = try blocks.map { try table(of: RoutePattern("ssh://{h:cidr(\($0.0))}/")) }
    for _ in 0..<2_000 {
      let count = Int.random(in: 1...4, using: &random)
      let bases: [UInt32] = [0x0A00_0000, 0xAC10_0000, 0xC000_0280, 0x0808_0808]
      let base: UInt32 = bases.randomElement(using: &random) ?? 0
      let value: UInt32 =
        Bool.random(using: &random) ? UInt32.random(in: 0...UInt32.max, using: &random) : base
      var labels: [String] = []
      for index in 0..<count {
        let shift = UInt32(8 * index)
        let rest: UInt32 = (value << shift) >> shift
        let part: UInt32 = index == count - 1 ? rest : (value >> (24 - shift)) & 0xFF
        let radix = [10, 8, 16].randomElement(using: &random) ?? 10
        let prefix = radix == 8 ? "0" : radix == 16 ? "0x00" : ""
        labels.append(prefix + String(part, radix: radix))
      }
      let host = labels.joined(separator: ".")
      var address = in_addr()
      try #require(inet_aton(host, &address) != 0)
      let own = UInt32(bigEndian: address.s_addr)
      for ((text, length), table) in zip(blocks, tables) {
        var first = in_addr()
        inet_aton(String(text.prefix { $0 != "/" }), &first)
        let isInside = (own ^ UInt32(bigEndian: first.s_addr)) >> UInt32(32 - length) == 0
        #expect((try table.match("ssh://\(host)/") != nil) == isInside, "\(host) in \(text)")
      }
    }
  }

  /// Tests that the text of an address equals that of hosts in URLs, for every run of zeros.
  @Test func `Every address has one canonical text`() throws {
    for zeros in 0..<256 {
      var bytes = [UInt8](repeating: 0, count: 16)
      for group in 0..<8 where zeros >> group & 1 == 0 { bytes[2 * group + 1] = UInt8(group + 1) }
      let text = AddressBlock(bytes, length: 128).description.dropLast(4)
      #expect(RegularLanguage.canonicalIPv6.contains("[\(text)]"), "\(text)")
      #expect(HostAddress.isLiteral(text.utf8), "\(text)")
    }
  }

  @Test func `The automaton of addresses agrees with the parser`() {
    var random = SystemRandomNumberGenerator()
    let parts = ["0", "1", "a", "f0", "10", "abcd", ":", ":", ":", "::", "01", "00000", "A", "g"]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...16, using: &random)).map { _ in
        parts.randomElement(using: &random) ?? ""
      }.joined()
      guard !text.contains("A"), !text.isEmpty else { continue }
      #expect(
        RegularLanguage.canonicalIPv6.contains("[\(text)]") == HostAddress.isLiteral(text.utf8), "\(text)")
    }
    for count in 1...8 {
      for zeros in 0..<256 {
        for gap in 0...count {
          var text = ""
          for group in 0..<count {
            if group == gap { text += group == 0 ? "::" : ":" }
            text += zeros >> group & 1 == 1 ? "0" : "5"
            if group < count - 1 || gap == count { text += ":" }
          }
          if gap == count { text += ":" }
          #expect(
            RegularLanguage.canonicalIPv6.contains("[\(text)]") == HostAddress.isLiteral(text.utf8), "\(text)"
          )
        }
      }
    }
  }

  /// Tests that the language of a random prefix accepts exactly the addresses with that prefix.
  @Test func `A block matches the addresses with its prefix`() throws {
    var random = SystemRandomNumberGenerator()
    for length in stride(from: 0, through: 128, by: 3) {
      var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
      if length % 2 == 0 { for index in 2..<10 { bytes[index] = 0 } }
      let (block, first) = (Self.prefix(of: bytes, length), AddressBlock(bytes, length: 128))
      let language = try block.language
      for _ in 0..<60 {
        var other = bytes
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          other[Int.random(in: 0..<16, using: &random)] =
            Bool.random(using: &random) ? 0 : UInt8.random(in: 0...255, using: &random)
        }
        let text = AddressBlock(other, length: 128).description.dropLast(4)
        #expect(
          language.contains("[\(text)]") == (Self.prefix(of: other, length) == block), "\(text) in \(block)")
      }
      #expect(language.contains("[\(first.description.dropLast(4))]"))
    }
  }

  private static func prefix(of bytes: [UInt8], _ length: Int) -> AddressBlock {
    let masked = bytes.enumerated().map { index, byte -> UInt8 in
      let bits = min(max(length - 8 * index, 0), 8)
      return bits == 0 ? 0 : byte & (0xFF << UInt8(8 - bits))
    }
    return AddressBlock(masked, length: length)
  }

  /// Tests that a longer prefix is narrower, and that two separate prefixes have no common address.
  @Test func `Blocks include each other as their prefixes do`() throws {
    let order = [
      "cidr(10.1.2.3/32)", "cidr(10.1.2.0/24)", "cidr(10.1.0.0/16)", "cidr(10.0.0.0/8)", "cidr(0.0.0.0/1)",
      "ipv4",
    ]
    let six = [
      "cidr(fd00:1::1/128)", "cidr(fd00:1::/32)", "cidr(fd00::/8)", "cidr(fc00::/7)", "cidr(8000::/1)",
      "ipv6",
    ]
    func language(_ type: String) throws -> RegularLanguage {
      try #require(try RoutePattern("x://{h:\(type)}/").captures.first).type.language
    }
    for chain in [order, six] {
      for (index, one) in chain.enumerated() {
        for other in chain[(index + 1)...] {
          #expect(try language(one).relation(to: language(other)) == .narrower, "\(one) \(other)")
        }
      }
    }
    #expect(try language("ipv4").relation(to: language("ipv6")) == .disjoint)
    #expect(try language("cidr(10.0.0.0/8)").relation(to: language("cidr(11.0.0.0/8)")) == .disjoint)
    #expect(try language("cidr(0.0.0.0/0)") == language("ipv4"))
    #expect(try language("cidr(::/0)") == language("ipv6"))
    for type in ["cidr(10.0.0.0/8)", "cidr(fc00::/7)", "cidr(127.0.0.0/8)", "cidr(::1/128)"] {
      #expect(try language(type).relation(to: language("local-network")) == .narrower, "\(type)")
    }
    #expect(try language("local-network").relation(to: language("ipv4")) == .crossing)
  }

  @Test(arguments: ["http", "ssh"])
  func `The narrower type wins`(scheme: String) throws {
    let patterns = ["{h...}", "{h}", "{h:ipv4}", "{h:cidr(10.0.0.0/8)}", "{h:cidr(10.1.0.0/16)}", "10.1.2.3"]
    let table = try table(patterns.map { "\(scheme)://\($0)/" })
    for (host, winner) in [
      ("10.1.2.3", 5), ("10.1.2.4", 4), ("10.2.2.4", 3), ("11.2.2.4", 2), ("printer", 1), ("a.example", 0),
      ("[::ffff:a01:203]", 4), ("[::1]", 1),
    ] {
      #expect(
        try table.match("\(scheme)://\(host)/")?.action == "\(scheme)://\(patterns[winner])/", "\(host)")
    }
    let check = table.check()
    #expect(check.findings.isEmpty && check.isComplete, "\(check)")
  }

  /// Tests that two halves of all addresses shadow the whole, and that one more host removes the shadow.
  @Test(arguments: ["http", "ssh"])
  func `A shadowed route is proven to be shadowed`(scheme: String) throws {
    let halves = ["\(scheme)://{h:cidr(0.0.0.0/1)}/", "\(scheme)://{h:cidr(128.0.0.0/1)}/"]
    let all = "\(scheme)://{h:ipv4}/"
    let shadowed = try table(halves + [all]).check()
    #expect(shadowed.isComplete)
    #expect(shadowed.findings.map(\.route.id) == [all], "\(shadowed)")
    let open = try table([halves[0], "\(scheme)://{h:cidr(128.0.0.0/2)}/", all]).check()
    #expect(open.isComplete && open.findings.isEmpty, "\(open)")
    let six = try table([
      "\(scheme)://{h:cidr(::/1)}/", "\(scheme)://{h:cidr(8000::/1)}/", "\(scheme)://{h:ipv6}/",
    ]).check()
    #expect(six.isComplete && six.findings.count == 1, "\(six)")
  }

  @Test func `Overlapping types conflict, with a host that both match`() throws {
    let error = refusal { () throws(RouteTableError) in
      _ = try table(["http://{h:local-network}/", "http://{h:ipv4}/"])
    }
    guard case .conflicts(let conflicts)? = error?.reason else {
      Issue.record("no conflict")
      return
    }
    let witness = try #require(conflicts.first).witness.url
    for type in ["local-network", "ipv4"] {
      #expect(try table(of: RoutePattern("http://{h:\(type)}/")).match(witness) != nil, "\(witness)")
    }
    let same = refusal { () throws(RouteTableError) in
      _ = try table(["http://{h:ipv4}/", "http://{x:cidr(0.0.0.0/0)}/"])
    }
    #expect(same != nil)
  }

  /// Tests that names and addresses in other patterns are narrower than the local network, and win.
  @Test func `Literals precede the local network`() throws {
    let others = [
      "http://localhost/", "http://*.localhost/", "http://printer.lan/", "http://[::1]/",
      "http://{h:cidr(10.0.0.0/8)}/",
      "http://x.home.arpa/",
    ]
    let table = try table(others + ["http://{h:local-network}/"])
    for (host, winner) in zip(
      ["localhost", "a.localhost", "printer.lan", "[::1]", "10.0.0.1", "x.home.arpa"], others)
    {
      #expect(try table.match("http://\(host)/")?.action == winner)
    }
    #expect(try table.match("http://a.lan/")?.action == "http://{h:local-network}/")
    let check = table.check(isStrict: true)
    #expect(check.isComplete && check.findings.isEmpty, "\(check)")
  }

  @Test func `The capture is the host as written`() throws {
    for (pattern, url, text) in [
      ("http://{h:ipv4}/", "http://10.1.2.3/", "10.1.2.3"),
      ("http://{h:ipv6}/", "http://[fd00::1]/", "[fd00::1]"),
      ("http://{h:ipv4}:*/", "http://[::ffff:a01:203]:80/", "[::ffff:a01:203]"),
      ("http://{h:local-network}/", "http://a.b.local/", "a.b.local"),
      ("http://{h:local-network}/", "http://x.home.arpa/", "x.home.arpa"),
      ("http://{h:local-network}/", "http://printer/", "printer"),
      ("ssh://{h:cidr(127.0.0.0/8)}/", "ssh://0x7f.1/", "0x7f.1"),
      ("ssh://{u}@{h:local-network}/", "ssh://ada@127.1/", "127.1"),
    ] {
      let match = try #require(try table(of: RoutePattern(pattern)).match(url))
      #expect(match["h"] == text, "\(pattern) \(url)")
      #expect(match.values.last?.value == .string(text), "\(pattern) \(url)")
    }
  }

  @Test func `A URL can be generated from an address`() throws {
    let table = try table(of: RoutePattern("http://{h:local-network}/x"))
    for host in ["10.0.0.1", "[fd00::1]", "a.local", "printer"] {
      #expect(try table.generate("one", ["h": .string(host)]) == "http://\(host)/x")
    }
    #expect(throws: RouteGenerationError.self) { try table.generate("one", ["h": .string("a.example")]) }
    #expect(throws: RouteGenerationError.self) { try table.generate("one", ["h": .string("8.8.8.8")]) }
  }

  @Test(arguments: [
    "http://{h:ipv4}/", "http://{h:cidr(10.0.0.0/8)}:*/{p...}", "ssh://{h:cidr(fd00::/8)}/",
    "http://{h:local-network}/",
  ])
  func `A pattern is printed as it is written`(text: String) throws {
    let pattern = try RoutePattern(text)
    #expect(pattern.description == text)
    #expect(try RoutePattern(pattern.description) == pattern)
  }

  @Test func `Spellings of a block are one type`() throws {
    #expect(
      try RoutePattern("http://{h:cidr(FD00:0:0::/16)}/") == RoutePattern("http://{h:cidr(fd00::/16)}/"))
  }

  @Test(arguments: [
    ("http://{h:cidr(10.0.0.1/8)}/", "write `cidr(10.0.0.0/8)`, or `cidr(10.0.0.1/32)`"),
    ("http://{h:cidr(10.0.0.0)}/", "is not an address block: write `cidr(10.0.0.0/8)`"),
    ("http://{h:cidr(10.0/8)}/", "is not an address block"),
    ("http://{h:cidr(10.0.0.0/33)}/", "is not an address block"),
    ("http://{h:cidr(::ffff:a00:0/104)}/", "write `cidr(10.0.0.0/8)`"),
    ("http://{h:cidr(:1/128)}/", "is not an address block"),
    ("http://{h:cidr(1::2::3/64)}/", "is not an address block"), ("http://{h:cidr}/", "needs parentheses"),
    ("http://{h:ipv4(3)}/", "has no length"), ("http://{h:ipv4}.example/", "is a whole host"),
    ("http://a.{h:ipv4}/", "is a whole host"), ("http://x{h:ipv4}/", "is a whole host"),
    ("http://*.{h:ipv4}/", "is a whole host"),
    ("http://{h:ipv4...}/", "is a whole host"), ("http://{h:ipv4?}/", "optional"),
    ("http://a.example/{h:ipv4}", "is a whole host"),
    ("http://a.example/?h={h:local-network}", "is a whole host"),
    ("http://{h:ipv4}@a.example/", "is a whole host"),
    (#"http://{ip:/10\..*/}/"#, "`{ip:cidr(10.0.0.0/8)}`"), (#"http://{ip:/\[.*\]/}/"#, "`{ip:ipv6}`"),
    ("http://{ip:/[A-Z]+/}/", "a label is lowercase"),
    (#"http://{ip:/192\.168\..*/}/"#, "an address is not a label"),
    (#"http://{h:/a\.b/}/"#, "between dots"),
  ])
  func isRefusedWithWhatToWrite(pattern: String, part: String) throws {
    let error = try #require(throws: RouteTableError.self) { try RoutePattern(pattern) }
    #expect(error.message.contains(part), "\(error.message)")
  }

  @Test(arguments: [
    "http://{ip:/127.*/}/", "http://{ip:/[0-9.]+/}/", "https://{ip:/.*1/}:*/", "http://10.{a}.{b}.{c}/",
    "http://10.0.0.{d:uint}/",
    "http://{:10|11}.0.0.{:1|2}/", "http://127.0.0.{:1|2}/",
  ])
  func `A warning suggests the address types`(pattern: String) throws {
    let warnings = try RoutePattern(pattern).warnings
    #expect(warnings.count == 1 && warnings[0].contains("`{ip:ipv4}`"), "\(warnings)")
  }

  @Test(arguments: [
    "http://{h}/", "http://{h...}/", "http://{h:slug}/", "http://{h:/.+/}/", "http://{h:/[a-z]+[0-9]/}/",
    "http://10.0.0.1/", "http://{h:ipv4}/",
    "http://{a}.{b}.{c}.{d}/", "app://10.{a}.{b}.{c}/", "https://10.{a}.b.example/",
    "http://{ip:/127[^.]*/}.example/",
  ])
  func `A usual host pattern has no warning`(pattern: String) throws {
    #expect(try RoutePattern(pattern).warnings.isEmpty)
  }

  @Test func `The languages are far below the limit`() throws {
    for type in RouteType.hosts + [try .cidr("8000::/1"), try .cidr("::/3"), try .cidr("2001:db8::/47")] {
      #expect(!type.language.isEmpty)
      #expect(
        type.language.automaton.stateCount < RegularLanguage.maximumStates * 3 / 4,
        "\(type): \(type.language.automaton.stateCount)")
    }
  }
}
