// SPDX-License-Identifier: Apache-2.0
import Testing

/// Test cases of Go's `net/http.ServeMux`: matches, and the precedence of patterns.
///
/// A trailing slash of its patterns corresponds to a catch-all, and `{$}` to a slash.
@Suite struct GoServeMuxTests {
  @Test(arguments: [
    RouterTable(
      "literals, captures and rests",
      """
      /a
      /a/b
      /a/{x}
      /g/h/i
      /g/{x}/j
      /a/b/{x...}
      /a/b/{y}
      /a/b/
      """,
      urls: """
        /a  /a
        /b  none
        /a/b  /a/b
        /a/c  /a/{x}  x=c
        /a/b/  /a/b/
        /a/b/c  /a/b/{y}  y=c
        /a/b/c/d  /a/b/{x...}  x=[c,d]
        /g/h/i  /g/h/i
        /g/h/j  /g/{x}/j  x=h
        """),
    RouterTable(
      "items, with a host and without",
      """
      /item/{rest...}
      /item/{user}
      /item/{user}/{id}
      /item/{user}/new
      /item/
      https://alt.com/item/{user}
      /path/{p...}
      """,
      urls: """
        https://h/item/jba  /item/{user}  user=jba
        https://h/item/jba/17  /item/{user}/{id}  user=jba id=17
        https://h/item/jba/new  /item/{user}/new  user=jba
        https://h/item/  /item/
        https://h/item/jba/17/line2  /item/{rest...}  rest=[jba,17,line2]
        https://alt.com/item/jba  https://alt.com/item/{user}  user=jba
        https://alt.com/item/jba/17  /item/{user}/{id}  user=jba id=17
        http://alt.com/item/jba  /item/{user}  user=jba
        /item  none
        /path/to/file  /path/{p...}  p=[to,file]
        /path/*  /path/{p...}  p=[*]
        """),
    RouterTable(
      "percent-encoding, before and after splitting",
      """
      /a/b/c
      /{x}
      /{x}/{y...}
      """,
      urls: """
        /a/%62/c  /a/b/c
        /a%2Fb%2fc  /{x}  x=a/b/c
        /%2Fhello%2Fworld  /{x}  x=/hello/world
        /%2F/x  /{x}/{y...}  x=/ y=[x]
        """),
    RouterTable(
      "empty segments",
      """
      /a//b
      /a/{x}/b
      /{x}/{y...}
      """,
      urls: """
        /a//b  /a//b
        /a/z/b  /a/{x}/b  x=z
        //c  none  # no capture of one segment is empty; Go lets it be
        /a//c  /{x}/{y...}  x=a y=[,c]
        """),
    RouterTable(
      "dot segments go before anything is matched",
      """
      /dir/
      /file
      /foo/bar
      """,
      urls: """
        /dir/./  /dir/
        /dir/x/..  /dir/
        /dir/../file  /file
        /../file  /file
        /foo/%2e%2e/file  /file  # %2e is a dot (RFC 3986, section 6.2.2.2)
        /foo//bar  none
        """),
  ])
  func serveMux(table: RouterTable) throws { try table.check() }

  @Test(
    arguments: RouterPair.pairs(
      """
      /a  equal  /a
      /a  disjoint  /b
      /a  narrower  /{r...}
      /a  disjoint  /
      /a  narrower  /{x}
      /b/a  narrower  /b/{r...}
      /b/a  disjoint  /b/
      /{z}/a  equal  /{y}/a
      /{z}/a  disjoint  /{z}/b
      /{z}/a  narrower  /{z}/{r...}
      /{z}/a  disjoint  /{z}/
      /{z}/a  narrower  /{z}/{x}
      /{z}  disjoint  /a/b
      /{z}  disjoint  /
      /{z}  equal  /{x}
      /{z}  narrower  /{x...}
      /b/{z}  disjoint  /b/a/b
      /b/{z}  disjoint  /b/
      /b/{z}  narrower  /b/{x...}
      /  narrower  /{x...}
      /a/b  narrower  /{x...}
      /{x...}  equal  /{y...}
      /b/a/b  narrower  /b/{x...}
      /b/  narrower  /b/{x...}
      /{z}/a/b  narrower  /{z}/{x...}
      /{z}/  narrower  /{z}/{x...}
      /{z}/{x}  narrower  /{z}/{m...}
      /a/{x...}  narrower  /{z}/{m...}
      /b/{m...}  disjoint  /a/{x...}
      /a/b/{y...}  narrower  /a/{m...}
      /a/{x}/{y...}  narrower  /a/{m...}
      /a/b/{y...}  narrower  /a/{z}/{m...}
      /a/{z}/a/{m...}  disjoint  /{x}/b
      /b/  disjoint  /b
      /b/  disjoint  /b/c/{x...}
      /{x}/b/  disjoint  /a/{x}/{y}
      /{x}/b/  disjoint  /a/{x}/c
      /{x}  disjoint  /a/{y}
      /{x}/a/{y}  narrower  /{x}/a/{y...}
      /{x}/{y}/  disjoint  /{x}/a
      /{x}/a/  narrower  /{x}/{y}/
      https://h/{x}  narrower  /{x}
      """))
  func comparedPaths(pair: RouterPair) throws { try pair.check() }

  /// Pairs for which Go panics because neither is more specific; here the first difference decides.
  ///
  /// The last is Go's exception: of two conflicting patterns, the one with a host wins over the one without, as here
  /// (net/http, "Precedence").
  @Test(
    arguments: RouterPair.pairs(
      """
      /a/{x}  leftmost  /{x}/a  /a/a
      /a/{x}  leftmost  /{x}/b  /a/b
      /a/{z}/  leftmost  /{z}/a/  /a/a/
      /a/{z}/{m...}  leftmost  /{z}/a/  /a/a/
      /a/{x...}  leftmost  /{z}/  /a/
      /a/{x}/b/{y...}  leftmost  /{x}/c/{y...}  /a/c/b/
      /a/{x}/b/  leftmost  /{x}/c/{y...}  /a/c/b/
      /a/{z}/{x...}  leftmost  /{z}/b/{y...}  /a/b/
      https://h/{x}  leftmost  /a  https://h/a
      """))
  func crossingPaths(pair: RouterPair) throws { try pair.check() }
}
