// SPDX-License-Identifier: Apache-2.0
import Testing

/// Test cases of matchit, on which axum, actix and others are based.
@Suite struct RustRouterTests {
  @Test(arguments: [
    RouterTable(
      "partial overlap",
      """
      /foo_bar
      /foo/bar
      """,
      urls: """
        /foo/  none
        /foo  none
        /foo_bar  /foo_bar
        """),
    RouterTable(
      "a rest beside a literal",
      """
      /path/foo
      /path/{rest...}
      """,
      urls: """
        /path/foo  /path/foo
        /path/bar  /path/{rest...}  rest=[bar]
        /path/foo/  /path/{rest...}  rest=[foo,]
        /path  none
        """),
    RouterTable(
      "a rest beside a capture",
      """
      /path/foo/{arg}
      /path/{rest...}
      """,
      urls: """
        /path/foo/myarg  /path/foo/{arg}  arg=myarg
        /path/foo/myarg/  /path/{rest...}  rest=[foo,myarg,]
        /path/foo/myarg/bar/baz  /path/{rest...}  rest=[foo,myarg,bar,baz]
        """),
    RouterTable(
      "names do not divide, and captures back out",
      """
      /x/{foo}/bar
      /x/{bar}/baz
      /{foo}/{baz}/bax
      /{foo}/{bar}/baz
      /{fod}/{baz}/{bax}/foo
      /{fod}/baz/bax/foo
      /{foo}/baz/bax
      /{bar}/{bay}/bay
      /s
      /s/s
      /s/s/s
      /s/s/s/s
      /s/s/{s}/x
      /s/s/{y}/d
      """,
      urls: """
        /x/foo/bar  /x/{foo}/bar  foo=foo
        /x/foo/baz  /x/{bar}/baz  bar=foo
        /y/foo/baz  /{foo}/{bar}/baz  foo=y bar=foo
        /y/foo/bax  /{foo}/{baz}/bax  foo=y baz=foo
        /x/foo/bax  /{foo}/{baz}/bax  foo=x baz=foo
        /y/baz/baz  /{foo}/{bar}/baz  foo=y bar=baz
        /y/baz/bax/foo  /{fod}/baz/bax/foo  fod=y
        /y/baz/b/foo  /{fod}/{baz}/{bax}/foo  fod=y baz=baz bax=b
        /y/baz/bax  /{foo}/baz/bax  foo=y
        /z/bar/bay  /{bar}/{bay}/bay  bar=z bay=bar
        /s  /s
        /s/s  /s/s
        /s/s/s  /s/s/s
        /s/s/s/s  /s/s/s/s
        /s/s/s/x  /s/s/{s}/x  s=s
        /s/s/s/d  /s/s/{y}/d  y=s
        """),
    RouterTable(
      "a blog",
      """
      /{page}
      /posts/{year}/{month}/{post}
      /posts/{year}/{month}/index
      /posts/{year}/top
      /static/{path...}
      /favicon.ico
      """,
      urls: """
        /about  /{page}  page=about
        /posts/2021/01/rust  /posts/{year}/{month}/{post}  year=2021 month=01 post=rust
        /posts/2021/01/index  /posts/{year}/{month}/index  year=2021 month=01
        /posts/2021/top  /posts/{year}/top  year=2021
        /static/foo.png  /static/{path...}  path=[foo.png]
        /favicon.ico  /favicon.ico
        """),
    RouterTable(
      "two captures overlap, with slashes at the end",
      """
      /{object}/{id}
      /secret/{id}/path
      /secret/978/
      /other/{object}/{id}/
      /other/an_object/{id}
      /other/static/path
      /other/long/static/path/
      """,
      urls: """
        /secret/978/path  /secret/{id}/path  id=978
        /some_object/978  /{object}/{id}  object=some_object id=978
        /secret/978  /{object}/{id}  object=secret id=978
        /secret/978/  /secret/978/
        /other/object/1/  /other/{object}/{id}/  object=object id=1
        /other/an_object/1  /other/an_object/{id}  id=1
        /other/static/path  /other/static/path
        /other/long/static/path/  /other/long/static/path/
        /other/an_object/1/  /other/{object}/{id}/  object=an_object id=1
        /other/static/path/  /other/{object}/{id}/  object=static id=path
        /super_secret/978/  none
        /secret/978/path/  none
        /object/id/path  none
        /other/object/1  none
        /other/object/1/2  none
        /other/long/static/path  none
        /other/object/static/path  none
        """),
    RouterTable(
      "a rest and the slash in front of it",
      """
      /foo/{rest...}
      /bar
      /bar/
      /bar/{rest...}
      """,
      urls: """
        /foo  none
        /foo/  /foo/{rest...}  rest=[]  # the slash begins a segment, and it is empty
        /foo/x  /foo/{rest...}  rest=[x]
        /bar  /bar
        /bar/  /bar/
        /bar/x  /bar/{rest...}  rest=[x]
        """),
    RouterTable(
      "a rest of one character or more is what matchit has",
      "/foo/{rest:/.+/...}",
      urls: """
        /foo/  none
        /foo/x  /foo/{rest:/.+/...}  rest=[x]
        /foo/x/y  /foo/{rest:/.+/...}  rest=[x,y]
        """),
    RouterTable(
      "literals, a capture and a rest in one place",
      """
      /foo
      /bar
      /{bar...}
      /baz
      /baz/
      /baz/x
      /baz/{xxx}
      /
      /xxx/{x...}
      /xxx/
      """,
      urls: """
        /foo  /foo
        /bar  /bar
        /baz  /baz
        /baz/  /baz/
        /baz/x  /baz/x
        /baz/y  /baz/{xxx}  xxx=y
        /%3F%3F%3F  /{bar...}  bar=[???]
        /  /
        /xxx/y  /xxx/{x...}  x=[y]
        /xxx/  /xxx/
        /xxx  /{bar...}  bar=[xxx]
        """),
    RouterTable(
      "a slash more or less",
      """
      /foo/{object}/{id}
      /foo/bar/baz
      /foo/secret/978/
      /goo/{bar...}
      /goo/bar/baz
      /goo/secret/978
      """,
      urls: """
        /foo/secret/978/  /foo/secret/978/
        /foo/secret/978  /foo/{object}/{id}  object=secret id=978
        /goo/secret/978/  /goo/{bar...}  bar=[secret,978,]
        /goo/secret/978  /goo/secret/978
        """),
    RouterTable(
      "deep tries", deepRoutes,
      urls: """
        /hi/  none
        /b  none
        /search/rustacean/  none
        /cmd/vet  none
        /src  none
        /x/  none
        /y  none
        /0/rust/  none
        /1/rust  none
        /a  none
        /admin/  none
        /doc/  none
        /admin/static/  none
        /admin/cfg/  none
        /admin/cfg/users/  none
        /api/hello/x/bar  none
        /api/baz/foo/  none
        /api/baz/bax/  none
        /api/bar/huh/  none
        /api/baz/foo/bar/  none
        /api/world/abc/  none
        /foo/pp/  none
        /  none
        /no  none
        /no/a/b  none
        /api/hello/x/foo  none
        /api/hello/x/bar/  /api/hello/{name}/bar/  name=x
        /api/baz/foo/bad  none
        /api/baz/foo/bar  /api/baz/foo/bar
        /foo/p/p  none
        """),
  ])
  func matchit(table: RouterTable) throws { try table.check() }

  private static let deepRoutes = """
    /hi
    /b/
    /search/{query}
    /cmd/{tool}/
    /src/{filepath...}
    /x
    /x/y
    /y/
    /y/z
    /0/{id}
    /0/{id}/1
    /1/{id}/
    /1/{id}/2
    /aa
    /a/
    /admin
    /admin/static
    /admin/{category}
    /admin/{category}/{page}
    /doc
    /doc/rust_faq.html
    /doc/rust1.26.html
    /no/a
    /no/b
    /no/a/b/{other...}
    /api/{page}/{name}
    /api/hello/{name}/bar/
    /api/bar/{name}
    /api/baz/foo
    /api/baz/foo/bar
    /foo/{p}
    """
}
