// SPDX-License-Identifier: Apache-2.0
import RouteTables
import TestSupport
import Testing

/// The URL in a query item of a redirector's link.
@Suite struct `The URL in a query item` {
  private func unwrapped(_ query: String, from name: String = "q") throws -> Result<
    URLString, URLString.WrappingObstacle
  > {
    try URLString("https://www.google.com/url?\(query)").unwrapped(from: name)
  }

  @Test(arguments: [
    ("q=https%3A%2F%2Fnews.example%2F7", "https://news.example/7"),
    ("q=https://news.example/7", "https://news.example/7"),
    ("sa=t&q=https%3A%2F%2Fnews.example%2F%3Fa%3D1%26b%3D2%23top&usg=x", "https://news.example/?a=1&b=2#top"),
    // A `+` and an encoded space are spaces, which a URL writes as %20.
    ("q=https%3A%2F%2Fnews.example%2Fa+b%20c", "https://news.example/a%20b%20c"),
    // The value is decoded once.
    ("q=https%3A%2F%2Fnews.example%2Fa%2520b", "https://news.example/a%20b"),
    ("q=HTTPS%3A%2F%2FNews.example", "HTTPS://News.example"),
    ("q=http%3A%2F%2Fnews.example%3A8080", "http://news.example:8080"),
    ("q=https%3A%2F%2Fm%C3%BCnchen.example%2F", "https://münchen.example/"),
    ("q=https://news.example/?a=1&b=2", "https://news.example/?a=1"),
    ("%71=https%3A%2F%2Fnews.example%2F", "https://news.example/"),
    ("q=https%3A%2F%2Fnews.example%2F#q=https://evil.example/", "https://news.example/"),
    ("q=https%3A%2F%2Fnews.example%2F%40x", "https://news.example/@x"),
  ])
  func `is decoded once`(query: String, expected: String) throws {
    #expect(try unwrapped(query).get().text == expected)
  }

  @Test(
    arguments: [
      ("", .noItem("q")), ("Q=https://a.example/", .noItem("q")), ("aq=https://a.example/", .noItem("q")),
      ("q=https://a.example/&q=https://b.example/", .severalItems("q")),
      ("q=https://a.example/&%71=https://b.example/", .severalItems("q")),
      ("q=https://a.example/&q", .severalItems("q")),
      ("q", .notAbsolute("q")), ("q=", .notAbsolute("q")), ("q=/search", .notAbsolute("q")),
      ("q=//evil.example/", .notAbsolute("q")), ("q=www.evil.example", .notAbsolute("q")),
      ("q=javascript:alert(1)", .notAbsolute("q")), ("q=javascript%3Ahttps%3A%2F%2Fx", .notAbsolute("q")),
      ("q=data:text/html,x", .notAbsolute("q")), ("q=file:///etc/passwd", .notAbsolute("q")),
      ("q=ftp://a.example/", .notAbsolute("q")), ("q=intent://x", .notAbsolute("q")),
      ("q=zoommtg://zoom.us/join", .notAbsolute("q")),
      ("q=view-source:https://a.example/", .notAbsolute("q")),
      // Browsers read these as URLs of evil.example, other programs do not.
      ("q=https:evil.example", .notAbsolute("q")), ("q=https:/evil.example", .notAbsolute("q")),
      ("q=https:///evil.example", .notAbsolute("q")), ("q=https:%5C%5Cevil.example", .notAbsolute("q")),
      ("q=https://%5Cevil.example", .notAbsolute("q")), ("q=%20https://a.example/", .notAbsolute("q")),
      ("q=+https://a.example/", .notAbsolute("q")), ("q=%09https://a.example/", .notAbsolute("q")),
      ("q=https%09://a.example/", .notAbsolute("q")), ("q=%EF%BB%BFhttps://a.example/", .notAbsolute("q")),
      ("q=https://", .notAbsolute("q")), ("q=https://?x", .notAbsolute("q")),
      ("q=https://%23x", .notAbsolute("q")),
      // Encoded twice: the decoded value has no scheme.
      ("q=https%253A%252F%252Fa.example%252F", .notAbsolute("q")),
      ("q=https://good.example@evil.example/", .disguisedHost("q")),
      ("q=https://good.example:x@evil.example/", .disguisedHost("q")),
      ("q=https://good.example%40evil.example/", .disguisedHost("q")),
      ("q=https://good.example%2540evil.example/", .disguisedHost("q")),
      ("q=https://ev%2569l.example/", .disguisedHost("q")), ("q=https://@evil.example/", .disguisedHost("q")),
      ("q=https://a.example/%zz", .invalidEncoding("q")), ("q=https://a.example/%", .invalidEncoding("q")),
      ("q=https://a.example/%ff", .invalidEncoding("q")),
      ("q=https://a.example/%c0%af", .invalidEncoding("q")),
    ] as [(String, URLString.WrappingObstacle)])
  func `is not opened if it is none, or could mislead`(query: String, obstacle: URLString.WrappingObstacle)
    throws
  {
    #expect(try unwrapped(query) == .failure(obstacle), "\(query)")
    #expect(!obstacle.description.contains("evil"))
  }

  @Test(arguments: [
    "q=https://a.example/%0Ax", "q=https://a%0D.example/", "q=https://a.example/%7F",
    "q=https://a.example/%C2%85",
    "q=https://a.example/%2500", "q=https://a.example%20.evil.example/",
    "q=https://a.example%5C.evil.example/",
    "q=https://a.example/%5Cx",
  ])
  func `is not opened with characters that a URL cannot contain`(query: String) throws {
    let result = try unwrapped(query)
    guard case .failure(.invalid("q", _)) = result else { return #expect(Bool(false), "\(query): \(result)") }
  }
}
