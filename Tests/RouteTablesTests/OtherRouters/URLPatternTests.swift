// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
@testable import RouteTables
import TestSupport
import Testing

/// Test cases of the Web Platform Tests for `URLPattern`, as far as the languages agree.
@Suite(.computes) struct URLPatternTests {
  @Test(arguments: [
    RouterTable(
      "literals", "/foo/bar",
      urls: """
        /foo/bar  /foo/bar
        /foo/ba  none
        /foo/bar/  none
        /foo/bar/baz  none
        https://example.com/foo/bar  /foo/bar
        https://example.com/foo/bar/baz  none
        https://example.com/foo/./bar  /foo/bar
        https://example.com/foo/x/../bar  /foo/bar
        foo/bar  throws
        """),
    RouterTable(
      "a whole URL", "https://example.com/foo/bar",
      urls: """
        https://example.com/foo/bar  https://example.com/foo/bar
        https://example.com/foo/bar?otherquery#otherhash  https://example.com/foo/bar
        https://other.com/foo/bar  none
        http://example.com/foo/bar  none
        https://example.com:8080/foo/bar  none
        """),
    RouterTable(
      "one segment", "/foo/{bar}",
      urls: """
        /foo/bar  /foo/{bar}  bar=bar
        /foo/index.html  /foo/{bar}  bar=index.html
        /foo/bar/  none
        /foo/  none
        """),
    RouterTable(
      "the rest, be it empty", "/foo/{x...}",
      urls: """
        /foo/bar  /foo/{x...}  x=[bar]
        /foo/bar/baz  /foo/{x...}  x=[bar,baz]
        /foo/  /foo/{x...}  x=[]
        /foo  none
        /foobar  none
        """),
    RouterTable(
      "a rest that may be absent", "/foo/{x...?}",
      urls: """
        /foo/bar  /foo/{x...?}  x=[bar]
        /foo/bar/baz  /foo/{x...?}  x=[bar,baz]
        /foo/  /foo/{x...?}  x=[]
        /foo  /foo/{x...?}
        /foobar  none
        /fo  none
        """),
    RouterTable(
      "a segment that may be absent", "/foo/{bar?}",
      urls: """
        /foo/bar  /foo/{bar?}  bar=bar
        /foo  /foo/{bar?}
        /foo/  none
        /foobar  none
        /foo/bar/baz  none
        """),
    RouterTable(
      "segments, none of them empty",
      """
      plus: /foo/{bar:/.+/...}
      star: /goo/{bar:/.+/...?}
      """,
      urls: """
        /foo/bar  plus  bar=[bar]
        /foo/bar/baz  plus  bar=[bar,baz]
        /foo  none
        /foo/  none
        /foobar  none
        /goo/bar/baz  star  bar=[bar,baz]
        /goo  star
        /goo/  none
        """),
    RouterTable(
      "groups",
      """
      maybe: /foo{:/bar|}
      more: /goo/{x:/bar/...}
      any: /hoo/{x:/bar/...?}
      """,
      urls: """
        /foo/bar  maybe
        /foo  maybe
        /foo/bar/baz  none
        /foo/  none
        /goo/bar  more  x=[bar]
        /goo/bar/bar  more  x=[bar,bar]
        /goo/bar/baz  none
        /goo  none
        /hoo  any
        /hoo/bar/bar  any  x=[bar,bar]
        /hoo/  none
        """),
    RouterTable(
      "percent-encoding is one text, however it is written",
      """
      /caf%C3%A9
      /x?q=café
      /x#café
      https://café@h/
      /foo!
      /foo:
      /foo{{
      """,
      urls: """
        /café  /caf%C3%A9
        /caf%c3%a9  /caf%C3%A9  # a lower-case escape matches nothing in URLPattern
        /x?q=caf%C3%A9  /x?q=café
        /x#caf%c3%a9  /x#café
        https://caf%C3%A9@h/  https://café@h/
        /foo!  /foo!
        /foo%21  /foo!
        /foo:  /foo:
        /foo%7B  /foo{{
        """),
    RouterTable(
      "query and fragment",
      """
      both: https://example.com:8080/foo?bar#baz
      query: https://example.com?foo
      hash: https://example.com#foo
      rest: https://example.com/{x...}?foo
      name: https://example.com/{name}?foo
      """,
      urls: """
        https://example.com:8080/foo?bar#baz  both
        https://example.com:8080/foo?bar#other  none
        https://example.com/?foo  query
        https://example.com/#foo  hash
        https://example.com/?foo#foo  query  # the query comes before the fragment
        https://example.com/bar?foo  name  name=bar
        https://example.com/a/b?foo  rest  x=[a,b]
        https://example.com/?x&foo=1  query  # items, in any order, beside others
        """),
    RouterTable(
      "schemes, hosts and ports",
      """
      sub: http{:s|}://{x...?}.example.com/{product}/{endpoint}
      one: https://{:sub.|}example.org/foo
      file: file:///foo/bar
      data: data:foobar
      about: about:{:blank|sourcedoc}
      number: data:{number:/[0-9]+/}
      foo: foo://bar
      six: http://[::1]/
      """,
      urls: """
        https://sub.example.com/foo/bar  sub  x=[sub] product=foo endpoint=bar
        http://example.com/foo/bar  sub  product=foo endpoint=bar
        https://example.org/foo  one
        https://sub.example.org/foo  one
        https://x.example.org/foo  none
        file:///foo/bar  file
        data:foobar  data
        data:8675309  number  number=8675309
        about:blank  about
        foo://bad_url_browser_interop  none
        foo://bar  foo
        http://[::1]/  six
        http://[::1]:80/  six
        http://[::AB]/  none
        """),
    RouterTable(
      "users",
      """
      both: https://foo:bar@example.com
      name: https://foo@example.com
      open: https://{user}:{pass}@example.com
      """,
      urls: """
        https://foo:bar@example.com  both
        https://foo@example.com  name
        https://a:b@example.com  open  user=a pass=b
        https://a@example.com  none
        https://example.com  none
        """),
  ])
  func webPlatformTests(table: RouterTable) throws { try table.check() }

  @Test(
    arguments: RouterPair.pairs(
      """
      https://example.com/  equal  https://example.com:443
      https://example.com/  disjoint  https://example.com:8080/
      http://example.com:80/  equal  http://example.com/
      /foo/{bar}  equal  /foo/{baz}
      /foo/bar  narrower  /foo/{x...}
      /foo/../bar  equal  /bar
      /caf%c3%a9  equal  /café
      https://{x...?}.h/  shares  https://h/
      {:http|https}://h/  shares  https://h/
      """))
  func comparedComponents(pair: RouterPair) throws { try pair.check() }

  /// URLPattern maps hosts to punycode; this library expects mapped hosts, and rejects others.
  @Test func `An international host is written as browsers pass it on`() throws {
    try RouterTable(
      "hosts", "https://xn--caf-dma.com/",
      urls: """
        https://XN--CAF-DMA.com/  https://xn--caf-dma.com/
        https://café.com/  throws
        https://th%C3%A9.com/  throws
        """
    ).check()
  }

  /// A browser writes each address in one form; other spellings match no route, so that they cannot bypass a denial.
  @Test(arguments: [
    "http://[0:0:0:0:0:0:0:1]/", "http://[::0001]/", "http://[0::1]/", "http://[1:0:0:2:3::4]/",
    "http://[1::2:0:0:0:3]/",
    "http://[::ffff:127.0.0.1]/", "http://[1:2:3:4:5:6:7]/", "http://[1::2::3]/", "http://[::12345]/",
    "http://[x]/", "http://[v1.a]/", "http://[v]/", "https://[vb.bad.example]/", "ws://[V7f000001]/",
    "http://127.1/", "http://0x7f000001/", "http://0x7F.0.0.1/", "http://2130706433/", "http://127.0.0.01/",
    "http://127.0.0.1./", "http://127.0.0.256/", "http://h.1/", "http://%31%32%37.1/", "ftp://1.2.3/",
    "file://1/x",
    "http://127.0.0.0x/", "https://a.example.127.0x1f/",
    "http://0x0000000000000000007f00000a/", "https://a.example.0x0000000000000000007f/",
  ])
  func `An address has one spelling`(url: String) throws {
    let routes = try table(["http://*:*/{p...}", "file://*/{p...}", "/{p...}", "ftp://*/"])
    #expect(
      refusal { () throws(RouteTableError) in _ = try routes.match(url) }?.reason == .unusualAddress, "\(url)"
    )
    #expect(
      refusal { () throws(RouteTableError) in _ = try RoutePattern(url) }?.reason == .unusualAddress
        || url.contains("%"), "\(url)")
  }

  @Test(arguments: [
    "http://[::1]/", "http://[::]/", "http://[2001:DB8::1]/", "http://[1:0:2:3:4:5:6:7]/",
    "http://[1::2:0:0:3]/",
    "http://[1:0:0:2::]/", "http://[fe80::1:0:0:1]/", "http://127.0.0.1/",
    "http://0.0.0.0/", "app://7/",
    "app://127.1/", "http://h1/", "http://1h/", "http://0xg/", "http://1.h/", "http://0x1.h/", "http://h./",
  ])
  func `Texts are recognised as addresses or rejected`(url: String) throws {
    #expect(try matches(url, url), "\(url)")
    #expect(try matches(url, url.uppercased()), "\(url)")
  }

  @Test func `A final dot of a host is ignored`() throws {
    #expect(try matches("https://h.example/a", "https://h.example./a"))
    #expect(try matches("https://h.example./a", "https://h.example/a"))
    #expect(try matches("https://{t}.example/a", "https://h.example./a"))
    #expect(try !matches("https://h.example/a", "https://h.example../a"))
  }
}
