// SPDX-License-Identifier: Apache-2.0
import Testing

/// Test cases of path-to-regexp and vue-router.
@Suite struct PathToRegexpTests {
  @Test(arguments: [
    RouterTable(
      "path-to-regexp: one capture",
      """
      /
      /{test}
      """,
      urls: """
        /  /
        /route  /{test}  test=route
        /route.json  /{test}  test=route.json
        /route/  none  # a slash at the end counts
        /route/test  none
        /caf%C3%A9  /{test}  test=café
        /;,:@&=+$-_.!~*()  /{test}  test=;,:@&=+$-_.!~*()
        /param%2523  /{test}  test=param%23
        """),
    RouterTable(
      "path-to-regexp: slashes and case are options",
      """
      [case] [slash] /test
      /TEST2
      """,
      urls: """
        /test/  /test
        /TEST/  /test
        /test//  none
        /test/route  none
        /test2  none
        /TEST2  /TEST2
        """),
    RouterTable(
      "path-to-regexp: formats",
      """
      /test.json
      /{test}.json
      name: /{test}.{format}
      bare: /{test}
      z: /z/{test}.{format}z
      """,
      urls: """
        /test.json  /test.json
        /.json  bare  test=.json
        /route.json  /{test}.json  test=route
        /route.json.json  /{test}.json  test=route.json
        /route.html  name  test=route format=html
        /route.json.html  name  test=route.json format=html
        /route  bare  test=route
        /z/route.htmlz  z  test=route format=html
        /z/route.html  none
        """),
    RouterTable(
      "path-to-regexp: literals that others take for syntax",
      """
      /(testing)
      /.+*%3F{{}}=^!:$[]|
      /{foo}(test)/bar
      /{foo}%3F
      /{foo}({bar})
      /route|{param}|
      /p/{foo}|{bar}|
      """,
      urls: """
        /(testing)  /(testing)
        /testing  none
        /.+*%3F{}=^!:$[]|  /.+*%3F{{}}=^!:$[]|
        /foo(test)/bar  /{foo}(test)/bar  foo=foo
        /foo/bar  none
        /route%3F  /{foo}%3F  foo=route
        /hello(world)  /{foo}({bar})  foo=hello bar=world
        /hello()  none
        /route|world|  /route|{param}|  param=world
        /route||  none
        /p/hello|world|  /p/{foo}|{bar}|  foo=hello bar=world
        /p/hello||  none
        """),
    RouterTable(
      "path-to-regexp: what may be left out, as patterns and choices",
      """
      bar: /bar
      foobar: /{test}/bar
      ext: /{required}-ext
      more: /{required}/{optional}-ext
      /user{:s|}/{user}
      pre: /x/{pre}baz
      baz: /x/baz
      /test/{foo}/{:test/|}{bar}
      """,
      urls: """
        /bar  bar
        /foo/bar  foobar  test=foo
        /foo-ext  ext  required=foo
        /foo/bar-ext  more  required=foo optional=bar
        /foo/-ext  none
        /user/123  /user{:s|}/{user}  user=123
        /users/123  /user{:s|}/{user}  user=123
        /x/foobaz  pre  pre=foo
        /x/baz  baz
        /test/a/test/b  /test/{foo}/{:test/|}{bar}  foo=a bar=b
        /test/a/b  /test/{foo}/{:test/|}{bar}  foo=a bar=b
        """),
    RouterTable(
      "path-to-regexp: rests, and rests with a literal between",
      """
      /entity/{id}/{path...}
      /x/{a...}/y/{b...}/z
      /x/{a...}/y/{b...}/w
      /r/{path...}/{file}.{ext}
      """,
      urls: """
        /entity/foo  none
        /entity/foo/path  /entity/{id}/{path...}  id=foo path=[path]
        /x/foo/y/bar/z  /x/{a...}/y/{b...}/z  a=[foo] b=[bar]
        /x/foo/y/bar/w  /x/{a...}/y/{b...}/w  a=[foo] b=[bar]
        /x/y/y/y/y/z  /x/{a...}/y/{b...}/z  a=[y] b=[y,y]
        /x/foo/y/z  none
        /r/a/b/test.html  /r/{path...}/{file}.{ext}  path=[a,b] file=test ext=html
        /r/a/b/nested  none
        """),
    RouterTable(
      "path-to-regexp: ways back in one segment",
      """
      /abc
      /abcabc{foo}
      /1/{foo}abc{bar}
      /2/{foo}-{bar}-{baz}
      /3/{foo}@{bar}
      /4/{a}--{b}@@{c}
      /5/{foo}..{bar}
      """,
      urls: """
        /abc  /abc
        /abcabc  none
        /abcabc123  /abcabc{foo}  foo=123
        /abcabcabc123  /abcabc{foo}  foo=abc123
        /1/abc  none
        /1/abcabc  none
        /1/abcabc123  /1/{foo}abc{bar}  foo=abc bar=123
        /1/123abcabc  /1/{foo}abc{bar}  foo=123 bar=abc
        /2/a-b-c-d  /2/{foo}-{bar}-{baz}  foo=a-b bar=c baz=d
        /3/x@y  /3/{foo}@{bar}  foo=x bar=y
        /3/x@  none
        /4/a--b@@c  /4/{a}--{b}@@{c}  a=a b=b c=c
        /5/555....222  /5/{foo}..{bar}  foo=555.. bar=222
        """),
    RouterTable(
      "path-to-regexp: hosts",
      """
      https://mail.{domain}.com/
      https://mail.com/
      https://example.{ext}/
      """,
      urls: """
        https://mail.example.com/  https://mail.{domain}.com/  domain=example
        https://mail.com/  https://mail.com/
        https://example.org/  https://example.{ext}/  ext=org
        https://mail.a.b.com/  none
        """),
    RouterTable(
      "vue-router: rests and captures",
      """
      /hey{a}
      /a/{b}/-b
      /one/{a...?}
      /two/{a...}
      /three/{rest...}/no
      /four/{rest...}/b/{other...}
      /six/{foo}:abc
      /five/{a}-{b}-{c}
      """,
      urls: """
        /heyedu  /hey{a}  a=edu
        /a/e/-b  /a/{b}/-b  b=e
        /one  /one/{a...?}
        /one/two/three  /one/{a...?}  a=[two,three]
        /two  none
        /two/x  /two/{a...}  a=[x]
        /three/a/b/c/no  /three/{rest...}/no  rest=[a,b,c]
        /four/a/b/c/b/d  /four/{rest...}/b/{other...}  rest=[a] other=[c,b,d]
        /six/section:abc  /six/{foo}:abc  foo=section
        /five/one-two-three  /five/{a}-{b}-{c}  a=one b=two c=three
        """),
  ])
  func pathToRegexp(table: RouterTable) throws { try table.check() }

  /// The order in which vue-router tries routes that match a common path.
  @Test(
    arguments: RouterPair.pairs(
      #"""
      /a/b/c  narrower  /a/{b}/c
      /a/b  narrower  /a/{b}
      /a  narrower  /{w}
      /a-{b}-{c}  narrower  /a-{b}
      /a-{b}  narrower  /{a}-{b}
      /{a}-{b}-{c}  narrower  /{a}-{b}
      /{a}/-{b}  narrower  /{a}/{b}
      /{w}  narrower  /{w...}
      /  shares  /{a?}  # one path, two routes: vue-router lets the score decide
      /{a}  shares  /{a?}
      /{a}  narrower  /{w...?}
      /a/b/c/d/e  narrower  /{k}/b/c/d/e
      /{k}/b/c/d/e  narrower  /{k}/b/c/d/{j}
      /{a:/\d+/}  narrower  /{a}
      /b-{a:/\d+/}  narrower  /b-{a}
      /a/_2_  disjoint  /a/_{b:/\d/}other
      /a/_{b:/\d/}other  narrower  /a/_{b}other
      /a/_{b}-other  disjoint  /a/a_{b}
      /{a...}  equal  /{rest...?}
      /a/{b...}  shares  /a/{c...?}
      """#))
  func vueRouterRanks(pair: RouterPair) throws { try pair.check() }
}
