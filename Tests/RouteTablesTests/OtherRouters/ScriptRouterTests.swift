// SPDX-License-Identifier: Apache-2.0
import Testing

/// Test cases of Werkzeug, of Rails' Journey and of Sinatra's Mustermann.
@Suite struct ScriptRouterTests {
  @Test(arguments: [
    RouterTable(
      "Werkzeug: a wiki",
      """
      front: /
      special: /Special
      year: /{year:int}
      page: /{name...}
      edit: /{name...}/edit
      silly: /{name...}/silly/{name2...}
      sillyedit: /{name...}/silly/{name2...}/edit
      talk: /Talk:{title}
      user: /User:{username}
      userpage: /User:{username}/{name...}
      files: /Files/{file...}
      """,
      urls: """
        /  front
        /Special  special
        /2007  year  year=2007
        /Some/Page  page  name=[Some,Page]
        /Some/Page/edit  edit  name=[Some,Page]
        /Foo/silly/bar  silly  name=[Foo] name2=[bar]
        /Foo/silly/bar/edit  sillyedit  name=[Foo] name2=[bar]
        /Talk:Foo  talk  title=Foo
        /User:thomas  user  username=thomas
        /User:thomas/projects/werkzeug  userpage  username=thomas name=[projects,werkzeug]
        /Files/downloads/werkzeug/0.2.zip  files  file=[downloads,werkzeug,0.2.zip]
        /02007  page  name=[02007]
        """),
    RouterTable(
      "Werkzeug: integers before texts before paths",
      """
      index: /
      int: /{blub:int}
      text: /{blub}
      nested: /foo/
      nestedbar: /foobar/
      show: /foo/{testing...}/
      edit: /foo/{testing...}/edit
      users: /users/{page:uint=1}
      foox: /foox
      rest: /{bar}/{blub...}
      """,
      urls: """
        /  index
        /42  int  blub=42
        /blub  text  blub=blub
        /foo/  nested
        /foobar/  nestedbar
        /foo/1/2/3/  show  testing=[1,2,3]
        /foo/1/2/3/edit  edit  testing=[1,2,3]
        /users  users  page=1
        /users/2  users  page=2
        /users/x  rest  bar=users blub=[x]
        /foox  foox
        /1/2/3  rest  bar=1 blub=[2,3]
        """),
    RouterTable(
      "Werkzeug: hosts, types and slashes",
      """
      index: https://www.{domain}.com/
      files: https://files.{domain}.com/
      page: https://files.{domain}.com/{page:int}
      wiki: https://wiki.example.org/
      horse: /лошадь
      enter: /войти/
      plus: /foo+bar/
      uuid: /a/{id:uuid}
      any: /b/{x:a|b|c}
      price: /c/{x:/-?[0-9]+\\.[0-9]+/}
      """,
      urls: """
        https://www.example.com/  index  domain=example
        https://files.example.com/2  page  domain=example page=2
        https://WIKI.EXAMPLE.ORG  wiki
        /лошадь  horse
        /%D0%BB%D0%BE%D1%88%D0%B0%D0%B4%D1%8C  horse
        /барсук  none
        /войти/  enter
        /войти  none  # nothing is redirected
        /foo+bar/  plus
        /a/a8098c1a-f86e-11da-bd1a-00112444be1e  uuid  id=a8098c1a-f86e-11da-bd1a-00112444be1e
        /b/c  any  x=c
        /b/d  none
        /c/0.815  price  x=0.815
        """),
    RouterTable(
      "Journey: what may follow",
      """
      /{controller}/{action?}/{id?}
      format: /{controller}/{action}/{id}.{format}
      books: /books/{action}.{format}
      whois: /whois/{domain:/\\w+\\.[\\w.]+/}
      dashes: /foo-bar-baz
      escaped: /%E3%81%BB%E3%81%92
      splat: /s/{segment}/{splat...}/end
      """,
      urls: """
        /content  /{controller}/{action?}/{id?}  controller=content
        /content/list  /{controller}/{action?}/{id?}  controller=content action=list
        /content/show/10  /{controller}/{action?}/{id?}  controller=content action=show id=10
        /content/show/10.xml  format  controller=content action=show id=10 format=xml
        /books/list.rss  books  action=list format=rss
        /whois/example.com  whois  domain=example.com
        /whois/example  /{controller}/{action?}/{id?}  controller=whois action=example
        /foo-bar-baz  dashes
        /ほげ  escaped
        /s/a%2Fb%20c+d/a/b%20c+d/end  splat  segment=a/b%20c+d splat=[a,b%20c+d]
        /messages/unknown/path/x  none
        """),
    RouterTable(
      "Mustermann: one segment",
      """
      /foo/bar
      /{foo}
      /föö
      /x/{foo}/{bar}
      /test$/
      /te+st/
      /foo&bar
      /y/path%20with%20spaces
      """,
      urls: """
        /foo/bar  /foo/bar
        /foo%2Fbar  /{foo}  foo=foo/bar
        /f%C3%B6%C3%B6  /föö
        /foo.bar  /{foo}  foo=foo.bar
        /foo%3F  /{foo}  foo=foo?
        /x/user@example.com/name  /x/{foo}/{bar}  foo=user@example.com bar=name
        /x/10.1.2/te.st  /x/{foo}/{bar}  foo=10.1.2 bar=te.st
        /test$/  /test$/
        /te+st/  /te+st/
        /test/  none
        /foo&bar  /foo&bar
        /y/path%20with%20spaces  /y/path%20with%20spaces
        /y/path+with+spaces  none  # `+` is a space in the query alone
        """),
    RouterTable(
      "Mustermann: parts",
      """
      full: /{file}.{ext}
      bare: /{file}
      at: /m/{user}@{host}
      /10/{id}
      /n/{foo}.{bar}/{id}
      foob: /b/{a}foo{b}
      alpha: /c/{foo:/[A-Za-z]+/}
      media: /d/{file}.{ext:jpg|png}
      other: /d/{file}
      """,
      urls: """
        /pony.jpg  full  file=pony ext=jpg
        /pony%2Ejpg  full  file=pony ext=jpg
        /pony%E6%AD%A3%2Ejpg  full  file=pony正 ext=jpg
        /pony正..jpg  full  file=pony正. ext=jpg
        /pony  bare  file=pony
        /pony.  bare  file=pony.
        /.jpg  bare  file=.jpg
        /m/foo@bar.bar  at  user=foo host=bar.bar
        /10/te.st  /10/{id}  id=te.st
        /n/10.1.2/te.st  /n/{foo}.{bar}/{id}  foo=10.1 bar=2 id=te.st
        /b/barfoobarfoobar  foob  a=barfoobar b=bar
        /b/bar  none
        /c/abc  alpha  foo=abc
        /c/1  none
        /d/pony.png.jpg  media  file=pony.png ext=jpg
        /d/pony.gif  other  file=pony.gif
        """),
    RouterTable(
      "Mustermann: an exception is a route that is narrower",
      """
      auth: /auth/{rest...}
      login: /auth/login
      """,
      urls: """
        /auth/admin  auth  rest=[admin]
        /auth/login  login
        """),
  ])
  func scriptRouters(table: RouterTable) throws { try table.check() }
}
