// SPDX-License-Identifier: Apache-2.0
import Testing

/// Test cases of matchit about braces, parts of segments and conflicts.
@Suite struct RustRouterPartTests {
  @Test(arguments: [
    RouterTable(
      "braces",
      """
      /
      /{{
      /}}
      /{{x
      /}}y{{
      /xy{{
      /{{/xyz
      /{bar}
      /{bar}/
      /{bar}/x
      /baz/{xxx}
      /baz/{xxx}/xy{{
      /baz/{xxx}/}}xy{{{{
      /{{/{x}
      /xxx/
      /xxx/{x}
      """,
      urls: """
        /  /
        /{  /{{
        /}  /}}
        /{x  /{{x
        /}y{  /}}y{{
        /xy{  /xy{{
        /{/xyz  /{{/xyz
        /foo  /{bar}  bar=foo
        /{{  /{bar}  bar={{
        /{{}}/  /{bar}/  bar={{}}
        /{{}}{{/x  /{bar}/x  bar={{}}{{
        /baz/x  /baz/{xxx}  xxx=x
        /baz/x/xy{  /baz/{xxx}/xy{{  xxx=x
        /baz/x/xy{{  none
        /baz/x/}xy{{  /baz/{xxx}/}}xy{{{{  xxx=x
        /{/{{  /{{/{x}  x={{
        /xxx  /{bar}  bar=xxx
        /xxx/  /xxx/
        /xxx/foo  /xxx/{x}  x=foo
        """),
    RouterTable(
      "no capture of a path is empty",
      """
      /y/{foo}
      /x/{foo}/z
      /a/x{foo}
      /b/{foo}x
      """,
      urls: """
        /y/  none
        /x//z  none
        /a/x  none
        /b/x  none
        /a/xy  /a/x{foo}  foo=y
        /b/yx  /b/{foo}x  foo=y
        """),
    RouterTable(
      "a capture and what follows it",
      """
      /
      /{foo}x
      /foox
      /{foo}x/bar
      /{foo}x/bar/baz
      """,
      urls: """
        /  /
        /foox  /foox
        /barx  /{foo}x  foo=bar
        /mx  /{foo}x  foo=m
        /mx/  none
        /mxm  none
        /mx/bar  /{foo}x/bar  foo=m
        /mxm/bar  none
        /x  none
        /xfoo  none
        /xfoox  /{foo}x  foo=xfoo
        /xfoox/bar  /{foo}x/bar  foo=xfoo
        /xfoox/bar/baz  /{foo}x/bar/baz  foo=xfoo
        """),
    RouterTable(
      "longer and shorter ends",
      """
      /
      /{f}o/b
      /{f}oo/b
      /{f}ooo/b
      /{f}oooo/b
      /foo/b
      /foo/{b}
      /foo/{b}one
      /foo/{b}one/
      /foo/{b}two
      /foo/{b}/one
      /foo/{b}one/one
      /foo/{b}two/one
      /foo/{b}one/one/
      /bar/{b}one
      /bar/{b}
      /bar/{b}/baz
      /bar/{b}one/baz
      /baz/{b}/bar
      /baz/{b}one/bar
      """,
      urls: """
        /  /
        /o/b  none
        /fo/b  /{f}o/b  f=f
        /foo/b  /foo/b
        /fooo/b  /{f}ooo/b  f=f
        /foooo/b  /{f}oooo/b  f=f
        /foooooo/b  /{f}oooo/b  f=foo
        /foo/b/  none
        /foooo/b/  none
        /foo/bb  /foo/{b}  b=bb
        /foo/bone  /foo/{b}one  b=b
        /foo/bone/  /foo/{b}one/  b=b
        /foo/btwo  /foo/{b}two  b=b
        /foo/btwo/  none
        /foo/b/one  /foo/{b}/one  b=b
        /foo/bone/one  /foo/{b}one/one  b=b
        /foo/bone/one/  /foo/{b}one/one/  b=b
        /foo/btwo/one  /foo/{b}two/one  b=b
        /bar/b  /bar/{b}  b=b
        /bar/b/baz  /bar/{b}/baz  b=b
        /bar/bone  /bar/{b}one  b=b
        /bar/bone/baz  /bar/{b}one/baz  b=b
        /baz/b/bar  /baz/{b}/bar  b=b
        /baz/bone/bar  /baz/{b}one/bar  b=b
        """),
    RouterTable(
      "what RFC 3986 lets stand in a segment",
      """
      /sd!here
      /sd$here
      /sd&here
      /sd'here
      /sd(here
      /sd)here
      /sd+here
      /sd,here
      /sd;here
      /sd=here
      /sd*here
      /sd:here
      /sd@here
      /β
      /ʯ
      """,
      urls: """
        /sd!here  /sd!here
        /sd$here  /sd$here
        /sd&here  /sd&here
        /sd'here  /sd'here
        /sd(here  /sd(here
        /sd)here  /sd)here
        /sd+here  /sd+here
        /sd,here  /sd,here
        /sd;here  /sd;here
        /sd=here  /sd=here
        /sd*here  /sd*here
        /sd:here  /sd:here
        /sd@here  /sd@here
        /sd%21here  /sd!here
        /β  /β
        /%CE%B2  /β
        /ʯ  /ʯ
        /CE  none
        """),
  ])
  func matchit(table: RouterTable) throws { try table.check() }

  @Test(
    arguments: RouterPair.pairs(
      """
      /foo/{name}  equal  /foo/{names}
      /x/{foo}/bar  equal  /x/{bar}/bar
      /{y}/bar/baz  equal  /{z}/bar/baz
      /user_{name}  equal  /user_{bar}
      /src/{path...}  equal  /src/{rest...}
      /cmd/vet  narrower  /cmd/{tool}
      /cmd/{tool}/misc  narrower  /cmd/{tool}/{sub}
      /cmd/{tool}/{sub}  narrower  /cmd/{path...}  # matchit refuses it
      /src/{file}  narrower  /src/{path...}  # matchit refuses it
      /src/static.json  narrower  /src/{path...}
      /user_x  narrower  /user_{name}
      /x/{id}y  narrower  /x/{id}
      /bar/x{id}y  narrower  /bar/{id}
      /x/prefix{a}suffix  narrower  /x/prefix{a}
      /x/prefix{a}suffix  narrower  /x/{a}suffix
      /x/prefix{a}suffixy  disjoint  /x/{a}suffix
      /x/prefix1{a}  narrower  /x/prefix{a}
      /x/prefix1{a}  disjoint  /x/prefix2{a}
      /x/prefix{a}  crosses  /x/{a}suffix
      /x/suffix{a}prefix  disjoint  /x/{a}suffix
      /x/{a}suffix  disjoint  /x/{a}suff
      /x/prefix{a}suff  disjoint  /x/prefix{a}suffix
      /x/{a}suffix  narrower  /x/{rest...}
      /id{id}  disjoint  /id/{id}
      /bar  disjoint  /bar/{foo...}
      /bar/  narrower  /bar/{foo...}
      /  narrower  /{path...}
      """))
  func matchitsInserts(pair: RouterPair) throws { try pair.check() }
}
