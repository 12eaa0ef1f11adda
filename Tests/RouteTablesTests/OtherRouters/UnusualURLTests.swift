// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
import Testing

/// Unusual URLs that the test cases of other routers lack: about hosts, segments and values.
@Suite struct UnusualURLTests {
  @Test(arguments: [
    RouterTable(
      "whose host it is", "https://trusted.example/{p...}",
      urls: #"""
        https://trusted.example  https://trusted.example/{p...}  p=[]
        https://TRUSTED%2Eexample:443/a  https://trusted.example/{p...}  p=[a]
        https://trusted.example:/a  https://trusted.example/{p...}  p=[a]
        https://trusted.example:0443/a  https://trusted.example/{p...}  p=[a]
        https://trusted.example@evil.example/  none
        https://trusted.example:pw@evil.example/  none
        https://evil.example@trusted.example/  none
        https://evil.example#@trusted.example/  none
        https://evil.example?@trusted.example/  none
        https://evil.example\@trusted.example/  throws
        https://trusted.example.evil.example/  none
        https://trusted.example%2eevil.example/  none
        https://trusted.example%00.evil.example/  throws
        https://trusted.example%2F.evil.example/  throws
        https://eviltrusted.example/  none
        https://trusted.example./  https://trusted.example/{p...}  p=[]
        https:trusted.example/  throws
        https:/trusted.example/  throws
        https:////trusted.example/  throws
        https://trusted.example:443:80/  throws
        https://trusted.example:+443/  throws
        https://trusted.example:65536/  throws
        https://[::1/  throws
        """#),
    RouterTable(
      "what a segment is",
      """
      /a/b
      /a//b
      /a/{x}
      /dot/...
      /semi;v=1/{y}
      """,
      urls: """
        /a/./b  /a/b
        /a/%2e/b  /a/b
        /a/x/../b  /a/b
        /a/x/.%2E/b  /a/b
        /../../a/b  /a/b
        /a/b/  none
        /a//b  /a//b
        //a/b  none
        /a%2Fb  none
        /a/..%2Fb  /a/{x}  x=../b
        /a/%252e%252e  /a/{x}  x=%2e%2e
        /a/%2562  /a/{x}  x=%62
        /a/%62  /a/b
        /%61/%62  /a/b
        /A/b  none
        /dot/...  /dot/...
        /semi;v=1/2  /semi;v=1/{y}  y=2
        /semi%3Bv=1/2  /semi;v=1/{y}  y=2
        /semi;v=2/2  none
        /a/%C3%28  throws
        /a/%C0%AF  throws
        /a/%ED%A0%80  throws
        /a/%  throws
        """),
    RouterTable(
      "what an item of the query is",
      """
      /v?k={v}
      /eq?k=b=c
      /int?n={n:int}
      /list?n={n:uint*}
      /arr?x[]={x*}
      /no?k&!l
      /opt?p={p:uint=1}&q={q?}
      """,
      urls: """
        /v?k=b=c  /v?k={v}  v=b=c
        /v?%6B=1  /v?k={v}  v=1
        /v?=1&k=2  /v?k={v}  v=2
        /v?&&k=2&  /v?k={v}  v=2
        /v?k=a?b/c  /v?k={v}  v=a?b/c
        /v?k=%26%3D  /v?k={v}  v=&=
        /v?k=%2B+%20  /v?k={v}  v=+%20%20
        /v?k=1&k=2  /v?k={v}  v=1
        /v??k=1  none
        /v?K=1  none
        /v#?k=1  none
        /v?k=%zz  throws
        /eq?k=b%3Dc  /eq?k=b=c
        /eq?k=b  none
        /int?n=-7  /int?n={n:int}  n=-7
        /int?n=+7  none
        /int?n=007  none
        /int?n=7.0  none
        /int?n=٧  none
        /int?n=9223372036854775808  none
        /list?n=1&x&n=2  /list?n={n:uint*}  n=[1,2]
        /list?n=1&n=b  none
        /list  none
        /arr?x%5B%5D=1&x[]=2  /arr?x[]={x*}  x=[1,2]
        /no?k  /no?k&!l
        /no?l&k  none
        /no?k&L  /no?k&!l
        /opt?p=x  /opt?p={p:uint=1}&q={q?}  p=1
        /opt?q=  /opt?p={p:uint=1}&q={q?}  p=1 q=
        /opt?p=2#p=3  /opt?p={p:uint=1}&q={q?}  p=2
        """),
    RouterTable(
      "where one capture ends and the next begins",
      """
      /1/{a}-{b:int}
      /2/{a:int}-{b}
      /3/{a}.{b}
      /4/ab{x}bc
      /5/{:a|ab}{x}
      /6/{a}{:-|--}{b}
      /7/{a...}/x/{b...}/x
      /8/{a...?}/x/{b...?}
      /9/{p:slug...}/edit
      """,
      urls: """
        /1/x-1-2  /1/{a}-{b:int}  a=x-1 b=2
        /1/x--1  /1/{a}-{b:int}  a=x- b=1
        /1/x-01  none
        /2/1-2-3  /2/{a:int}-{b}  a=1 b=2-3
        /2/-1--2  /2/{a:int}-{b}  a=-1 b=-2
        /3/a.b.c  /3/{a}.{b}  a=a.b b=c
        /3/.a.b  /3/{a}.{b}  a=.a b=b
        /3/a.  none
        /4/abc  none
        /4/abbc  none
        /4/abbcbc  /4/ab{x}bc  x=bc
        /5/abc  /5/{:a|ab}{x}  x=c  # so does a choice, whichever text stands first
        /5/ab  /5/{:a|ab}{x}  x=b
        /6/x--y  /6/{a}{:-|--}{b}  a=x- b=y
        /7/1/x/2/x/3/x  /7/{a...}/x/{b...}/x  a=[1] b=[2,x,3]
        /7/x/x/x/x  /7/{a...}/x/{b...}/x  a=[x] b=[x]
        /7/x/x/x  none
        /8/x  /8/{a...?}/x/{b...?}
        /8/1/x  /8/{a...?}/x/{b...?}  a=[1]
        /8/x/2  /8/{a...?}/x/{b...?}  b=[2]
        /8/1/x/2  /8/{a...?}/x/{b...?}  a=[1] b=[2]
        /9/edit/edit  /9/{p:slug...}/edit  p=[edit]
        /9/a/B/edit  none
        """),
    RouterTable(
      "schemes without a host",
      """
      empty: app:
      slash: app:/
      rest: app:{a}/{b...}
      rooted: app:/{a}/{b...}
      host: app://{h}/{b...}
      """,
      urls: """
        app:  empty
        app:?x#y  empty
        app:/  slash
        app:/.  slash
        app:1/2  rest  a=1 b=[2]
        app:../2  rest  a=.. b=[2]
        app:/1/2  rooted  a=1 b=[2]
        app:/1/../2/3  rooted  a=2 b=[3]
        app://1/2  host  h=1 b=[2]
        app:///1/2  none
        APP:1/2  rest  a=1 b=[2]
        app  throws
        1app:1  throws
        """),
  ])
  func unusual(table: RouterTable) throws { try table.check() }

  @Test(
    arguments: RouterPair.pairs(
      #"""
      /s?z  leftmost  /s?!a  /s?z
      /s?a&!b  narrower  /s?a
      /s?a=1&b=2  leftmost  /s?a=1&!c  /s?a=1&b=2
      /s?a=1  leftmost  /s?b=1  /s?a=1&b=1
      /s?a={x*}  equal  /s?a={y}
      /s?a={x:int*}  narrower  /s?a={y:int}
      /s?k  leftmost  /s#f  /s?k#f
      /{x:a|b}  equal  /{y:/[ab]/}
      /{:a|b}  equal  /{y:a|b}
      /{x:/a+/}  narrower  /{x:/a*b?/}
      /{x:/(a|b)*c/}  narrower  /{x:/[a-c]+/}
      /a{x}  crosses  /{x}z
      /a{x}  crosses  /{x:slug}
      /{x:uint}  crosses  /{x:hex(2)}
      /{x:uint}-{y}  narrower  /{x}-{y}
      /{x}/{y:int}  leftmost  /{r...}/7  /a/7
      /{r...}/{x:int}  narrower  /{r...}/{x}
      /{a...}/x/{b...}  narrower  /{a...}
      /{a...}/x/{b...}  leftmost  /{a...}/x  /x/x/x
      {:http|https}://h/  disjoint  ftp://h/
      https://{a}.b.c/  narrower  https://{x...}.c/
      https://h/{x}  narrower  https://*:*/{x}
      https://u@h/  narrower  https://{u}@h/
      https://u@h/  disjoint  https://h/
      https://*:8443/{a}  equal  https://*:8443/{b}
      https://*:8443/{a}  narrower  https://*:*/{p...}
      app:{r...}/7?k={x:int}  crosses  app:{s...}/7?k={y:slug}
      """#))
  func pairs(pair: RouterPair) throws { try pair.check() }

  /// The prefix `*.` corresponds to `{x...}.` without a name.
  @Test(arguments: ["https://.h/", "https://a..h/"])
  func `A label that a star matches is not empty`(url: String) throws {
    #expect(try !matches("https://*.h/", url))
  }

  @Test(
    arguments: RouterPair.pairs(
      """
      https://*.h/  equal  https://{x...}.h/
      https://*.h/  shares  https://{x...?}.h/
      """))
  func `A star is a catch-all without a name`(pair: RouterPair) throws { try pair.check() }
}
