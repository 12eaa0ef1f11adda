// SPDX-License-Identifier: Apache-2.0
import Testing

/// Test cases of find-my-way, path-to-regexp, vue-router and React Router.
@Suite struct WebRouterTests {
  @Test(arguments: [
    RouterTable(
      "find-my-way: common prefixes",
      """
      /a/bbbb
      /a/bbaa
      /a/babb
      /a/{id}
      /test
      /testify
      /test/hello
      /test/hello/test
      /te/{a}
      /test/hello/{b}
      /{c}
      /text/hello
      /text/{d}
      /text/{e}/test
      /{id}/aaa/{id2}
      /{id}/aabb/{id2}
      /{x}/{y}
      """,
      urls: """
        /a/bbar  /a/{id}  id=bbar
        /test  /test
        /testify  /testify
        /test/hello  /test/hello
        /test/hello/test  /test/hello/test
        /test/hello/b  /test/hello/{b}  b=b
        /te/hello  /te/{a}  a=hello
        /te/  none
        /testy  /{c}  c=testy
        /besty  /{c}  c=besty
        /text/hellos/test  /text/{e}/test  e=hellos
        /text/hello/test  /text/{e}/test  e=hello
        /te/hello/  none
        /te/hellos/testy  none
        /hello/aab  /{x}/{y}  x=hello y=aab
        /hello/aabb/1  /{id}/aabb/{id2}  id=hello id2=1
        """),
    RouterTable(
      "find-my-way: parts, expressions and what they leave to others",
      #"""
      /p/{param}-bar
      /w/{param:/\w{3}/}bar
      /v/{param:/\w{3}-\w{3}/}foo
      /a/{p1}-{p2}
      /at/{hour:/\d+/}h{minute:/\d+/}m
      /b/{p1}-{p2}-baz
      /c/{p1:/\w+/}-{p2:/\w+/}-kuux
      /d/{p1}-{p2}/{rest...}
      /foo/{bar}
      /foo/{bar:/123/}
      /foo/{bar}.png
      /foo/{bar}.png.png
      /foo/{bar:/123/}.jpeg
      /test/{id:/\d+/}/hello/{world:/\d+/}
      /img/{file:/\d+/}.png
      /img/{file:/\D+/}.png
      """#,
      urls: """
        /p/foo-bar  /p/{param}-bar  param=foo
        /w/foobar  /w/{param:/\\w{3}/}bar  param=foo
        /w/$mebar  none
        /w/foolbar  none
        /w/foobaz  none
        /v/abc-deffoo  /v/{param:/\\w{3}-\\w{3}/}foo  param=abc-def
        /a/foo-bar  /a/{p1}-{p2}  p1=foo p2=bar
        /a/foo-bar-baz  /a/{p1}-{p2}  p1=foo-bar p2=baz  # the earlier takes as much as it can
        /a/foo  none
        /at/0h42m  /at/{hour:/\\d+/}h{minute:/\\d+/}m  hour=0 minute=42
        /b/foo-bar-baz  /b/{p1}-{p2}-baz  p1=foo p2=bar
        /c/foo-barbaz-kuux  /c/{p1:/\\w+/}-{p2:/\\w+/}-kuux  p1=foo p2=barbaz
        /d/foo-bar/baz  /d/{p1}-{p2}/{rest...}  p1=foo p2=bar rest=[baz]
        /foo/value  /foo/{bar}  bar=value
        /foo/123  /foo/{bar:/123/}  bar=123
        /foo/value.png  /foo/{bar}.png  bar=value
        /foo/value.png.png  /foo/{bar}.png.png  bar=value
        /foo/123.jpeg  /foo/{bar:/123/}.jpeg  bar=123
        /test/12/hello/15  /test/{id:/\\d+/}/hello/{world:/\\d+/}  id=12 world=15
        /test/12/hello/test  none
        /img/12.png  /img/{file:/\\d+/}.png  file=12
        /img/aa.png  /img/{file:/\\D+/}.png  file=aa
        /img/a1.png  none
        """),
    RouterTable(
      "find-my-way: optional segments, slashes and case",
      """
      /a/{param}/b/{optional?}
      [slash] /hello/{optional?}
      /{root?}
      [case] /foo/{param}
      [case] /bar/my-{param}
      [case] /Baz/{p1}-{p2}
      """,
      urls: """
        /a/foo-bar/b  /a/{param}/b/{optional?}  param=foo-bar
        /a/foo-bar/b/foo  /a/{param}/b/{optional?}  param=foo-bar optional=foo
        /a/foo-bar/b/  none  # the slash begins a segment, and a capture is never empty
        /hello  /hello/{optional?}
        /hello/  /hello/{optional?}
        /hello/foo  /hello/{optional?}  optional=foo
        /hello/foo/  /hello/{optional?}  optional=foo
        //hello  none
        /  /{root?}
        /foo  /{root?}  root=foo
        /Foo/bAR  /foo/{param}  param=bAR
        /BAR/MY-bAR  /bar/my-{param}  param=bAR
        /baz/My-bAR  /Baz/{p1}-{p2}  p1=My p2=bAR
        """),
    RouterTable(
      "find-my-way: percent signs",
      """
      space: /[...]/a%20.html
      percent: /[...]/a%2520.html
      twice: /[...]/a%252520.html
      reg: /reg/{n:uint}%20.png
      /{param}
      """,
      urls: """
        /[...]/a%20.html  space
        /%5B...%5D/a%20.html  space
        /[...]/a%2520.html  percent
        /%5B...%5D/a%252520.html  twice
        /[...]/a%20%20.html  none
        /%252E%252E%252F  /{param}  param=%2E%2E%2F
        /[...].html  /{param}  param=[...].html
        /reg%2F123%20.png  /{param}  param=reg/123%20.png
        /reg/123%20.png  reg  n=123
        /hel%%22Flo  throws
        """),
    RouterTable(
      "find-my-way: rests beside captures and literals",
      """
      /{rest...}
      /foo1/{rest...}
      /foo2/{rest...}
      /foo3/{param}
      /foo3/{rest...}
      /foo4/param
      /foo1/param
      /foo1/param/hello/test/long/route
      """,
      urls: """
        /foo1/bar1/kuux  /foo1/{rest...}  rest=[bar1,kuux]
        /foo3/bar1  /foo3/{param}  param=bar1
        /foo3/hello/world  /foo3/{rest...}  rest=[hello,world]
        /foo4/param  /foo4/param
        /foo1/param  /foo1/param
        /foo1/param/hello/test/long/routee  /foo1/{rest...}  rest=[param,hello,test,long,routee]
        /foo4/param/hello/test/long/routee  /{rest...}  rest=[foo4,param,hello,test,long,routee]
        /foo4  /{rest...}  rest=[foo4]
        """),
    RouterTable(
      "React Router: a flat table",
      """
      /groups/main/users/me
      /groups/{groupId}/users/me
      /groups/{groupId}/users/{userId}
      /groups/{groupId}/users/{rest...}
      /groups/main/users
      /groups/{groupId}/users
      /groups/main
      /groups/{groupId}
      /groups
      /files/{rest...?}
      /{one}/{two}/{three}/{four}/{five}
      /
      /{rest...}
      """,
      urls: """
        /groups/main/users/me  /groups/main/users/me
        /groups/other/users/me  /groups/{groupId}/users/me  groupId=other
        /groups/123/users/456  /groups/{groupId}/users/{userId}  groupId=123 userId=456
        /groups/main/users/a/b  /groups/{groupId}/users/{rest...}  groupId=main rest=[a,b]
        /groups/main/users  /groups/main/users
        /groups/123/users  /groups/{groupId}/users  groupId=123
        /groups/main  /groups/main
        /groups/123  /groups/{groupId}  groupId=123
        /groups  /groups
        /files/some/long/path  /files/{rest...?}  rest=[some,long,path]
        /files/  /files/{rest...?}  rest=[]
        /files  /files/{rest...?}
        /one/two/three/four/five  /{one}/{two}/{three}/{four}/{five}  one=one two=two three=three four=four five=five
        /  /
        /no/where  /{rest...}  rest=[no,where]
        /users/foo*/splat  /{rest...}  rest=[users,foo*,splat]
        """),
    RouterTable(
      "React Router: an optional segment in front is a second pattern",
      """
      [case] [slash] /SystemDashboard
      user: /user/{id?}
      lang: /{lang}/user/{id?}
      """,
      urls: """
        /systemdashboard/  /SystemDashboard
        /user/123  user  id=123
        /en/user/123  lang  lang=en id=123
        /user  user
        /en/user  lang  lang=en
        /usersblah  none
        """),
  ])
  func webRouters(table: RouterTable) throws { try table.check() }
}
