// SPDX-License-Identifier: Apache-2.0
import Testing

/// Test cases of Vapor's routing-kit and of Hummingbird.
@Suite struct SwiftRouterTests {
  @Test(arguments: [
    RouterTable(
      "Vapor: anything, captures and the rest",
      """
      /a/{any}
      /b/{one}/{any}
      /c/{one}/{two}/{any}
      /d/{one}/{two}
      /e/{one}/{rest...}
      /{any}/e/{one}
      """,
      urls: """
        /a/b  /a/{any}  any=b
        /a  none
        /b/a/c  /b/{one}/{any}  one=a any=c
        /b/a  none
        /c/a  none
        /d/a/b  /d/{one}/{two}  one=a two=b
        /d/a/b/c  none
        /e/1/b/a  /e/{one}/{rest...}  one=1 rest=[b,a]
        /e/e/x  /e/{one}/{rest...}  one=e rest=[x]
        /f/e/1  /{any}/e/{one}  any=f one=1
        """),
    RouterTable(
      "Vapor: rests in rests",
      """
      /{rest...}
      /a/{rest...}
      /a/b/{rest...}
      /a/b
      /v1/test
      /v1/{rest...}
      /v1/{any}
      /users/{user}/{rest...}
      /users/{rest...}
      """,
      urls: """
        /a  /{rest...}  rest=[a]
        /a/b  /a/b
        /a/b/c  /a/b/{rest...}  rest=[c]
        /a/c  /a/{rest...}  rest=[c]
        /b/c/d/e  /{rest...}  rest=[b,c,d,e]
        /v1/test  /v1/test
        /v1/test/foo  /v1/{rest...}  rest=[test,foo]
        /v1/foo  /v1/{any}  any=foo
        /users/stevapple  /users/{rest...}  rest=[stevapple]
        /users/stevapple/posts/2  /users/{user}/{rest...}  user=stevapple rest=[posts,2]
        """),
    RouterTable(
      "Vapor: the way back from a literal",
      """
      /a/b/{param}/d
      /a/b/c
      /a/b/c/e
      /x/b/{param}/{rest...}
      /x/b/c
      [case] /path/TO/fOo
      """,
      urls: """
        /a/b/c/d  /a/b/{param}/d  param=c
        /a/b/c  /a/b/c
        /a/b/c/e  /a/b/c/e
        /x/b/c/d  /x/b/{param}/{rest...}  param=c rest=[d]
        /PATH/tO/FOo  /path/TO/fOo
        /a/te%20st  none
        """),
    RouterTable(
      "Hummingbird: wildcards and parts",
      """
      /usr/local/bin
      /usr/bin
      /Users/{any}/bin
      /users/{user}
      /users/{any}/fowler
      /users/{any}/{other}
      /{file}.jpg
      /{app}.app/config.json
      /file.{ext}/test
      /test/file.{ext}
      /text}}
      """,
      urls: """
        /usr/local/bin  /usr/local/bin
        /Users/john/bin  /Users/{any}/bin  any=john
        /users  none
        /users/adam  /users/{user}  user=adam
        /users/adam/fowler  /users/{any}/fowler  any=adam
        /users/adam/1  /users/{any}/{other}  any=adam other=1
        /hello.png  none
        /hello.jpg  /{file}.jpg  file=hello
        /hello.app/config.json  /{app}.app/config.json  app=hello
        /file.png/test  /file.{ext}/test  ext=png
        /test/file.png  /test/file.{ext}  ext=png
        /text}  /text}}
        /text  none
        """),
    RouterTable(
      "Hummingbird: what a branch that failed captured is gone",
      """
      /{test}/test
      /{test2}/test2
      /{a}/{b}/x
      /{c}/y/{d}
      """,
      urls: """
        /hello/test  /{test}/test  test=hello
        /hello/test2  /{test2}/test2  test2=hello
        /1/y/x  /{c}/y/{d}  c=1 d=x
        /1/2/x  /{a}/{b}/x  a=1 b=2
        """),
  ])
  func swiftRouters(table: RouterTable) throws { try table.check() }

  /// Hummingbird accepts both patterns of each pair, and the one that was added first wins.
  @Test(
    arguments: RouterPair.pairs(
      """
      /test/{file}.jpg  crosses  /test/file.{ext}  /test/file.jpg
      /file.{ext}  crosses  /{f}.jpg  /file.jpg
      """))
  func `Overlapping components match as documented`(pair: RouterPair) throws { try pair.check() }
}
