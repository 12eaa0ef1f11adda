// SPDX-License-Identifier: Apache-2.0
import Testing

/// Test cases of ASP.NET Core, Spring, actix and axum.
@Suite struct ServerRouterTests {
  @Test(arguments: [
    RouterTable(
      "ASP.NET Core: defaults and formats, with a second route for what may be left out",
      #"""
      mvc: /m/{controller}/{action}/{id=default id}
      moo: /moo/{p1}/bar/{p2=two}
      full: /f/{p1}.{p2}
      bare: /f/{p1}
      three: /t/{p1}.{p2}.{p3}
      before: /{p1}.{p2}/{p3}
      [case] page: /DEFAULT.ASPX
      date: /date/{y}/{m?}/{d?}
      phone: /p/{p1:/\d{3}-\d{3}-\d{4}/}
      length: /l/{s:string(3,5)}
      """#,
      urls: """
        /m/Bank/DoAction/123  mvc  controller=Bank action=DoAction id=123
        /m/Bank/DoAction  mvc  controller=Bank action=DoAction id=default%20id
        /m/Bank  none
        /moo/111/bar/222  moo  p1=111 p2=222
        /moo/111/bar  moo  p1=111 p2=two
        /moo/111/bar/  none  # the slash begins a segment, and a capture is never empty
        /f/foo.bar  full  p1=foo p2=bar
        /f/foo..bar  full  p1=foo. p2=bar
        /f/foo.moo.bar  full  p1=foo.moo p2=bar
        /f/....  full  p1=.. p2=.
        /f/foo  bare  p1=foo
        /f/.bar  bare  p1=.bar
        /f/foo.  bare  p1=foo.
        /t/foo.moo.bar  three  p1=foo p2=moo p3=bar
        /t/foo.moo  none
        /foo.moo/bar  before  p1=foo p2=moo p3=bar
        /.foo/bar  none
        /default.aspx  page
        /date/2007/08  date  y=2007 m=08
        /date/2007  date  y=2007
        /p/123-456-7890  phone  p1=123-456-7890
        /p/123-456-789  none
        /l/ab  none
        /l/abcde  length  s=abcde
        """),
    RouterTable(
      "ASP.NET Core: parts that repeat",
      """
      /1/{prefix}x{suffix}
      /2/{prefix}xyz{suffix}
      /3/{prefix}aa{suffix}
      /language/{lang}-{region}
      /b/a{lang}-{region}a
      """,
      urls: """
        /1/xxxxxxxxxx  /1/{prefix}x{suffix}  prefix=xxxxxxxx suffix=x
        /2/xyzxyzxyzxyzxyz  /2/{prefix}xyz{suffix}  prefix=xyzxyzxyz suffix=xyz
        /2/xyzxyzxyz  /2/{prefix}xyz{suffix}  prefix=xyz suffix=xyz
        /2/xyzxyz  none
        /3/aaaaa  /3/{prefix}aa{suffix}  prefix=aa suffix=a
        /3/aaa  none
        /language/en-US  /language/{lang}-{region}  lang=en region=US
        /language/en-US-x  /language/{lang}-{region}  lang=en-US region=x
        /language/  none
        /language  none
        /b/aen-USa  /b/a{lang}-{region}a  lang=en region=US
        /b/a-USa  none
        /b/aen-a  none
        """),
    RouterTable(
      "Spring: separators, encoding and the rest",
      """
      [slash] /resource
      /res2/
      /{var1}_{var2}
      /customer/{something...?}
      ///one///{foo}///bar
      /e/{var1}/{var2}
      f: /f/{var:/f o/}
      /q/{c:string(1)}/bar
      /w/f{any}/bar
      """,
      urls: """
        /resource  /resource
        /resource/  /resource
        /resource//  none
        /res2  none
        /res2/  /res2/
        /res1_res2  /{var1}_{var2}  var1=res1 var2=res2
        /res1_res2/  none
        /customer  /customer/{something...?}
        /customer/99  /customer/{something...?}  something=[99]
        /customer/  /customer/{something...?}  something=[]
        /customer//99  /customer/{something...?}  something=[,99]
        /customerX  none
        ///one///one///bar  ///one///{foo}///bar  foo=one
        /one/one/bar  none
        /e/f%20o/f%7Co  /e/{var1}/{var2}  var1=f%20o var2=f|o
        /f/f%20o  f  var=f%20o
        /q/%20/bar  /q/{c:string(1)}/bar  c=%20
        /q/ab/bar  none
        /w/foo/bar  /w/f{any}/bar  any=oo
        /w/f/bar  none
        """),
    RouterTable(
      "actix: sets, tails and prefixes",
      """
      /user/{id}
      /v{version}/resource/{id}
      /{id:/[0-9]{6}/}
      /static
      /name
      /name/{rest...}
      /tail/-{id}
      /tail/-{id}/{rest...}
      /profile/{id}/{tail...}
      """,
      urls: """
        /user/profile  /user/{id}  id=profile
        /user/2345/  none
        /v151/resource/adage32  /v{version}/resource/{id}  version=151 id=adage32
        /v/resource/1  none
        /012345  /{id:/[0-9]{6}/}  id=012345
        /012  none
        /XXXXXX  none
        /static  /static
        /name  /name
        /name/test/test  /name/{rest...}  rest=[test,test]
        /name1  none
        /name~  none
        /tail/-profile  /tail/-{id}  id=profile
        /tail/-2345/sdg  /tail/-{id}/{rest...}  id=2345 rest=[sdg]
        /profile/2345  none
        /profile/2345/sdg  /profile/{id}/{tail...}  id=2345 tail=[sdg]
        /user/qwe%25  /user/{id}  id=qwe%
        """),
    RouterTable(
      "axum: slashes, and the rest of a nested router",
      """
      /foo
      /foo/
      /bar
      /x/{path:/.+/...}
      /{key}
      /api/users/{id}
      /api/{rest...}
      /{version}/api/users/{id}
      """,
      urls: """
        /foo  /foo
        /foo/  /foo/
        /bar/  none
        /x  /{key}  key=x
        /x/  none
        /x/foo/bar  /x/{path:/.+/...}  path=[foo,bar]
        /one%20two  /{key}  key=one%20two
        /api/users/1  /api/users/{id}  id=1
        /api/users  /api/{rest...}  rest=[users]
        /v0/api/users/123  /{version}/api/users/{id}  version=v0 id=123
        /%FF  throws
        """),
  ])
  func serverRouters(table: RouterTable) throws { try table.check() }
}
