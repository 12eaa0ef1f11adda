// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
import Foundation
@testable import RouteTables
import TestSupport
import Testing

/// Tests of large tables, in which a URL could match a neighbouring route.
@Suite(.computes) struct LargeTableTests {
  @Test func `The wildcard routes of matchit match as there`() throws {
    try RouterTable(
      "wildcards",
      """
      /
      /cmd/{tool}/
      /cmd/{tool2}/{sub}
      /cmd/whoami
      /cmd/whoami/root
      /cmd/whoami/root/
      /src
      /src/
      /src/{filepath...}
      /search/
      /search/{query}
      /search/actix-web
      /user_{name}
      /user_{name}/about
      /files/{dir}/{filepath...}
      /info/{user}/public
      /info/{user}/project/{project}
      /info/{user}/project/rustlang
      /ab/{xx...}
      /ab/hello{xx}
      /{cc}
      /c1/{dd}/e
      /c1/{dd}/e1
      /{cc}/cc
      /{cc}/{dd}/ee
      /{cc}/{dd}/{ee}/ff
      /{cc}/{dd}/{ee}/{ff}/gg
      /{cc}/{dd}/{ee}/{ff}/{gg}/hh
      /get/test/abc/
      /get/{param}/abc/
      /something/{paramname}/thirdthing
      /something/secondthing/test
      /get/abc
      /get/{param}
      /get/abc/123abc
      /get/abc/{param}
      /get/abc/123abc/xxx8
      /get/abc/123abc/{param}
      /get/abc/123abc/xxx8/1234
      /get/abc/123abc/xxx8/{param}
      /get/abc/123abc/xxx8/1234/kkdd/12c
      /get/abc/123abc/xxx8/1234/kkdd/{param}
      /get/abc/{param}/test
      /get/abc/123abd/{param}
      /get/abc/123abddd/{param}
      """,
      urls: """
        /cmd/test  none
        /cmd/test/  /cmd/{tool}/  tool=test
        /cmd/test/3  /cmd/{tool2}/{sub}  tool2=test sub=3
        /cmd/whoami  /cmd/whoami
        /cmd/whoami/  /cmd/{tool}/  tool=whoami
        /cmd/whoami/r  /cmd/{tool2}/{sub}  tool2=whoami sub=r
        /cmd/whoami/r/  none
        /cmd/whoami/root/  /cmd/whoami/root/
        /src/some/file.png  /src/{filepath...}  filepath=[some,file.png]
        /search/actix  /search/{query}  query=actix
        /search/actix-web  /search/actix-web
        /user_rustacean/about  /user_{name}/about  name=rustacean
        /files/js/inc/framework.js  /files/{dir}/{filepath...}  dir=js filepath=[inc,framework.js]
        /info/gordon/project/rust  /info/{user}/project/{project}  user=gordon project=rust
        /info/gordon/project/rustlang  /info/{user}/project/rustlang  user=gordon
        /ab/ab  /ab/{xx...}  xx=[ab]
        /ab/hello-world  /ab/hello{xx}  xx=-world
        /ab/hello-world/x  /ab/{xx...}  xx=[hello-world,x]
        /ab  /{cc}  cc=ab
        /abb/cc  /{cc}/cc  cc=abb
        /c1/d/e  /c1/{dd}/e  dd=d
        /c1/d/e1  /c1/{dd}/e1  dd=d
        /c1/d/ee  /{cc}/{dd}/ee  cc=c1 dd=d
        /cc/cc  /{cc}/cc  cc=cc
        /c/d/e/ff  /{cc}/{dd}/{ee}/ff  cc=c dd=d ee=e
        /cc/dd/ee/ff/gg/hh  /{cc}/{dd}/{ee}/{ff}/{gg}/hh  cc=cc dd=dd ee=ee ff=ff gg=gg
        /get/test/abc/  /get/test/abc/
        /get/te/abc/  /get/{param}/abc/  param=te
        /something/secondthing/test  /something/secondthing/test
        /something/secondthing/thirdthing  /something/{paramname}/thirdthing  paramname=secondthing
        /get/abc  /get/abc
        /get/abcd  /get/{param}  param=abcd
        /get/abc/123ab  /get/abc/{param}  param=123ab
        /get/abc/123abc/x  /get/abc/123abc/{param}  param=x
        /get/abc/123abc/xxx8  /get/abc/123abc/xxx8
        /get/abc/123abc/xxx8/1234  /get/abc/123abc/xxx8/1234
        /get/abc/123abc/xxx8/123  /get/abc/123abc/xxx8/{param}  param=123
        /get/abc/123abc/xxx8/1234/kkdd/12c  /get/abc/123abc/xxx8/1234/kkdd/12c
        /get/abc/123abc/xxx8/1234/kkdd/12c2  /get/abc/123abc/xxx8/1234/kkdd/{param}  param=12c2
        /get/abc/12/test  /get/abc/{param}/test  param=12
        /get/abc/123abdd/test  /get/abc/{param}/test  param=123abdd
        /get/abc/123abd/test  /get/abc/123abd/{param}  param=test
        /get/abc/123abddd/test  /get/abc/123abddd/{param}  param=test
        """
    ).check()
  }

  /// The routes of GitHub's API, each with a URL, with and without a host, beside routes for all other URLs.
  @Test func `Each URL of GitHub matches its route`() throws {
    let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(
      contentsOf: directory.appending(path: "Benchmarks/routes/github.txt"), encoding: .utf8)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("/") }.map {
      $0.split(separator: " ").map(String.init)
    }
    #expect(lines.count > 100)
    let paths = lines.map { $0[0] }
    let routes = try table(
      paths + paths.map { "https://{host...}" + $0 } + ["/{rest...}", "https://*/{rest...}"])
    for line in lines {
      #expect(try routes.match(line[1])?.route.id == line[0])
      #expect(
        try routes.match("https://api.github.example\(line[1])?page=2#top")?.route.id
          == "https://{host...}\(line[0])")
      #expect(try routes.match("app:\(line[1])")?.route.id == line[0])
      #expect(try routes.match(line[1] + "/none/of/them")?.route.id == "/{rest...}")
    }
  }
}
