// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
@testable import RouteTables
import Testing

@Suite struct NormalFormTests {
  @Test(arguments: [
    ("https://h/", "HTTPS://H"), ("https://h/", "https://h:443/"), ("https://h/", "https://h:/"),
    ("https://h", "https://h/"),
    ("http://h:8080/", "http://h:08080/"), ("https://h/a%2Fb", "https://h/a%2fb"),
    ("https://h/~", "https://h/%7E"),
    ("https://h/é", "https://h/%C3%A9"), ("https://h/a", "https://h/b/../a"),
    ("https://h/a/", "https://h/a/b/.."),
    ("https://h/a/", "https://h/a/."), ("https://h/a", "https://h/../../a"),
    ("https://h/a", "https://h/%2E%2e/a"),
    ("https://a.b/", "https://a%2Eb/"), ("http://[::ab]/", "http://[::AB]/"),
    ("https://h/?q=a%20b", "https://h/?q=a+b"),
    ("https://h/?k=", "https://h/?k"), ("https://h/?k", "https://h/?a=1&&k=2#f"),
    ("https://h/#a%20b", "https://h/#a%20b"),
    ("mailto:a@h?subject=a%2Bb", "mailto:a@h?subject=a+b"), ("/a", "app:/a"), ("/a", "https://h:99/a?q#f"),
    ("/a", "/a"),
    ("//a", "https://h//a"), ("app:x", "APP:x"), ("https://h/?a=1&b=2", "https://h/?b=2&x=3&a=1"),
    ("https://h/{{", "https://h/%7B"), ("/a", "/b/../a"), ("/a", "/b/c/../../a"), ("/a/", "/a/."),
    ("/a", "/./a"),
    ("/a", "/../a"), ("/a", "app:/b/../a"), ("/a.b/.c", "/a.b/.c"), ("https://user@h/", "https://user@h/"),
    ("https://{u}@h/", "https://a:b@h/"), ("https://*.h/", "https://a.b.h/"), ("https://*/", "https://a.b/"),
    ("file://*/{p...}", "file:///etc/passwd"), ("/", "https://u@h/"), ("file:///a/b", "file:/a//b/"),
    ("file:///a/b", "FILE://LocalHost/c/..%2Fa/%62"), ("file:/a", "file:////a"),
    ("file://localhost/a", "file:///a"),
    ("file:///", "file:/"), ("file:///a?q", "file:/./a?q"), ("file://h/a", "file://h/a"),
    ("file://h/a%2Fb", "file://h/a%2fb"),
    ("https://h:*/", "https://h:99/"),
    ("https://h:*/", "https://h/"),
    ("https://*/", "https://127.0.0.1/"), ("https://*/", "https://[::1]:8443/".replacing(":8443", with: "")),
  ])
  func theseAreTheSame(pattern: String, url: String) throws {
    #expect(try matches(pattern, url))
  }

  @Test(arguments: [
    ("https://h/", "http://h/"), ("https://h/", "https://h:80/"), ("https://h/a/b", "https://h/a%2Fb"),
    ("https://h/a", "https://h/A"),
    ("app:x", "app:/x"), ("app:/x", "app://x"), ("app:/x", "app:///x"), ("app:x", "app://x"),
    ("https://h/a", "https://h/a/"),
    ("https://h/a/b", "https://h/a//b"), ("https://h/", "https://u@h/"), ("https://h/", "https://@h/"),
    ("/a", "app:a"), ("https://h/a", "/a"), ("https://h/{x}", "https://h/"),
    ("https://{x}.h/", "https://h/"),
    ("https://{a}.{b}.{c}.{d}/", "https://1.2.3.4/"), ("https://h/?q=a", "https://h/?q=b&q=a"),
    ("https://h/?k=", "https://h/?k=1"),
    ("https://h/?k", "https://h/"), ("https://h/#", "https://h/"), ("https://h/#a", "https://h/#a+"),
    ("app:a/b", "app:a/./b"), ("https://*.h/", "https://h/"),
    ("/docs/{p...}", "/docs"), ("https://{u}@h/", "https://h/"), ("https://{u}@h/", "https://@h/"),
    ("/a", "/b/./a"),
    ("https://h/caf%65%CC%81", "https://h/caf%C3%A9"),
  ])
  func `Other URLs do not match the normal form`(pattern: String, url: String) throws {
    #expect(try !matches(pattern, url))
  }

  @Test(
    arguments: [
      ("", .missingScheme, 0), ("x", .missingScheme, 0), ("1:x", .missingScheme, 0),
      ("a b:x", .forbiddenCharacter("a space"), 1),
      ("app:%", .invalidPercentEncoding, 4), ("app:?%4", .invalidPercentEncoding, 5),
      ("app:#%zz", .invalidPercentEncoding, 5),
      ("app:%C3", .invalidUTF8, 7), ("app:%C3/%A9", .invalidUTF8, 7), ("app:%C0%80", .invalidUTF8, 4),
      ("app:%ED%A0%80", .invalidUTF8, 7),
      ("app:%00", .forbiddenCharacter("`%00`"), 4), ("https:\\", .forbiddenCharacter("a backslash"), 6),
      ("app:\u{1}", .forbiddenCharacter("a control character"), 4), ("app://h:x/", .invalidPort, 8),
      ("app://h:65536/", .invalidPort, 8),
      ("app://:1/", .invalidHost, 6), ("app://a%40b/", .invalidHost, 7), ("app://[::1/", .invalidHost, 6),
      ("app://[]/", .invalidHost, 6),
      ("app://[::1]x/", .invalidHost, 6),
    ] as [(String, RouteTableError.Reason, Int)])
  func whatIsNoURLIsNamedWhereItStands(url: String, reason: RouteTableError.Reason, offset: Int) throws {
    let routes = try table(["app:x"])
    let error = refusal { () throws(RouteTableError) in _ = try routes.match(url) }
    #expect(error?.reason == reason)
    #expect(error?.offset == offset)
  }

  @Test func `Rule 11: a URL has limits`() throws {
    let routes = try table(["/"])
    func reason(_ url: String) -> RouteTableError.Reason? {
      refusal { () throws(RouteTableError) in _ = try routes.match(url) }?.reason
    }
    let long = "/" + String(repeating: "a", count: 65_535)
    #expect(reason(long) == nil)
    #expect(reason(long + "a") == .tooLong(bytes: 65_537))
    #expect(reason(String(repeating: "/", count: 1024)) == nil)
    #expect(reason(String(repeating: "/", count: 1025)) == .tooMany("path segments", limit: 1024))
    #expect(reason("/?" + String(repeating: "&", count: 255)) == nil)
    #expect(reason("/?" + String(repeating: "&", count: 256)) == .tooMany("query items", limit: 256))
    #expect(reason("/#?" + String(repeating: "&", count: 400)) == nil)
  }

  @Test func `An error never contains the URL`() throws {
    let routes = try table(["/"])
    let error = refusal { () throws(RouteTableError) in _ = try routes.match("https://h/?token=secret%zz") }
    #expect(
      error?.description == "URL, byte 24: `%` needs two hexadecimal digits: write `%25` for a percent sign")
  }
}
