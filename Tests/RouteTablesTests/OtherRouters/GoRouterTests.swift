// SPDX-License-Identifier: Apache-2.0
import Testing

/// Test cases of httprouter, gin, chi and echo.
@Suite struct GoRouterTests {
  @Test(arguments: [
    RouterTable(
      "httprouter: literals that begin alike",
      """
      /hi
      /contact
      /co
      /c
      /a
      /ab
      /doc/
      /doc/go_faq.html
      /doc/go1.html
      /α
      /β
      """,
      urls: """
        /a  /a
        /  none
        /hi  /hi
        /contact  /contact
        /co  /co
        /con  none
        /cona  none
        /no  none
        /ab  /ab
        /α  /α
        /%CE%B2  /β
        """),
    RouterTable(
      "httprouter: captures and rests",
      """
      /
      /cmd/{tool}/{sub}
      /cmd/{tool}/
      /src/{filepath...}
      /search/
      /search/{query}
      /user_{name}
      /user_{name}/about
      /files/{dir}/{filepath...}
      /doc/
      /info/{user}/public
      /info/{user}/project/{project}
      """,
      urls: """
        /  /
        /cmd/test/  /cmd/{tool}/  tool=test
        /cmd/test  none
        /cmd/test/3  /cmd/{tool}/{sub}  tool=test sub=3
        /src/  /src/{filepath...}  filepath=[]
        /src/some/file.png  /src/{filepath...}  filepath=[some,file.png]
        /search/  /search/
        /search/someth!ng+in+ünìcodé  /search/{query}  query=someth!ng+in+ünìcodé
        /search/someth!ng+in+ünìcodé/  none
        /user_gopher  /user_{name}  name=gopher
        /user_gopher/about  /user_{name}/about  name=gopher
        /files/js/inc/framework.js  /files/{dir}/{filepath...}  dir=js filepath=[inc,framework.js]
        /info/gordon/public  /info/{user}/public  user=gordon
        /info/gordon/project/go  /info/{user}/project/{project}  user=gordon project=go
        """),
    RouterTable(
      "gin: values are decoded once, after splitting",
      """
      /cmd/{tool}/{sub}
      /src/{filepath...}
      /search/{query}
      /info/{user}/project/{project}
      /info/{user}
      """,
      urls: """
        /src/some/file+test.png  /src/{filepath...}  filepath=[some,file+test.png]  # no space in a path
        /src/some/file%2Ftest.png  /src/{filepath...}  filepath=[some,file/test.png]
        /src/file%%test.png  throws  # gin leaves it as it is
        /info/slash%2Fgordon  /info/{user}  user=slash/gordon
        /info/slash%2Fgordon/project/Project%20%231  /info/{user}/project/{project}  user=slash/gordon project=Project%20#1
        /info/slash%252Fgordon  /info/{user}  user=slash%2Fgordon
        """),
    RouterTable(
      "httprouter: any case, and a slash more or less",
      """
      [case] [slash] /hi
      [case] [slash] /b/
      [case] [slash] /ABC/
      [case] [slash] /search/{query}
      [case] [slash] /src/{path...}
      [case] [slash] /x/y
      [case] [slash] /doc/go/away
      [case] [slash] /u/apfêl/
      [case] [slash] /Π
      """,
      urls: """
        /HI  /hi
        /HI/  /hi
        /B  /b/
        /B/  /b/
        /aBc  /ABC/
        /abC/  /ABC/
        /SEARCH/QUERY  /search/{query}  query=QUERY
        /SEARCH/QUERY/  /search/{query}  query=QUERY
        /SRC/FILE/PATH  /src/{path...}  path=[FILE,PATH]
        /X/y/  /x/y
        /DOC/GO  none
        /u/APFêL  /u/apfêl/
        /u/APFÊL  none  # only ASCII folds
        /π  none
        """),
    RouterTable(
      "chi: a site",
      """
      /
      /favicon.ico
      /pages/{rest...}
      /article
      /article/
      /article/near
      /article/{id}
      /article/@{user}
      /article/{id}/{opts}
      /article/{id}/edit
      /article/{id}//related
      /article/slug/{month}/-/{day}/{year}
      /admin/user
      /admin/user/
      /admin/user//{id}
      /admin/user/{id}
      /admin/apps/{id}
      /admin/apps/{id}/{rest...}
      /admin/{rest...}
      /users/{userID}/profile
      /users/super/{rest...}
      /users/{rest...}
      /hubs/{hubID}/view
      /hubs/{hubID}/view/{rest...}
      /hubs/{hubID}/{rest...}
      /hubs/{hubID}/users
      """,
      urls: """
        /pages  none
        /pages/  /pages/{rest...}  rest=[]
        /pages/yes  /pages/{rest...}  rest=[yes]
        /article/near  /article/near
        /article/neard  /article/{id}  id=neard
        /article/123/456  /article/{id}/{opts}  id=123 opts=456
        /article/@peter  /article/@{user}  user=peter
        /article/22//related  /article/{id}//related  id=22
        /article/111/edit  /article/{id}/edit  id=111
        /article/slug/sept/-/4/2015  /article/slug/{month}/-/{day}/{year}  month=sept day=4 year=2015
        /article/:id  /article/{id}  id=:id
        /admin/user//1  /admin/user//{id}  id=1
        /admin/user/1  /admin/user/{id}  id=1
        /admin/hi  /admin/{rest...}  rest=[hi]
        /admin/lots/of/:fun  /admin/{rest...}  rest=[lots,of,:fun]
        /admin/apps/333  /admin/apps/{id}  id=333
        /admin/apps/333/woot  /admin/apps/{id}/{rest...}  id=333 rest=[woot]
        /hubs/123/view  /hubs/{hubID}/view  hubID=123
        /hubs/123/view/index.html  /hubs/{hubID}/view/{rest...}  hubID=123 rest=[index.html]
        /hubs/123/users  /hubs/{hubID}/users  hubID=123
        /users/123/profile  /users/{userID}/profile  userID=123
        /users/super/123/okay/yes  /users/super/{rest...}  rest=[123,okay,yes]
        /users/123/okay/yes  /users/{rest...}  rest=[123,okay,yes]
        """),
    RouterTable(
      "chi: parts and expressions",
      #"""
      /articlefun
      /articles/{id}
      /articles/search
      /articles/{id}:delete
      /articles/{id}!sup
      /articles/{id}/posts/{pid}
      /articles/{slug:/[a-z]+/}/posts
      /articles/{id}/posts/{month}/{day}/{year}/{slug}
      /a/{zid:/0[0-9]+/}
      /a/{name:/@[a-z]+/}/posts
      /a/{op:/[0-9]+/}/run
      /a/{id:/[0-9]+/}
      /a/{id:/[1-9]+/}-{aux}
      /a/{slug}
      """#,
      urls: """
        /articles/search  /articles/search
        /articlefun  /articlefun
        /articles/123  /articles/{id}  id=123
        /articles/789:delete  /articles/{id}:delete  id=789
        /articles/789!sup  /articles/{id}!sup  id=789
        /articles/456/posts/1  /articles/{id}/posts/{pid}  id=456 pid=1
        /articles/456/posts/09/04/1984/juice  /articles/{id}/posts/{month}/{day}/{year}/{slug}  id=456 month=09 day=04 year=1984 slug=juice
        /articles/abc/posts  /articles/{slug:/[a-z]+/}/posts  slug=abc
        /a  none
        /a/123  /a/{id:/[0-9]+/}  id=123
        /a/how-to-build-a-router  /a/{slug}  slug=how-to-build-a-router
        /a/0456  /a/{zid:/0[0-9]+/}  zid=0456
        /a/@pk/posts  /a/{name:/@[a-z]+/}/posts  name=@pk
        /a/1/run  /a/{op:/[0-9]+/}/run  op=1
        /a/1122-yes  /a/{id:/[1-9]+/}-{aux}  id=1122 aux=yes
        """),
    RouterTable(
      "echo: literal before capture before rest, with a way back",
      """
      /users
      /users/new
      /users/{id}
      /users/new/moon
      /users/new/{id}
      /users/{rest...}
      /{a}/{b}/{c}
      /a/{b}/c
      /a/c/df
      /{rest...}
      """,
      urls: """
        /users  /users
        /users/new  /users/new
        /users/1  /users/{id}  id=1
        /users/news  /users/{id}  id=news
        /users/new/moon  /users/new/moon
        /users/new/moons  /users/new/{id}  id=moons
        /users/joe/books  /users/{rest...}  rest=[joe,books]
        /users/  /users/{rest...}  rest=[]
        /1/2/3  /{a}/{b}/{c}  a=1 b=2 c=3
        /a/c/f  /{a}/{b}/{c}  a=a b=c c=f
        /a/c/c  /a/{b}/c  b=c
        /a/c/df  /a/c/df
        /user  /{rest...}  rest=[user]
        """),
  ])
  func goRouters(table: RouterTable) throws { try table.check() }

  /// Patterns that httprouter and gin reject, because a literal is beside a capture; here only equal and overlapping ones conflict.
  @Test(
    arguments: RouterPair.pairs(
      """
      /cmd/vet  narrower  /cmd/{tool}
      /search/invalid  narrower  /search/{query}
      /src/  narrower  /src/{filepath...}
      /src/AUTHORS  narrower  /src/{filepath...}
      /user_x  narrower  /user_{name}
      /id{id}  disjoint  /id/{id}
      /id{id}  narrower  /{id}
      /con{tact}  equal  /con{nection}
      /who/are/foo  narrower  /who/are/{you...}
      /whose/{users}/{name}  equal  /whose/{users}/{user}
      /articles/{id}:delete  narrower  /articles/{id}:{op}
      /articles/{id}!sup  crosses  /articles/{id}:{op}  /articles/1:2!sup
      """))
  func whatHttprouterRefuses(pair: RouterPair) throws { try pair.check() }
}
