// SPDX-License-Identifier: Apache-2.0
import Testing

/// Test cases of gorilla/mux: hosts, expressions, prefixes and queries.
@Suite struct GorillaMuxTests {
  @Test(arguments: [
    RouterTable(
      "hosts",
      """
      http://aaa.bbb.ccc/{p...}
      http://aaa.bbb.ccc:1234/{p...}
      one: http://aaa.{v1:/[a-z]{3}/}.ccc/{p...}
      three: http://{v-1:/[a-z]{2}(?:b|c)/}.{v-2:/[a-z]{3}/}.{v-3:/[a-z]{3}/}/{p...}
      port: http://aaa.{v1:/[a-z]{3}/}.ccc:1{:23|4}/{p...}
      """,
      urls: """
        http://aaa.bbb.ccc/1/2  http://aaa.bbb.ccc/{p...}  p=[1,2]
        http://AAA.bbb.CCC/1  http://aaa.bbb.ccc/{p...}  p=[1]
        http://aaa.222.ccc/1  none
        http://aaa.bbb.ccc:1234/1  http://aaa.bbb.ccc:1234/{p...}  p=[1]
        http://aaa.bbb.ccc:9999/1  none
        http://aaa.xyz.ccc/1  one  v1=xyz p=[1]
        http://aac.bbb.ccc/1  three  v-1=aac v-2=bbb v-3=ccc p=[1]
        http://aad.bbb.ccc/1  none
        http://aaa.bbb.ccc:123/1  port  v1=bbb p=[1]  # a port is not captured
        http://aaa.bbb.ccc:14/1  port  v1=bbb p=[1]
        """),
    RouterTable(
      "paths",
      """
      /111/222/333
      /111/
      /111/{v1:/[0-9]{3}/}/333
      /{v1:/[0-9]{3}/}/{v2:/[0-9]{3}/}/{v3:/[0-9]{3}/}
      category: /{:a|b/c}/{product}/{id:/[0-9]+/}
      paper: /{type:daily|mini|variety}-{date:date}
      """,
      urls: """
        http://localhost/111/222/333  /111/222/333
        http://localhost/111/  /111/
        http://localhost/111  none
        http://localhost/111/223/333  /111/{v1:/[0-9]{3}/}/333  v1=223
        http://localhost/111/aaa/333  none
        http://localhost/112/222/333  /{v1:/[0-9]{3}/}/{v2:/[0-9]{3}/}/{v3:/[0-9]{3}/}  v1=112 v2=222 v3=333
        http://localhost/a/product_name/1  category  product=product_name id=1
        http://localhost/b/c/product_name/1  category  product=product_name id=1
        http://localhost/b%2Fc/product_name/1  none
        http://localhost/daily-2016-01-01  paper  type=daily date=2016-01-01
        http://localhost/daily-2016-13-01  none
        """),
    RouterTable(
      "prefixes",
      """
      /111
      /111/{rest...}
      /1{one}
      /1{one}/{rest...}
      /foo/{v1}/baz/{v2}
      """,
      urls: """
        /111/222/333  /111/{rest...}  rest=[222,333]
        /111  /111
        /1112  /1{one}  one=112
        /12/3/4  /1{one}/{rest...}  one=2 rest=[3,4]
        /foo/bar/baz/ding  /foo/{v1}/baz/{v2}  v1=bar v2=ding
        /foo/bar  none
        """),
    RouterTable(
      "queries",
      """
      two: http://localhost?foo=bar&baz=ding
      host: http://www.example.com/api?foo=bar&baz=ding
      /a?foo={v1}
      /b?foo={v1}&baz={v2}
      /c?foo={v1:/[0-9]+/}
      /d?foo={v-1:/[0-9]{1}(?:a|b)/}
      /e?foo
      /f?foo=bar
      /g?foo=
      """,
      urls: """
        http://localhost?foo=bar&baz=ding  two
        http://localhost/?baz=ding&foo=bar  two
        http://localhost?foo=bar&baz=dong  none
        http://localhost?fffoo=bar&baz=dingggg  none
        http://www.example.com/api?baz=ding&foo=bar  host
        /a?foo=bar  /a?foo={v1}  v1=bar
        /a?foo=  /a?foo={v1}  v1=
        /a?foo  /a?foo={v1}  v1=
        /a  none
        /a?foo=%25bar%26%20%2F%3D%3F  /a?foo={v1}  v1=%bar&%20/=?
        /b?foo=bar&baz=ding  /b?foo={v1}&baz={v2}  v1=bar v2=ding
        /c?foo=10  /c?foo={v1:/[0-9]+/}  v1=10
        /c?foo=a  none
        /c?bar=2&foo=1  /c?foo={v1:/[0-9]+/}  v1=1
        /d?foo=1a  /d?foo={v-1:/[0-9]{1}(?:a|b)/}  v-1=1a
        /d?foo=12a  none
        /e?foo=bar  /e?foo
        /e?foo=  /e?foo
        /e  none
        /f?foo=barfoo  none
        /g?foo=  /g?foo=
        /g?foo=bar  none  # an empty value is the empty value; gorilla/mux takes any
        """),
    RouterTable(
      "schemes and subdomains",
      """
      {:https|ftp}://localhost/{p...}
      http://{v1:/[a-z]+/}.google.com/{v2:/[a-z]+/}
      """,
      urls: """
        https://localhost  {:https|ftp}://localhost/{p...}  p=[]
        ftp://localhost:21/x  {:https|ftp}://localhost/{p...}  p=[x]
        http://localhost  none
        http://aaa.google.com/bbb  http://{v1:/[a-z]+/}.google.com/{v2:/[a-z]+/}  v1=aaa v2=bbb
        http://111.google.com/111  none
        http://a.b.google.com/bbb  none
        """),
  ])
  func gorillaMux(table: RouterTable) throws { try table.check() }
}
