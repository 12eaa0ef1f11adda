// SPDX-License-Identifier: Apache-2.0
import Testing

/// Test cases of Android's intent filters, Apple's universal links and Chrome's match patterns.
@Suite struct PlatformLinkTests {
  @Test(arguments: [
    RouterTable(
      "Android: path, prefix, pattern, suffix and host wildcards",
      #"""
      path: https://example.com/exact
      prefix: https://example.com/pre/{rest...?}
      suffix: https://example.com/files/{name}.pdf
      date: https://example.com/{y:/[0-9]{4}/}/{m:/[0-9]{2}/}/{d:/[0-9]{2}/}/{title:/[a-zA-Z0-9_]+/}.html
      bar: https://example.com/{x:/b*a*bar.*/}
      host: https://{tenant...}.example.org/
      port: https://example.com:8443/exact
      """#,
      urls: """
        https://example.com/exact  path
        https://example.com/Exact  none
        https://EXAMPLE.com/exact  path
        https://example.com/pre  prefix
        https://example.com/pre/a/b  prefix  rest=[a,b]
        https://example.com/prefixed  none  # a prefix ends at a segment
        https://example.com/files/a.b.pdf  suffix  name=a.b
        https://example.com/2016/09/07/got_this_working.html  date  y=2016 m=09 d=07 title=got_this_working
        https://example.com/2016/9/7/got_this_working.html  none
        https://example.com/2016/09/07/got_this_working2dothtml  none
        https://example.com/babar  bar  x=babar
        https://example.com/bbaabarfff  bar  x=bbaabarfff
        https://example.com/babar?blah  bar  x=babar
        https://example.com/bar  bar  x=bar  # Android's match never goes back; an expression is a language
        https://example.com/baz  none
        https://example.com/ba/bar  none
        https://a.b.example.org/  host  tenant=[a,b]
        https://example.org/  none
        https://example.com:8443/exact  port
        """),
    RouterTable(
      "Android: filters by query and fragment",
      """
      allow: https://example.com/shop?type=pvp&id={id:uint}
      block: https://example.com/shop?type=pvp_detail
      other: https://example.com/shop?!preview
      chapter: https://example.com/book#chapter-{n:uint}
      """,
      urls: """
        https://example.com/shop?id=7&type=pvp  allow  id=7
        https://example.com/shop?type=pvp_detail&id=7  block
        https://example.com/shop?type=pvp&id=x  other
        https://example.com/shop?preview  none
        https://example.com/book#chapter-3  chapter  n=3
        https://example.com/book#chapter-x  none
        """),
    RouterTable(
      "Apple: components, where the narrower excludes wherever it stands",
      """
      [case] buy: https://www.example.com/buy/{rest...}#my_great_product_123
      help: https://www.example.com/help/{rest...}?articleNumber={n:string(4)}
      no-help: https://www.example.com/help/website/{rest...}
      search: https://www.example.com/search/
      no-search: https://www.example.com/search/#nondeeplinking
      key: https://www.example.com/?key=value
      lang: https://www.example.com/{lang:en|fr|de}/{page}
      three: https://www.example.com/p/{code:string(3)}/{more:/.+/...}
      """,
      urls: """
        https://www.example.com/BUY/shoes#my_great_product_123  buy  rest=[shoes]
        https://www.example.com/help/a?articleNumber=1234  help  rest=[a] n=1234
        https://www.example.com/help/a?articleNumber=12345  none
        https://www.example.com/help/website/a?articleNumber=1234  no-help  rest=[a]
        https://www.example.com/search/  search
        https://www.example.com/search/?q=foo#bar  search
        https://www.example.com/search/#nondeeplinking  no-search
        https://www.example.com/SEARCH/  none
        https://www.example.com/?key=value  key
        https://www.example.com/?key=value&extra=value  key  # other items may always be there
        https://www.example.com/fr/accueil  lang  lang=fr page=accueil
        https://www.example.com/it/casa  none
        https://www.example.com/p/abc/x/y  three  code=abc more=[x,y]
        https://www.example.com/p/abc/  none
        """),
    RouterTable(
      "Chrome: match patterns",
      """
      all: http://*/{p...}
      foo: https://*/foo{p}
      google: {:http|https}://{x...?}.google.com/{p...}
      local: http://127.0.0.1/{p...}
      unicode: http://{x...?}.xn--gkd/{p...}
      file: file://*/{p...}
      about: about:{page}
      port: http://www.example.com:8080/foo
      any: http://www.example.com:*/bar
      """,
      urls: """
        http://yahoo.com  all  p=[]
        http://74.125.127.100/search  all  p=[search]
        https://www.yahoo.com/foobar  foo  p=bar
        https://www.yahoo.com/  none
        http://google.com/foobar  google  p=[foobar]
        http://monkey.images.google.com/foooobar  google  x=[monkey,images] p=[foooobar]
        http://wwwgoogle.com/foobar  all  p=[foobar]
        https://wwwgoogle.com/x  none
        http://127.0.0.1  local  p=[]
        http://abc.XN--gkd/a  unicode  x=[abc] p=[a]
        file:///foo/bar  file  p=[foo,bar]
        file://localhost/foo/bar  file  p=[foo,bar]
        about:version  about  page=version
        http://www.example.com:8080/foo  port
        http://www.example.com:1234/foo  none  # without `:*` the port is the scheme's; Chrome takes any
        http://www.example.com:1234/bar  any
        http://www.example.com/bar  any
        """),
    RouterTable(
      "custom schemes: a host that is a path, and one that is none",
      """
      [segment] note: notes:/note/{n}
      call: tel:{number}
      mail: mailto:{to}?subject={subject?}
      isbn: urn:isbn:{n}
      magnet: magnet:?xt={hash}
      host: shop://item/{n}
      """,
      urls: """
        notes://note/7  note  n=7
        notes:/note/7  note  n=7
        notes:note/7  note  n=7
        notes:///note/7  note  n=7
        tel:+1-201-555-0123  call  number=+1-201-555-0123
        mailto:a@h.example?subject=a+b  mail  to=a@h.example subject=a+b
        mailto:a@h.example?SUBJECT=a  mail  to=a@h.example
        urn:isbn:0451450523  isbn  n=0451450523
        magnet:?dn=x&xt=urn:btih:abc  magnet  hash=urn:btih:abc
        shop://ITEM/7  host  n=7
        shop:/item/7  none
        """),
  ])
  func links(table: RouterTable) throws { try table.check() }

  @Test(
    arguments: RouterPair.pairs(
      """
      http://www.google.com/foo/{p...}  disjoint  https://www.google.com/foo/{p...}
      http://www.google.com/foo/{p...}  narrower  http://*.google.com/foo/{p...}
      http://*.google.com/foo/{p...}  disjoint  http://*.yahooo.com/foo/{p...}
      http://www.yahooo.com/bar/baz/{p...}  narrower  http://www.yahooo.com/bar/{p...}
      http://www.yahooo.com/bar/{p...}  narrower  http://*/{p...}
      file:///{p...}  disjoint  http://*/{p...}
      http://en.h:8000/  disjoint  http://en.h:8080/
      http://en.h:8000/  narrower  http://en.h:*/
      http://*.h/{p...}  narrower  http://*/{p...}
      http://*/{p...}  narrower  /{p...}
      """))
  func overlaps(pair: RouterPair) throws { try pair.check() }
}
